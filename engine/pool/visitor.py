"""A PC that only looks who is there: it meets the others like a node, but lends nothing and asks for nothing."""

from __future__ import annotations

from collections.abc import Callable

from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Message, NodeStatus
from idlepool.engine.net.presence_messages import Heartbeat
from idlepool.engine.net.trust_messages import RosterNews
from idlepool.engine.pool.link_test import LinkFigures, serve_link_test
from idlepool.engine.pool.links import Links
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.neighbourhood import Neighbourhood
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.types import NodeId


class Visitor:
    """From `start` to `close`; `on_trouble` gets a sentence where the network keeps PCs from finding each other."""

    def __init__(
        self,
        settings: NodeSettings,
        membership: Membership,
        *,
        on_trouble: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._membership = membership
        self.links = Links(
            settings,
            membership,
            serve=self._serve,
            on_refused=lambda host, sentence: self.neighbourhood.turned_away(host, sentence),
        )
        self.neighbourhood = Neighbourhood(
            settings,
            membership,
            connect=lambda address, node: self.links.dial(address, "control", node=node),
            status=lambda: NodeStatus(()),
            heartbeat=Heartbeat,
            on_item=self._take,
            on_change=self._on_change,
            on_lost=lambda node: None,
            on_trouble=on_trouble,
        )

    async def start(self) -> None:
        """Listen, and look for everybody. Raises PortInUse where another program listens on the port."""
        await self.links.start()
        await self.neighbourhood.start(port=self.links.reached_at.port)

    async def look(self, seconds: float) -> None:
        """See Neighbourhood.look."""
        await self.neighbourhood.look(seconds)

    async def measure(self, node: NodeId) -> LinkFigures | None:
        """How good the connection to a PC is; None where it is not present.

        Raises:
            LinkError: the test did not work.
        """
        peer = self.neighbourhood.peers.present.get(node)
        return None if peer is None else await self.links.measure(peer.link.peer)

    async def close(self) -> None:
        """Say goodbye."""
        await self.neighbourhood.close()
        await self.links.close()

    async def _serve(self, link: Link) -> None:
        match link.role:
            case "control":
                await self.neighbourhood.adopt(link)
            case "test":
                await serve_link_test(link)
            case _:
                await link.close("This PC lends nothing at the moment.")

    async def _take(self, node: NodeId, item: Message | Frame) -> None:
        if isinstance(item, RosterNews):
            self.links.take_news(self._membership.name_of(node), item.rosters)

    def _on_change(self) -> None:
        self.links.spread_news(peer.link for peer in self.neighbourhood.peers.present.values())
