"""What a span of layers needs of the whole graph, decided without touching it.

Exporters share shape computations across layers: the mask may read the past length from layer 0's cache, an MLP in
layer 20 the number of tokens from layer 0's input. A stage that has neither can still say what they would: sequences
and tokens it counts on its own input, the past on its own first cache.
"""

from __future__ import annotations

from dataclasses import dataclass

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.boundaries import Anatomy
from idlepool.engine.graph.sizes import Extent
from idlepool.engine.types import Span


@dataclass(frozen=True, slots=True)
class ForeignShape:
    """A ShapeOf of a tensor that the stage does not have."""

    node: int
    extents: tuple[Extent, ...]
    """What it would say."""


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
    foreign_shapes: tuple[ForeignShape, ...]
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
    shapes = _shapes_outside(anatomy, entry, span)
    kept = snapshot.ancestors(roots, shapes | ({entry} if entry is not None else frozenset()))
    _check_inside(anatomy, kept - {entry}, span)
    foreign = tuple(_foreign_shape(anatomy, i) for i in sorted(shapes & kept))
    return StageView(span, entry, exit_, frozenset(kept - {entry}), foreign, variables)


def _shapes_outside(anatomy: Anatomy, entry: int | None, span: Span) -> frozenset[int]:
    """The ShapeOf nodes that read what other stages compute or keep."""
    snapshot = anatomy.snapshot
    others = [
        read
        for layer, reads in enumerate(anatomy.states)
        if layer not in range(span.first, span.last)
        for read in reads
    ]
    roots = others if entry is None else [anatomy.tokens, *others]
    outside = snapshot.fed_by(*roots, stop=frozenset() if entry is None else frozenset([entry]))
    return frozenset(i for i in snapshot.of_kind("ShapeOf") if snapshot.feeds[i][0] in outside)


def _check_inside(anatomy: Anatomy, kept: set[int], span: Span) -> None:
    """That the stage reads neither tokens nor caches that it does not have."""
    snapshot = anatomy.snapshot
    if span.first and anatomy.tokens in kept:
        raise ModelCannotBeCut(f"layers {span} read the token ids again")
    own = {read for layer in span for read in anatomy.states[layer]}
    foreign = sorted(snapshot.variable(i) for i in kept if snapshot.kinds[i] == "ReadValue" and i not in own)
    if foreign:
        raise ModelCannotBeCut(f"layers {span} read the cache of other layers ({', '.join(foreign[:3])})")


def _foreign_shape(anatomy: Anatomy, shape_of: int) -> ForeignShape:
    source = anatomy.snapshot.nodes[shape_of].input(0).get_source_output()
    extents = anatomy.symbols.extents(source)
    known = tuple(extent for extent in extents if extent is not None)
    if not extents or len(known) < len(extents):
        raise ModelCannotBeCut(
            f"a layer reads the shape of {source.get_node().get_friendly_name()} ({source.get_partial_shape()}) in "
            "another one, and what its dimensions count cannot be told"
        )
    return ForeignShape(shape_of, known)
