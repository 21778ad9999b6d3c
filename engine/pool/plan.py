"""Which layers each PC runs where somebody says how many PCs: pure, from what the model costs and what the PCs lend.

A pipeline is as fast as its slowest stage, so the spans are chosen such that the costliest is as cheap as possible; the
first PC is the one that asks, so that no token leaves it before the first layer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf

from idlepool.engine.errors import NoRoom
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.types import NodeId, Span

WORKING_MEMORY = 1.25
"""A stage takes its weights, its KV cache and the runtime's buffers; together about this multiple of the weights."""

HEAD_BYTES = 10_000_000
"""What the first PC does besides its layers, as weights that it could read meanwhile: a millisecond or two a step for
frames, links and text. It decides about a few layers of a small model, and of a large one about none."""


NOWHERE = (inf, inf)


@dataclass(frozen=True, slots=True)
class Lender:
    """A PC that could take layers."""

    node: NodeId
    name: str
    usable_bytes: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """One stage of a plan."""

    node: NodeId
    name: str
    span: Span
    device: str = ""
    """Of the PC; "": its first one."""


def plan(
    manifest: Manifest, lenders: Sequence[Lender], *, stages: int, head_bytes: int = HEAD_BYTES
) -> tuple[Assignment, ...]:
    """Spans for the first so many lenders, in their order; they tile the model.

    `head_bytes`: what the first one does besides, see HEAD_BYTES; a draft model that it runs counts as well.

    Raises:
        NoRoom: there are fewer lenders or layers than stages, or the layers do not fit their memory.
    """
    if stages > min(len(lenders), manifest.layers):
        raise NoRoom(
            f"The model has {manifest.layers} layers and {len(lenders)} PCs are here; {stages} stages were asked for.",
            "Ask for fewer, or wait for more PCs.",
        )
    spans = _spans(manifest, lenders[:stages], head_bytes if stages > 1 else 0)
    if spans is None:
        needed = WORKING_MEMORY * manifest.bytes_of(range(len(manifest.chunks)))
        lent = sum(pc.usable_bytes for pc in lenders[:stages])
        raise NoRoom(
            f"The model needs {needed / 1e9:.1f} GB and the first {stages} PCs here lend {lent / 1e9:.1f} GB.",
            "Without a number of stages all PCs share it.",
        )
    return tuple(Assignment(pc.node, pc.name, span) for pc, span in zip(lenders, spans, strict=False))


def _spans(manifest: Manifest, lenders: Sequence[Lender], head_bytes: int) -> list[Span] | None:
    """The tiling whose costliest span is cheapest, each within its lender's memory; None where there is none.

    Dynamic programming over (lenders used, layers placed): best[n] is the least possible cost of the costliest span
    when the lenders so far hold the layers [0, n), and with it the sum of the squares of all costs.
    """
    layers = manifest.layers
    cost = [0, *accumulate(manifest.layer_costs)]
    best = [(0.0, 0.0)] + [NOWHERE] * layers
    choices: list[list[int]] = []
    for number, lender in enumerate(lenders):
        besides = head_bytes if number == 0 else 0
        fits = _smallest_first(manifest, lender.usable_bytes)
        following = [NOWHERE] * (layers + 1)
        choice = [0] * (layers + 1)
        for last in range(1, layers + 1):
            for first in range(fits[last], last):
                own = cost[last] - cost[first] + besides
                # Where the head's own work is the costliest, the others still share evenly.
                both = max(best[first][0], own), best[first][1] + own * own
                if both < following[last]:
                    following[last], choice[last] = both, first
        best = following
        choices.append(choice)
    if best[layers] == NOWHERE:
        return None
    spans, last = [], layers
    for choice in reversed(choices):
        spans.append(Span(choice[last], last))
        last = choice[last]
    return spans[::-1]


def _smallest_first(manifest: Manifest, usable_bytes: int) -> list[int]:
    """For each `last` the smallest `first` such that the layers [first, last) fit into the memory; `last` if none does.

    A layer more never takes less, so the smallest first never falls as last grows: one window slides over the layers.
    """
    readers: Counter[int] = Counter()
    smallest, first, held = [0], 0, 0
    for last in range(1, manifest.layers + 1):
        for chunk in manifest.layer_chunks[last - 1]:
            held += manifest.chunks[chunk].length if not readers[chunk] else 0
            readers[chunk] += 1
        while first < last and WORKING_MEMORY * held > usable_bytes:
            for chunk in manifest.layer_chunks[first]:
                readers[chunk] -= 1
                held -= manifest.chunks[chunk].length if not readers[chunk] else 0
            first += 1
        smallest.append(first)
    return smallest
