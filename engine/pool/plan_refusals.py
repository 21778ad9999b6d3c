"""Why there is no plan, for whoever asked for it: what is missing and what would do, or what is wrong with spans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from idlepool.engine.errors import NoRoom
from idlepool.engine.pool.plan_costs import Besides, PlanPc, Promise, SpanCosts
from idlepool.engine.types import Span

SHORT_CONTEXT = 2048
"""Tokens of a conversation that are not worth offering less than."""


def check_memory(spans: Sequence[Span], pcs: Sequence[PlanPc], costs: SpanCosts) -> None:
    """Raise NoRoom where a span does not fit the PC that it is chosen for."""
    for number, (pc, span) in enumerate(zip(pcs, spans, strict=True)):
        needed, room = float(costs.memory[span.first, span.last]), float(costs.room[number])
        if needed > room:
            raise NoRoom(
                f"Layers {span.first} to {span.last - 1} need {needed / 1e9:.1f} GB; {pc.name} has {room / 1e9:.1f} GB "
                "for them.",
                "Give it fewer layers.",
            )


def missing(layers: int, promise: Promise, besides: Besides, costs: SpanCosts) -> NoRoom:
    """What to say where the layers do not fit: how much is missing, and what would make it fit."""
    rooms = np.maximum(costs.room - besides.stage_bytes, 0.0)
    lent, needed = float(rooms.sum()), float(costs.memory[0, layers]) - besides.stage_bytes
    caches = promise.cache_bytes * promise.context * promise.users
    said = (
        f"The model needs {needed / 1e9:.1f} GB, {caches / 1e9:.1f} GB of it for conversations of "
        f"{promise.context} tokens, and the PCs here have {lent / 1e9:.1f} GB for it"
    )
    lack = needed - lent
    if lack <= 0 and any(kept_out.any() for kept_out in costs.kept_out):
        return NoRoom(f"{said}, but not room for its layers on their disks.", "Free some of them, or allow more there.")
    if lack <= 0:
        return NoRoom(f"{said}, in parts that its layers do not fit into.", "A PC that lends more would make it fit.")
    more = (lack + besides.stage_bytes) / (1 - besides.reserve)
    hint = f"Another PC that lends {more / 1e9:.1f} GB would make it fit"
    context = int((lent - (needed - caches)) / max(promise.cache_bytes * promise.users, 1))
    if context >= SHORT_CONTEXT:
        hint = f"{hint}, or conversations of {context} tokens"
    return NoRoom(f"{said}: {lack / 1e9:.1f} GB are missing.", f"{hint}, or a smaller model.")


def check_tiling(spans: Sequence[Span], layers: int, pcs: int) -> None:
    """Raise NoRoom where the spans are not the model, or not one for each PC."""
    if len(spans) != pcs:
        raise NoRoom(f"{len(spans)} spans were given for {pcs} PCs.", "Give each PC one span.")
    ends = [0, *(span.last for span in spans)]
    if ends[-1] != layers or any(span.first != end for span, end in zip(spans, ends, strict=False)):
        told = ", ".join(f"{span.first}-{span.last}" for span in spans)
        raise NoRoom(
            f"The spans {told} are not the {layers} layers of the model.",
            f"Begin with 0, end with {layers}, and let each span begin where the one before ends.",
        )
