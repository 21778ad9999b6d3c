"""A cut shard without states: its caches become inputs, and what a step adds to them becomes outputs.

First step on the way to a static graph. The caches stay with the caller, who may then keep them as it likes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.errors import NoStaticForm
from idlepool.engine.graph.cut import OV_TYPES
from idlepool.engine.graph.snapshot import Snapshot
from idlepool.engine.types import ElementType

BEAM = "beam_idx"


@dataclass(frozen=True, slots=True)
class CachePort:
    """One cache of one layer: the input that holds what was, the output that brings what is new."""

    past: str
    new: str
    axis: int
    """The axis along which positions lie, in both."""


def open_states(shard: ov.Model, *, wire: ElementType) -> tuple[CachePort, ...]:
    """Turn the states of a cut shard into ports of type `wire`, in place; the new rows come out, not the whole cache.

    Raises:
        NoStaticForm: a state is no cache that grows by appending.
    """
    snapshot = Snapshot(shard)
    assigns = {snapshot.variable(i): i for i in snapshot.of_kind("Assign")}
    ports = []
    for number, read in enumerate(snapshot.of_kind("ReadValue")):
        port = CachePort(f"past.{number}", f"new.{number}", _growing_axis(snapshot, read))
        _open(snapshot, read, assigns[snapshot.variable(read)], port, wire=wire)
        ports.append(port)
    for i in assigns.values():
        shard.remove_sink(snapshot.nodes[i])
    for variable in shard.get_variables():
        shard.remove_variable(variable)
    beam = snapshot.parameter(BEAM)
    if beam is not None:
        shard.remove_parameter(snapshot.nodes[beam])
    keep_past_length(snapshot)
    shard.validate_nodes_and_infer_types()
    return tuple(ports)


def _growing_axis(snapshot: Snapshot, read: int) -> int:
    shape = snapshot.nodes[read].get_output_partial_shape(0)
    return max(i for i, size in enumerate(shape) if size.is_dynamic)


def _open(snapshot: Snapshot, read: int, assign: int, port: CachePort, *, wire: ElementType) -> None:
    """Put an input in the place of one state's past, and an output at what is appended to it."""
    held = snapshot.nodes[read].output(0)
    kind = held.get_element_type()
    fresh = _appended(snapshot, read, assign, port.axis)
    shape = [size.get_length() if size.is_static else 1 for size in held.get_partial_shape()]
    shape[port.axis] = -1
    past = op.parameter(ov.PartialShape(shape), OV_TYPES[wire], name=port.past)
    past.output(0).set_names({port.past})
    value = past if kind == OV_TYPES[wire] else op.convert(past, kind.get_type_name())
    for i in _same_cache(snapshot, read):
        for user in list(snapshot.nodes[i].output(0).get_target_inputs()):
            user.replace_source_output(value.output(0))
    result = op.result(fresh if kind == OV_TYPES[wire] else op.convert(fresh, wire.value))
    result.output(0).set_names({port.new})
    snapshot.model.add_parameters([past])
    snapshot.model.add_results([result])


def _same_cache(snapshot: Snapshot, read: int) -> list[int]:
    """The ReadValue, after its Gather by beam_idx where it has one: with one beam the two are the same tensor."""
    beam = snapshot.parameter(BEAM)
    gathers = [i for i in snapshot.uses[read] if snapshot.kinds[i] == "Gather" and beam in snapshot.feeds[i]]
    return [*gathers, read]


def _appended(snapshot: Snapshot, read: int, assign: int, axis: int) -> ov.Output:
    """What a step appends to the cache: the second part of the Concat that is assigned."""
    grown = snapshot.feeds[assign][0]
    node = snapshot.nodes[grown]
    parts = snapshot.feeds[grown]
    appends = (
        snapshot.kinds[grown] == "Concat"
        and len(parts) == 2
        and parts[0] in _same_cache(snapshot, read)
        and int(node.get_attributes()["axis"]) % len(node.get_output_partial_shape(0)) == axis
    )
    if not appends:
        raise NoStaticForm(f"the state {snapshot.variable(read)} does not grow by appending")
    return node.input(1).get_source_output()


def keep_past_length(snapshot: Snapshot) -> None:
    """Let a two-way Broadcast keep the past's length: a target of 1 says so, some exporters write 0.

    With 0 it works only where the plugin removes the Broadcast; shape inference finds an empty tensor or none at all.
    """
    for i in snapshot.of_kind("Broadcast"):
        node = snapshot.nodes[i]
        target = node.input(1).get_source_output().get_node()
        if node.get_attributes()["mode"] != "bidirectional" or target.get_type_name() != "Concat":
            continue
        for port in target.inputs():
            part = port.get_source_output().get_node()
            if part.get_type_name() == "Constant" and part.data.size == 1 and not part.data.any():
                port.replace_source_output(op.constant(np.ones_like(part.data)).output(0))
