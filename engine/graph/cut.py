"""The cut itself: the graph of one span of layers, made in memory from the published model.

Nothing is rewritten on disk and no weight is touched; the shard's constants are the model's own, memory-mapped. The
tensor between stages crosses in the device's inference precision: then a split computes what the whole computes, bit
for bit, and the wire carries no more than the device knows.
"""

from __future__ import annotations

import numpy as np
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.graph.boundaries import Anatomy
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
    model = anatomy.snapshot.model
    inputs = [] if stage.entry is None else [_make_entry(anatomy, stage, wire)]
    results = model.get_results() if stage.exit is None else [_make_exit(anatomy, stage.exit, wire)]
    nodes, index = anatomy.snapshot.nodes, anatomy.snapshot.index
    inputs += [p for p in model.get_parameters() if index[p.get_name()] in stage.kept]
    sinks = [nodes[i] for i in stage.kept if anatomy.snapshot.kinds[i] == "Assign"]
    variables = [v for v in model.get_variables() if v.info.variable_id in stage.variables]
    shard = ov.Model(results, sinks, inputs, variables, f"{model.get_friendly_name()} {span}")
    _copy_runtime_options(model, shard)
    return shard


def _make_entry(anatomy: Anatomy, stage: StageView, wire: ElementType) -> ov.Node:
    """Put a Parameter in the entry's place and answer the shapes that lie outside from it; returns the Parameter."""
    assert stage.entry is not None
    snapshot = anatomy.snapshot
    boundary = snapshot.nodes[stage.entry].output(0)
    entry = op.parameter(ov.PartialShape([-1, -1, anatomy.hidden]), OV_TYPES[wire], name=ENTRY)
    entry.output(0).set_names({ENTRY})
    hidden = entry if wire is ElementType.F32 else op.convert(entry, "f32")
    cache = _gathered(anatomy, anatomy.states[stage.span.first][0])
    sizes = op.shape_of(hidden, "i64")
    for i in stage.token_shapes:
        _answer_shape(snapshot.nodes[i], sizes)
    for i in stage.past_shapes:
        snapshot.nodes[i].input(0).replace_source_output(cache)
    for port in list(boundary.get_target_inputs()):
        port.replace_source_output(hidden.output(0))
    return entry


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


def _answer_shape(shape_of: ov.Node, sizes: ov.Node) -> None:
    """Replace a ShapeOf of a tensor outside: its two dynamic dimensions are batch and tokens, the rest is static."""
    axes = iter((0, 1))
    parts = [
        op.gather(sizes, op.constant(np.array([next(axes)], np.int64)), op.constant(np.int64(0)))
        if dimension.is_dynamic
        else op.constant(np.array([dimension.get_length()], np.int64))
        for dimension in shape_of.input(0).get_source_output().get_partial_shape()
    ]
    shape = op.concat(parts, 0)
    wanted = shape_of.output(0).get_element_type()
    value = shape if wanted == ov.Type.i64 else op.convert(shape, wanted.get_type_name())
    for port in list(shape_of.output(0).get_target_inputs()):
        port.replace_source_output(value.output(0))


def _copy_runtime_options(source: ov.Model, target: ov.Model) -> None:
    """Options such as an activations scale factor travel in rt_info."""
    if source.has_rt_info("runtime_options"):
        for name, value in source.get_rt_info("runtime_options").astype(dict).items():
            target.set_rt_info(value, ["runtime_options", name])
