"""What a node that runs on this PC sees of the pool, for commands that show it."""

from __future__ import annotations

from collections.abc import Sequence

from idlepool.app.event_lines import Speaker
from idlepool.engine.commands import LookAround
from idlepool.engine.events import PeerInfo, PoolChanged
from idlepool.engine.local_events import LookedAround
from idlepool.engine.net.addresses import parse_address

Seen = tuple[tuple[PeerInfo, ...], LookedAround]


def look_around(node: Speaker, seconds: float, *, measure: bool = False, addresses: Sequence[str] = ()) -> Seen:
    """All PCs, this one first, and what measuring the links to them gave where that is wanted.

    `addresses`, as host or host:port, are tried as well. Raises LinkError where one is none, PoolError where the node
    ends.
    """
    read = tuple(str(parse_address(address)) for address in addresses)
    node.send(LookAround(seconds, measure=measure, addresses=read))
    peers: tuple[PeerInfo, ...] = ()
    while not isinstance(event := node.next_event(), LookedAround):
        if isinstance(event, PoolChanged):
            peers = event.peers
    return peers, event
