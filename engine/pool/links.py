"""All links of this PC, those that came in and those that it opened, and only to members of its pool.

Who is removed from the pool is shown out at once, and whoever missed a change of the members is told of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator
from weakref import WeakKeyDictionary

from idlepool.engine.errors import LinkError, PortInUse, StorageError
from idlepool.engine.net.link import Link, Peer, dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello, Role
from idlepool.engine.net.roster import SignedRoster
from idlepool.engine.net.roster_branches import roster_id
from idlepool.engine.net.tls import NEWS_BYTES, WasRemoved
from idlepool.engine.net.trust_messages import RosterNews
from idlepool.engine.pool.link_test import LinkFigures, measure_link
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.trust_errors import NotPaired, RemovedFromPool, RosterRefused
from idlepool.engine.types import Address, NodeId, SessionId

log = logging.getLogger("idlepool.links")

NO_SESSION = SessionId(0)

FAREWELL_S = 1.0
"""What a removed PC gets for reading that it is."""


class Links:
    """Listens, and opens links. `serve` owns a link that comes in; `on_refused`: see LinkServer."""

    def __init__(
        self,
        settings: NodeSettings,
        membership: Membership,
        *,
        serve: Callable[[Link], Awaitable[None]],
        on_refused: Callable[[str, str], None],
    ) -> None:
        self._settings = settings
        self._membership = membership
        self._serve_link = serve
        self._on_refused = on_refused
        self._instance = secrets.randbits(53)
        self._told: WeakKeyDictionary[Link, tuple[int, str]] = WeakKeyDictionary()
        """The epoch and the id of the roster that the other end knows, or was told."""
        self._tasks = TaskKeeper()
        self._server = self._make_server(settings.port)
        membership.on_change(self._show_out)

    @property
    def port(self) -> int:
        """Where this PC listens."""
        return self._server.port

    @property
    def reached_at(self) -> Address:
        """Where others are told that it listens."""
        return self._settings.via or Address(self._settings.host, self.port)

    async def start(self) -> None:
        """Listen. Raises PortInUse where another program listens on the port and no other one will do."""
        try:
            await self._server.start()
        except PortInUse:
            if not self._settings.any_port:
                raise
            self._server = self._make_server(0)
            await self._server.start()

    async def close(self) -> None:
        """Stop listening and close what came in."""
        await self._tasks.close()
        await self._server.close()

    async def dial(
        self, address: Address, role: Role, session: SessionId = NO_SESSION, *, node: NodeId | None = None
    ) -> Link:
        """Open a link; see net.link.dial. Raises NotPaired also where the PC was removed meanwhile."""
        hello = Hello(role, port=self.reached_at.port, session=session, instance=self._instance)
        try:
            link = await dial(address, hello, credentials=self._membership.credentials, node=node)
        except WasRemoved as error:
            self.take_news(error.by, error.rosters)
            raise
        self._register(link)
        return link

    async def measure(self, peer: Peer) -> LinkFigures:
        """How good the connection to a PC is, over a link of its own. Raises LinkError where the test did not work."""
        link = await self.dial(peer.address, "test", node=peer.node)
        try:
            return await measure_link(link)
        finally:
            await link.close("The test is over.")

    def spread_news(self, links: Iterable[Link]) -> None:
        """Tell those at the other end of these control links of the changes that they missed."""
        current = (self._membership.roster.epoch, roster_id(self._membership.chain[-1]))
        for link in links:
            known = self._told.get(link, (link.peer.epoch, link.peer.roster))
            self._told[link] = current
            if known != current:
                self._tasks.start(self._send_news(link, self._membership.credentials.since(*known)))

    def take_news(self, name: str, rosters: tuple[SignedRoster, ...]) -> None:
        """Take over what the PC called `name` says about the members, if it is properly signed and new."""
        try:
            self._membership.offer(rosters)
        except (RosterRefused, StorageError) as error:
            log.warning("%s sent members that are not taken over: %s", name, error)

    def _make_server(self, port: int) -> LinkServer:
        return LinkServer(
            self._settings.host,
            port,
            credentials=self._membership.credentials,
            on_link=self._serve,
            on_refused=self._on_refused,
            instance=self._instance,
        )

    async def _serve(self, link: Link) -> None:
        try:
            self._register(link)
        except NotPaired:
            async for _ in link:  # until it has read that it is none
                pass
        else:
            await self._serve_link(link)

    def _register(self, link: Link) -> None:
        """Keep a link in mind. Raises NotPaired, and shows the peer out, where it was removed while it came in."""
        self._told[link] = (link.peer.epoch, link.peer.roster)
        if not self._membership.is_member(link.peer.node):
            self._show_out()
        self._membership.credentials.member(link.peer.node)

    async def _send_news(self, link: Link, rosters: tuple[SignedRoster, ...]) -> None:
        with contextlib.suppress(LinkError):  # it hears of it when it is back
            for news in _messages(rosters):
                await link.send(news)

    def _show_out(self) -> None:
        """Close the links to all who are no members any more."""
        for link in list(self._told):
            try:
                self._membership.credentials.member(link.peer.node)
            except RemovedFromPool as error:
                link.ignore_rest()  # at once: saying goodbye takes a while
                self._tasks.start(self._dismiss(link, self._told.pop(link), error.sentence))
            except NotPaired:
                link.ignore_rest()
                del self._told[link]
                self._tasks.start(link.close(f"{self._membership.own_name} is in another pool now."))

    async def _dismiss(self, link: Link, known: tuple[int, str], sentence: str) -> None:
        farewell = self._membership.credentials.farewell(link.peer.node, *known)
        if link.role == "control":
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL_S):
                    await self._send_news(link, farewell)
        await link.close(sentence)


def _messages(rosters: tuple[SignedRoster, ...]) -> Iterator[RosterNews]:
    """The rosters in messages of an ordinary size."""
    batch: list[SignedRoster] = []
    for signed in rosters:
        if batch and sum(len(each.body) for each in (*batch, signed)) > NEWS_BYTES:
            yield RosterNews(tuple(batch))
            batch = []
        batch.append(signed)
    if batch:
        yield RosterNews(tuple(batch))
