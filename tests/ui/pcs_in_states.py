"""A PC in each state that the window can show, with the sentences of the node."""

from __future__ import annotations

from pcs import member, node_of

from idlepool.engine.errors import IdlepoolError, OtherVersion, PeerUnreachable
from idlepool.engine.events import PeerInfo
from idlepool.engine.net.handshake import version_clash
from idlepool.engine.pairing_events import MemberInfo
from idlepool.engine.pool.neighbourhood import NOWHERE, SILENT, UNVERIFIED
from idlepool.engine.trust_errors import NotPaired, RemovedFromPool

LONG = "A PC whose owner gave it a name that does not fit into any row"
CLASH = version_clash("Idlepool 0.5.0", 5, "Idlepool 0.3.1", 3)


def told(error: IdlepoolError) -> dict[str, str]:
    return {"reason": error.sentence, "hint": error.hint}


PEERS = (
    PeerInfo(node_of(0), "idle-1", here=True, present=True),
    member(1, "idle-2", "present"),
    member(2, "attic", "present", phase="decoding", running=("qwen3-4b",)),
    member(3, "harbour", "present", phase="fetching", done=410, total=1000),
    member(4, "lagoon", "suspect", SILENT.format(seconds=4)),
    member(5, "orchard", "looking", NOWHERE),
    member(6, "quarry", "unreachable", **told(PeerUnreachable("192.168.1.26:7420", "no connection"))),
    member(7, "stable", "other version", **told(OtherVersion("192.168.1.27:7420", CLASH))),
    member(8, "tower", "removed", **told(RemovedFromPool("idle-1"))),
    member(9, LONG, "present"),
    PeerInfo(
        "",
        "office.example:7420",
        False,
        False,
        "unpaired",
        found="typed",
        address="office.example:7420",
        **told(NotPaired("office.example:7420")),
    ),
    PeerInfo(
        "3f9a1c7e" * 4, "3f9a1c7e", False, False, "unverified", UNVERIFIED, "announced", "[fe80::1c2d:3eff%eth0]:7420"
    ),
    PeerInfo("", "10.0.0.9", False, False, "refused", "It is not paired with this PC.", "called", "10.0.0.9"),
)
MEMBERS = tuple(MemberInfo(peer.node, peer.name, peer.here) for peer in PEERS if peer.node.startswith("0000"))
