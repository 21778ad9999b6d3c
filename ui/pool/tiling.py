"""Layers of a model shared out to PCs by hand: whatever is changed, each has at least one and all are given. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Tiling:
    """PCs in the order of the layers, the first one is this PC and stays first; and how many layers each has."""

    nodes: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def layers(self) -> int:
        """Of the model."""
        return sum(self.counts)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """`[first, last)` of each."""
        ends = list(accumulate(self.counts))
        return tuple(zip([0, *ends[:-1]], ends, strict=True))

    @property
    def most(self) -> int:
        """Layers that a PC can have: all but one of each other PC."""
        return self.layers - len(self.nodes) + 1

    def with_count(self, place: int, count: int) -> Tiling:
        """Give a PC so many layers; the others give or take them, the following ones first."""
        counts = list(self.counts)
        count = max(1, min(count, self.most))
        need, counts[place] = count - counts[place], count
        others = [*range(place + 1, len(counts)), *reversed(range(place))]
        for other in others:
            taken = min(need, counts[other] - 1)
            counts[other] -= taken
            need -= taken
        return replace(self, counts=tuple(counts)) if need == 0 else self

    def moved(self, place: int, by: int) -> Tiling:
        """Let a PC and its neighbour change places, each with its layers; nobody comes before this PC."""
        to = place + by
        if min(place, to) < 1 or max(place, to) >= len(self.nodes):
            return self
        nodes, counts = list(self.nodes), list(self.counts)
        nodes[place], nodes[to] = nodes[to], nodes[place]
        counts[place], counts[to] = counts[to], counts[place]
        return Tiling(tuple(nodes), tuple(counts))

    def without(self, node: str) -> Tiling:
        """Take a PC out; the one before it gets its layers. This PC stays."""
        place = self.nodes.index(node)
        if place == 0:
            return self
        counts = list(self.counts)
        counts[place - 1] += counts.pop(place)
        return Tiling(self.nodes[:place] + self.nodes[place + 1 :], tuple(counts))

    def with_node(self, node: str) -> Tiling:
        """Add a PC at the end, with half of the layers of the one that has most; none where all have one."""
        most = max(self.counts)
        if most < 2 or node in self.nodes:
            return self
        place, half = self.counts.index(most), most // 2
        counts = (*self.counts[:place], most - half, *self.counts[place + 1 :], half)
        return Tiling((*self.nodes, node), counts)


def even(nodes: tuple[str, ...], layers: int) -> Tiling:
    """As alike as can be, with no more PCs than layers."""
    nodes = nodes[:layers]
    share, more = divmod(layers, len(nodes))
    return Tiling(nodes, tuple(share + (place < more) for place in range(len(nodes))))
