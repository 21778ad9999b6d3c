"""Which layers each PC runs where somebody says how many PCs: pure, from what the model costs and what the PCs lend.

A pipeline is as fast as its slowest stage, so the spans are chosen such that the costliest is as cheap as possible; the
first PC is the one that asks, so that no token leaves it before the first layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from idlepool.engine.errors import NoRoom
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.pool.plan_search import Costs, evenest_in_this_order
from idlepool.engine.pool.span_bytes import SpanBytes
from idlepool.engine.types import NodeId, Span

WORKING_MEMORY = 1.25
"""A stage takes its weights, its KV cache and the runtime's buffers; together about this multiple of the weights."""

HEAD_BYTES = 10_000_000
"""What the first PC does besides its layers, as weights that it could read meanwhile: a millisecond or two a step for
frames, links and text. It decides about a few layers of a small model, and of a large one about none."""


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
    if not spans:
        needed = WORKING_MEMORY * manifest.bytes_of(range(len(manifest.chunks)))
        lent = sum(pc.usable_bytes for pc in lenders[:stages])
        raise NoRoom(
            f"The model needs {needed / 1e9:.1f} GB and the first {stages} PCs here lend {lent / 1e9:.1f} GB.",
            "Without a number of stages all PCs share it.",
        )
    return tuple(Assignment(pc.node, pc.name, span) for pc, span in zip(lenders, spans, strict=False))


def _spans(manifest: Manifest, lenders: Sequence[Lender], head_bytes: int) -> tuple[Span, ...]:
    """The tiling whose costliest span is cheapest, each within its lender's memory; none where there is none.

    Of those the one whose squares add up to least: where the head's own work is the costliest, the others still share
    evenly.
    """
    bytes_before = np.concatenate([[0.0], np.cumsum(manifest.layer_costs)])
    possible = np.triu(np.ones((manifest.layers + 1,) * 2, bool), 1)
    memory = WORKING_MEMORY * SpanBytes(manifest).besides(frozenset())
    costs = [
        np.where(
            possible & (memory <= lender.usable_bytes),
            bytes_before[None, :] - bytes_before[:, None] + (0 if number else head_bytes),
            np.inf,
        )
        for number, lender in enumerate(lenders)
    ]
    no_links = np.zeros((len(lenders),) * 2)
    return evenest_in_this_order(Costs(np.square(np.stack(costs)), no_links)).spans
