"""The control side of nodes without anything else: they listen, look for one another, and note what they hear."""

from __future__ import annotations

from pathlib import Path

from idlepool.engine.errors import FrameError
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello, NodeStatus
from idlepool.engine.net.presence_messages import Heartbeat
from idlepool.engine.net.tls import Credentials
from idlepool.engine.pool.known_addresses import KnownAddresses
from idlepool.engine.pool.peers import Peers
from idlepool.engine.pool.seeking import Seeker
from idlepool.engine.types import Address, NodeId


class Pc:
    """A PC that proves itself with `credentials`; it belongs to a pool with all whom it knows by them."""

    def __init__(self, credentials: Credentials, root: Path, *, instance: int = 1, port: int = 0) -> None:
        root.mkdir(exist_ok=True)
        self.credentials = credentials
        self.id = credentials.identity.node
        self.name = credentials.member(self.id).name
        self.met = 0
        self.changes = 0
        self.lost: list[NodeId] = []
        self.status = NodeStatus(())
        self.heartbeat = Heartbeat()
        self.members = [NodeId(member.node) for member in credentials.roster.members]
        self.known = KnownAddresses(root)
        self._instance = instance
        self.server = LinkServer("127.0.0.1", port, credentials=credentials, on_link=self._meet, instance=instance)
        self.peers = Peers(
            self.id,
            status=lambda: self.status,
            heartbeat=lambda: self.heartbeat,
            on_item=self._hear,
            on_met=lambda link: self.seeker.met(link),
            on_change=self._note_change,
            on_lost=self.lost.append,
        )
        self.seeker = Seeker(
            self.peers,
            self.id,
            members=lambda: self.members,
            connect=self.dial,
            known=self.known,
            on_change=self._note_change,
        )

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.server.port)

    @property
    def here(self) -> list[str]:
        return [self.credentials.member(node).name for node in self.peers.present]

    async def start(self) -> None:
        await self.server.start()
        self.seeker.look_again()

    async def dial(self, address: Address, node: NodeId | None) -> Link:
        hello = Hello("control", self.id, self.name, self.server.port, instance=self._instance)
        return await dial(address, hello, credentials=self.credentials, node=node)

    async def close(self) -> None:
        await self.seeker.close()
        await self.peers.close()
        await self.server.close()

    async def _meet(self, link: Link) -> None:
        self.met += 1
        if link.peer.node not in self.members:
            await link.close("It is no member.")
            return
        await self.peers.adopt(link, found="called")

    async def _hear(self, node: NodeId, item: object) -> None:
        raise FrameError(f"{self.name} expects no {type(item).__name__}.")

    def _note_change(self) -> None:
        self.changes += 1
