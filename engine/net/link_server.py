"""Where links come in: listens, checks who is there, and hands over a Link for each peer that is welcome."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from idlepool.engine.build import BUILD
from idlepool.engine.errors import MessageError
from idlepool.engine.net.addresses import seen_address
from idlepool.engine.net.handshake import answer_hello
from idlepool.engine.net.link import Link, Peer
from idlepool.engine.net.link_limits import MOST_LINKS, LinkLimits
from idlepool.engine.net.messages import Hello, Refused, Role, Welcome, encode_message
from idlepool.engine.net.roster import Member
from idlepool.engine.net.roster_branches import roster_id
from idlepool.engine.net.sockets import listening_socket
from idlepool.engine.net.strangers import Guest, Strangers
from idlepool.engine.net.tls import NEWS_BYTES, Credentials, peer_of
from idlepool.engine.net.trust_messages import Dismissed
from idlepool.engine.trust_errors import NotPaired, RemovedFromPool
from idlepool.engine.types import NodeId

_log = logging.getLogger("idlepool.link")


class LinkServer:
    """Listens on `host` and `port` (0: any) for members of the pool, by the `credentials` of this PC.

    `on_link` owns the link it is called with: when it returns or fails, the link is closed. `close` cancels those that
    do not return by themselves once their links are closed. `on_refused` hears from which host somebody came who was
    not welcome, and why, in a sentence. `instance`: see Hello.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        credentials: Credentials,
        on_link: Callable[[Link], Awaitable[None]],
        on_refused: Callable[[str, str], None] = lambda host, sentence: None,
        instance: int = 0,
        limits: LinkLimits | None = None,
    ) -> None:
        self.port = port
        self._host = host
        self._credentials = credentials
        self._on_link = on_link
        self._on_refused = on_refused
        self._instance = instance
        self._limits = limits = limits or LinkLimits()
        self._strangers = Strangers(
            credentials.server_context,
            limit=limits.max_strangers,
            seconds=limits.handshake_seconds,
            opening_bytes=limits.max_opening_bytes,
            refusals=limits.max_refusals,
            on_refused=self._refuse,
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._links_of: Counter[NodeId] = Counter()
        self._roles: dict[ServerConnection, tuple[NodeId, Role]] = {}
        """Of those that are welcome."""
        self._server: Server | None = None

    async def start(self) -> None:
        """Listen; `port` is the real one afterwards.

        Raises:
            PortInUse: another program listens there.
            PoolError: the system does not allow listening there.
        """
        listener = listening_socket(self._host, self.port)
        self.port = listener.getsockname()[1]
        self._server = await serve(
            self._serve,
            sock=listener,
            # Browsers always send an origin: no web page may talk to a node.
            origins=[None],
            server_header=None,
            open_timeout=self._limits.handshake_seconds,
            create_connection=_guests_among(self._strangers),
            **self._limits.settings(),
        )

    async def close(self) -> None:
        """Stop listening and close every link that came in. Idempotent."""
        if self._server is None:
            return
        self._server.close()
        self._strangers.send_away()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2 * self._limits.close_seconds)
        for task in list(self._tasks):
            task.cancel()
        await self._server.wait_closed()

    async def _serve(self, connection: ServerConnection) -> None:
        task = asyncio.current_task()
        assert task is not None
        guest = peer_of(connection.transport)
        self._tasks.add(task)
        self._links_of[guest] += 1
        try:
            link = await self._meet(connection, guest)
            if link is not None:
                await self._on_link(link)
        finally:
            self._tasks.discard(task)
            self._links_of[guest] -= 1
            self._roles.pop(connection, None)

    async def _meet(self, connection: ServerConnection, guest: NodeId) -> Link | None:
        host = str(connection.remote_address[0])
        link = None
        try:
            async with asyncio.timeout(self._limits.handshake_seconds):
                welcome = self._introduction()
                answer = answer_hello(await connection.recv(), welcome, guest=guest)
                member, refusal = self._judge(answer, guest, host)
                if member is not None and isinstance(answer, Hello):
                    # Before it knows: what it says next may be longer.
                    self._strangers.leave(connection)
                    link = self._welcome(connection, answer, member)
                await connection.send(encode_message(refusal or welcome))
        except (TimeoutError, MessageError) as error:
            _log.info("%s did not introduce itself: %s", host, error)
            await connection.close(CloseCode.PROTOCOL_ERROR, "No Hello came.")
            return None
        except ConnectionClosed:
            return None
        if link is None:
            await connection.close(CloseCode.POLICY_VIOLATION)
        return link

    def _welcome(self, connection: ServerConnection, hello: Hello, member: Member) -> Link:
        node = NodeId(member.node)
        self._roles[connection] = (node, hello.role)
        address = seen_address(connection.remote_address, port=hello.port)
        peer = Peer(node, member.name, address, hello.instance, hello.epoch, hello.roster, hello.build)
        return Link(connection, hello, peer, dialled=False)

    def _introduction(self) -> Welcome:
        own, roster = self._credentials.own, self._credentials.roster
        known = roster_id(self._credentials.chain[-1])
        return Welcome(
            own.node, own.name, self.port, self._instance, roster.pool, roster.epoch, build=BUILD, roster=known
        )

    def _judge(
        self, answer: Hello | Refused, guest: NodeId, host: str
    ) -> tuple[Member, None] | tuple[None, Refused | Dismissed]:
        """Hold what is made of a Hello against the roster: who that is, or what it is told instead of a Welcome."""
        if isinstance(answer, Refused):
            self._refuse(host, answer.sentence)
            return None, answer
        try:
            member = self._credentials.member(guest)
        except RemovedFromPool as error:
            self._refuse(host, error.sentence)
            proof = self._credentials.farewell(guest, answer.epoch, answer.roster)
            fits = sum(len(signed.body) for signed in proof) <= NEWS_BYTES
            return None, Dismissed(proof if fits else ())
        except NotPaired as error:
            self._refuse(host, error.sentence)
            return None, Refused(error.sentence, hint=error.hint)
        crowd = self._crowd(guest, answer.role)
        if crowd:
            crowd = f"{member.name} has {crowd} to {self._credentials.own.name} already."
            self._refuse(host, crowd)
            return None, Refused(crowd, hint=f"Start Idlepool on {member.name} again.")
        return member, None

    def _crowd(self, guest: NodeId, role: Role) -> str:
        """The links of a PC that are as many as it may have; empty where it may have one more."""
        if self._links_of[guest] > self._limits.max_links:
            return f"{self._limits.max_links} links"
        if sum(one == (guest, role) for one in self._roles.values()) >= MOST_LINKS[role]:
            return f"{MOST_LINKS[role]} {role} links"
        return ""

    def _refuse(self, host: str, sentence: str) -> None:
        _log.info("refused %s: %s", host, sentence)
        self._strangers.refused(host)
        self._on_refused(host, sentence)


def _guests_among(strangers: Strangers) -> type[Guest]:
    return type("Guest", (Guest,), {"strangers": strangers})
