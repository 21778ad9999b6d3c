"""PCs as the node tells of them."""

from __future__ import annotations

from idlepool.engine.events import PeerInfo, PeerState


def node_of(number: int) -> str:
    return f"{number:064x}"


def member(number: int, name: str, state: PeerState, reason: str = "", **more: object) -> PeerInfo:
    present = state in ("present", "suspect")
    if present:
        more = {"found": "announced", "address": f"192.168.1.{20 + number}:7420", "build": "0.5.0"} | more
    return PeerInfo(node_of(number), name, number == 0, present, state, reason, **more)  # type: ignore[arg-type]
