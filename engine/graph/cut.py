"""The cut itself: the graph of one span of layers, made in memory from the published model.

Nothing is rewritten on disk and no weight is touched; the shard's constants are the model's own, memory-mapped. The
tensor between stages crosses in the device's inference precision: then a split computes what the whole computes, bit
for bit, and the wire carries no more than the device knows.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.graph.boundaries import Anatomy
from idlepool.engine.graph.sizes import Extent, Size, growing_axis
from idlepool.engine.graph.view import StageView, view
from idlepool.engine.types import ElementType, Span

ENTRY = "inputs_embeds"
"""Name of a later stage's input: the PagedAttention transformation accepts only this one or input_ids."""

EXIT = "hidden_states"
"""Name of an earlier stage's output."""

OV_TYPES = {ElementType.F32: ov.Type.f32, ElementType.F16: ov.Type.f16, ElementType.BF16: ov.Type.bf16}


def cut(anatomy: Anatomy, span: Span, *, wire: ElementType) -> ov.Model:
    """The model of layers `[first, last)`; consumes the anatomy's model, which must not be used afterwards.

    Inputs: `input_ids [batch, tokens]` in the first stage, `inputs_embeds [batch, tokens, hidden]` of type `wire` in
    later ones, and those of attention_mask, position_ids and beam_idx that the layers read. Output: `hidden_states
    [batch, tokens, hidden]` of type `wire`, or the model's own logits in the last stage.

    Raises:
        ModelCannotBeCut: see view().
    """
    stage = view(anatomy, span)
    snapshot = anatomy.snapshot
    model = snapshot.model
    inputs: list[ov.Node] = []
    start = snapshot.nodes[anatomy.tokens].output(0)
    if stage.entry is not None:
        inputs, start = _make_entry(anatomy, stage.entry, wire)
    _answer_shapes(anatomy, stage, start)
    results = model.get_results() if stage.exit is None else [_make_exit(anatomy, stage.exit, wire)]
    inputs += [p for p in model.get_parameters() if snapshot.index[p.get_name()] in stage.kept]
    sinks = [snapshot.nodes[i] for i in stage.kept if snapshot.kinds[i] == "Assign"]
    variables = [v for v in model.get_variables() if v.info.variable_id in stage.variables]
    shard = ov.Model(results, sinks, inputs, variables, f"{model.get_friendly_name()} {span}")
    _copy_runtime_options(model, shard)
    return shard


def _make_entry(anatomy: Anatomy, boundary: int, wire: ElementType) -> tuple[list[ov.Node], ov.Output]:
    """Put a Parameter in the boundary's place; returns it, and its value in f32."""
    entry = op.parameter(ov.PartialShape([-1, -1, anatomy.hidden]), OV_TYPES[wire], name=ENTRY)
    entry.output(0).set_names({ENTRY})
    hidden = entry if wire is ElementType.F32 else op.convert(entry, "f32")
    for port in list(anatomy.snapshot.nodes[boundary].output(0).get_target_inputs()):
        port.replace_source_output(hidden.output(0))
    return [entry], hidden.output(0)


def _answer_shapes(anatomy: Anatomy, stage: StageView, start: ov.Output) -> None:
    """Put what each foreign ShapeOf would say in its place: counted on the stage's input and its first cache."""
    if not stage.foreign_shapes:
        return
    read = anatomy.states[stage.span.first][0]
    past = growing_axis(anatomy.snapshot.variable(read), anatomy.snapshot.nodes[read].get_output_partial_shape(0))
    counts = {
        Size.BATCH: _dimension(start, 0),
        Size.TOKENS: _dimension(start, 1),
        Size.PAST: _dimension(_gathered(anatomy, read), past),
    }
    for foreign in stage.foreign_shapes:
        shape_of = anatomy.snapshot.nodes[foreign.node].output(0)
        shape = op.concat([_length(extent, counts) for extent in foreign.extents], 0)
        wanted = shape_of.get_element_type()
        answer = shape if wanted == ov.Type.i64 else op.convert(shape, wanted.get_type_name())
        for port in list(shape_of.get_target_inputs()):
            port.replace_source_output(answer.output(0))


def _dimension(tensor: ov.Output, axis: int) -> ov.Node:
    """`[1]` int64."""
    return op.gather(op.shape_of(tensor, "i64"), op.constant(np.array([axis], np.int64)), op.constant(np.int64(0)))


def _length(extent: Extent, counts: dict[Size, ov.Node]) -> ov.Node:
    """`[1]` int64."""
    if isinstance(extent, int):
        return op.constant(np.array([extent], np.int64))
    return reduce(op.add, (counts[size] for size in extent))


def _make_exit(anatomy: Anatomy, exit_: int, wire: ElementType) -> ov.Node:
    """A Result of type `wire` at the boundary.

    Without the explicit Convert the plugin keeps the last residual sum in f32, and the next stage starts from another
    rounding than the unsplit model's.
    """
    boundary = anatomy.snapshot.nodes[exit_].output(0)
    value = boundary if wire is ElementType.F32 else op.convert(boundary, wire.value).output(0)
    result = op.result(value)
    result.output(0).set_names({EXIT})
    return result


def _gathered(anatomy: Anatomy, read: int) -> ov.Output:
    """A layer's cache after its beam_idx Gather, where it has one."""
    snapshot = anatomy.snapshot
    gathers = [user for user in snapshot.uses[read] if snapshot.kinds[user] == "Gather"]
    return snapshot.nodes[gathers[0] if gathers else read].output(0)


def _copy_runtime_options(source: ov.Model, target: ov.Model) -> None:
    """Options such as an activations scale factor travel in rt_info."""
    if source.has_rt_info("runtime_options"):
        for name, value in source.get_rt_info("runtime_options").astype(dict).items():
            target.set_rt_info(value, ["runtime_options", name])
