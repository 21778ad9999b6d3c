"""Which layers PCs should have on their disks before they are needed: pure.

For each PC of a running pipeline it is known what the plan would be without it. Whoever gets layers there that are not
on its disk fetches them ahead; the plan without the PC that is likeliest to leave comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from idlepool.engine.models.manifest import Manifest
from idlepool.engine.types import NodeId, Span

USUAL_HOURS = 8.0
"""A PC of which nothing is known is taken for one that leaves once in so many hours."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A PC of the pipeline that may leave, and who would run which layers then."""

    node: NodeId
    per_hour: float
    """How often it leaves."""
    spans: Mapping[NodeId, Span]


@dataclass(frozen=True, slots=True)
class Disk:
    """What a PC has of the model."""

    held: frozenset[int]
    """Chunks."""
    room_bytes: int
    """What it may hold of the model in all; negative: it fetches nothing ahead."""
    runs: Span | None = None
    """Its layers of the running pipeline."""


def next_spans(manifest: Manifest, losses: Iterable[Loss], disks: Mapping[NodeId, Disk]) -> dict[NodeId, Span]:
    """The layers that each PC should fetch now, which are none that it has or has no room for; no entry: none at all.

    What it needs for a likelier loss keeps its room before what it needs for others.
    """
    likeliest = sorted(losses, key=lambda loss: (-loss.per_hour, loss.node))
    wanted = {node: _next_of(manifest, disk, _spans_of(node, likeliest)) for node, disk in disks.items()}
    return {node: span for node, span in wanted.items() if span is not None}


def _spans_of(node: NodeId, losses: Sequence[Loss]) -> list[Span]:
    return [loss.spans[node] for loss in losses if node in loss.spans]


def _next_of(manifest: Manifest, disk: Disk, spans: Sequence[Span]) -> Span | None:
    kept = set(manifest.chunks_of(disk.runs)) if disk.runs is not None else set()
    for span in spans:
        both = kept | set(manifest.chunks_of(span))
        if manifest.bytes_of(both) > disk.room_bytes:
            continue
        if not disk.held.issuperset(both - kept):
            return span
        kept = both
    return None


@dataclass(frozen=True, slots=True)
class Stay:
    """What was seen of a PC."""

    hours: float
    """Since it was first here."""
    times: int
    """It left."""


class Leavings:
    """How often PCs left, from what was seen of them, now and in `earlier` runs: (times + 1) in (hours +
    USUAL_HOURS)."""

    def __init__(self, earlier: Mapping[NodeId, Stay] | None = None) -> None:
        self._earlier = dict(earlier or {})
        self._since: dict[NodeId, float] = {}
        self._times: dict[NodeId, int] = {}

    def here(self, nodes: Iterable[NodeId], now_s: float) -> None:
        """These are present and lend."""
        for node in nodes:
            self._since.setdefault(node, now_s)

    def left(self, node: NodeId) -> None:
        """It is gone, or lends no more."""
        self._times[node] = self._times.get(node, 0) + 1

    def per_hour(self, node: NodeId, now_s: float) -> float:
        """How often it leaves."""
        stay = self._stay(node, now_s)
        return (stay.times + 1) / (stay.hours + USUAL_HOURS)

    def stays(self, now_s: float) -> dict[NodeId, Stay]:
        """All that was ever seen, those seen in this run last."""
        absent = (node for node in self._earlier if node not in self._since)
        return {node: self._stay(node, now_s) for node in (*absent, *self._since)}

    def _stay(self, node: NodeId, now_s: float) -> Stay:
        before = self._earlier.get(node, Stay(0.0, 0))
        hours = (now_s - self._since.get(node, now_s)) / 3600
        return Stay(before.hours + hours, before.times + self._times.get(node, 0))
