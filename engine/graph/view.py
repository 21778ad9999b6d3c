"""What a span of layers needs of the whole graph, decided without touching it.

Exporters share shape computations across layers: the mask may read the past length from layer 0's cache, an MLP in
layer 20 the number of tokens from layer 0's input. A later stage has neither, so such a ShapeOf is answered from what
the stage does have: its own first cache, or its own input.
"""

from __future__ import annotations

from dataclasses import dataclass

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.boundaries import Anatomy
from idlepool.engine.graph.snapshot import Snapshot
from idlepool.engine.types import Span


@dataclass(frozen=True, slots=True)
class StageView:
    """A span of layers inside the anatomy's graph; node indices throughout."""

    span: Span
    entry: int | None
    """The boundary whose output becomes the stage's input; None in the first stage."""
    exit: int | None
    """The boundary whose output leaves the stage; None in the last stage."""
    kept: frozenset[int]
    """All nodes of the stage, the entry not included."""
    past_shapes: tuple[int, ...]
    """ShapeOf nodes that read a cache of another stage: they mean the past length."""
    token_shapes: tuple[int, ...]
    """ShapeOf nodes that read a tensor of another stage: they mean `[batch, tokens]` and static widths."""
    variables: frozenset[str]
    """State variables of the stage's layers."""


def view(anatomy: Anatomy, span: Span) -> StageView:
    """The view of `span`.

    Raises:
        ModelCannotBeCut: the span reads a tensor of another stage that no input of its own can stand for.
    """
    snapshot = anatomy.snapshot
    if span.last > anatomy.layers:
        raise ValueError(f"{span} of {anatomy.layers} layers")
    entry = anatomy.cuts[span.first - 1] if span.first else None
    exit_ = anatomy.cuts[span.last - 1] if span.last < anatomy.layers else None
    variables = frozenset(snapshot.variable(read) for layer in span for read in anatomy.states[layer])
    roots = [exit_] if exit_ is not None else snapshot.of_kind("Result")
    roots += [i for i in snapshot.of_kind("Assign") if snapshot.variable(i) in variables]
    past: list[int] = []
    shapes: list[int] = []
    if entry is None:
        kept = snapshot.ancestors(roots)
    else:
        kept, past, shapes = _later_stage(anatomy, entry, roots, variables)
    foreign = [i for i in kept if snapshot.kinds[i] == "ReadValue" and snapshot.variable(i) not in variables]
    if foreign:
        names = ", ".join(sorted(snapshot.variable(i) for i in foreign)[:3])
        raise ModelCannotBeCut(f"layers {span} read the cache of other layers ({names})")
    return StageView(span, entry, exit_, frozenset(kept), tuple(past), tuple(shapes), variables)


def _later_stage(
    anatomy: Anatomy, entry: int, roots: list[int], variables: frozenset[str]
) -> tuple[set[int], list[int], list[int]]:
    """Kept nodes, past shapes and token shapes of a stage that starts at `entry`."""
    snapshot = anatomy.snapshot
    above = snapshot.fed_by(anatomy.tokens, stop=frozenset([entry]))
    past, shapes = [], []
    for i in snapshot.of_kind("ShapeOf"):
        source = snapshot.feeds[i][0]
        read = _read_value(snapshot, source)
        if read is not None and snapshot.variable(read) not in variables:
            past.append(i)
        elif source in above:
            shapes.append(i)
    walls = frozenset([entry, *past, *shapes])
    kept = snapshot.ancestors(roots, walls) - {entry}
    if anatomy.tokens in kept:
        raise ModelCannotBeCut("a later layer reads the token ids again")
    past = [i for i in past if i in kept]
    shapes = [i for i in shapes if i in kept]
    for i in shapes:
        _check_token_shape(anatomy, i)
    return kept, past, shapes


def _read_value(snapshot: Snapshot, source: int) -> int | None:
    """The ReadValue that `source` is, or gathers from by beam_idx."""
    if snapshot.kinds[source] == "ReadValue":
        return source
    if snapshot.kinds[source] == "Gather" and snapshot.kinds[snapshot.feeds[source][0]] == "ReadValue":
        return snapshot.feeds[source][0]
    return None


def _check_token_shape(anatomy: Anatomy, shape_of: int) -> None:
    snapshot = anatomy.snapshot
    source = snapshot.nodes[snapshot.feeds[shape_of][0]]
    shape = source.get_output_partial_shape(0)
    dynamic = [d for d in shape if d.is_dynamic] if shape.rank.is_static else []
    if len(dynamic) != 2:
        raise ModelCannotBeCut(
            f"a later layer reads the shape of {source.get_friendly_name()} ({shape}), which is not [batch, tokens]"
        )
