"""Why PCs of the pool cannot take part in a plan, in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from idlepool.engine.events import PeerInfo

Absent = tuple[tuple[str, str], ...]
"""Names of PCs, and why."""


def absent(infos: Iterable[PeerInfo], present: Collection[str]) -> Absent:
    """Those of the pool that are not among the `present` ones, by their ids."""
    left = [info for info in infos if info.node not in present and info.state != "unverified"]
    return tuple((info.name, _why(info)) for info in left)


def _why(info: PeerInfo) -> str:
    if info.state == "suspect":
        return info.reason
    if info.present and info.lends:
        return "What it can compute with is not known yet."
    if info.present:
        return f"It lends nothing at the moment ({info.lends_reason})."
    return f"{info.reason} {info.hint}".strip() or "It is not here."
