"""The `beam_idx` Gather of each cache, which plugins fuse attention by: checked, and put in where an export lacks it.

CPU and GPU fuse cache and attention only where they find ReadValue -> Gather(beam_idx, axis 0) -> Concat ->
ScaledDotProductAttention for keys and for values. An export without the Gather computes the same, but copies the whole
cache at every token.
"""

from __future__ import annotations

import numpy as np
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.boundaries import ATTENTION
from idlepool.engine.graph.sizes import BEAM_INPUT, growing_axis
from idlepool.engine.graph.snapshot import TOKEN_INPUTS, Snapshot

BETWEEN = frozenset({"Convert", "Unsqueeze", "Broadcast", "Reshape", "Transpose", "Multiply", "Tile"})
"""What may stand between an extended cache and its attention: type, order of axes, heads repeated for their group."""

PAST_LENGTH = frozenset({"ShapeOf"})
"""What may read a cache besides: it says how long it is."""


def unfused_states(model: ov.Model) -> dict[str, str]:
    """For each state that the fusion cannot match the reason, by the state's name; empty in a good model.

    The model may be a whole one or a shard.
    """
    snapshot = Snapshot(model)
    beam = snapshot.parameter(BEAM_INPUT)
    faults = ((read, _fault(snapshot, read, beam)) for read in snapshot.of_kind("ReadValue"))
    return {snapshot.variable(read): fault for read, fault in faults if fault}


def inject_gathers(model: ov.Model) -> int:
    """Give each state the Gather and the initialiser that it lacks, in place; returns how many states were changed.

    What the model computes stays the same to the last bit: the Gather by `beam_idx` 0 takes the cache as it is, and an
    initialiser makes it empty. To be called before find_layers().

    Raises:
        ModelCannotBeCut: it has no token input to count sequences on, or a state that does not grow with the tokens.
    """
    snapshot = Snapshot(model)
    reads = snapshot.of_kind("ReadValue")
    bare = [i for i in reads if not snapshot.feeds[i]]
    ungathered = [i for i in reads if _gather(snapshot, i) is None]
    if not bare and not ungathered:
        return 0
    beam = _beam_input(snapshot)
    for i in bare:
        _initialise(snapshot, i)
    for i in ungathered:
        cache = snapshot.nodes[i].output(0)
        users = list(cache.get_target_inputs())
        gathered = op.gather(cache, beam, op.constant(np.int64(0)))
        for user in users:
            user.replace_source_output(gathered.output(0))
    model.validate_nodes_and_infer_types()
    return len({*bare, *ungathered})


def fused_layers(compiled: ov.CompiledModel) -> int:
    """How many attentions the CPU plugin runs together with their caches, read from its runtime graph."""
    nodes = compiled.get_runtime_model().get_ops()
    return sum(_layer_type(node) == ATTENTION and _reads_a_cache(node) for node in nodes)


def _layer_type(node: ov.Node) -> str:
    return str(node.get_rt_info()["layerType"].value)


def _reads_a_cache(node: ov.Node) -> bool:
    return any(_layer_type(port.get_source_output().get_node()) == "MemoryInput" for port in node.inputs())


def _gather(snapshot: Snapshot, read: int) -> int | None:
    """The Gather by `beam_idx` along axis 0 that a state's values go through."""
    beam = snapshot.parameter(BEAM_INPUT)
    for user in snapshot.uses[read]:
        if snapshot.kinds[user] == "Gather" and snapshot.feeds[user][:2] == [read, beam]:
            axis = snapshot.nodes[snapshot.feeds[user][2]]
            if axis.get_type_name() == "Constant" and not axis.data.any():
                return user
    return None


def _fault(snapshot: Snapshot, read: int, beam: int | None) -> str:
    """Why the fusion cannot match a state; "" where it can."""
    if not snapshot.feeds[read]:
        return "it has no initialiser"
    gather = _gather(snapshot, read)
    if gather is None or beam is None:
        return f"it is not gathered by {BEAM_INPUT}"
    extended = [user for user in snapshot.uses[gather] if snapshot.kinds[user] not in PAST_LENGTH]
    if len(extended) != 1 or snapshot.kinds[extended[0]] != "Concat":
        return "its Gather is not followed by one Concat alone"
    node = extended[0]
    while True:
        users = [user for user in snapshot.uses[node] if snapshot.kinds[user] not in PAST_LENGTH | {"Assign"}]
        if len(users) != 1:
            return f"{snapshot.nodes[node].get_friendly_name()} has {len(users)} consumers on the way to its attention"
        if snapshot.kinds[users[0]] == ATTENTION:
            return ""
        if snapshot.kinds[users[0]] not in BETWEEN:
            return f"it reaches a {snapshot.kinds[users[0]]} before any {ATTENTION}"
        node = users[0]


def _beam_input(snapshot: Snapshot) -> ov.Output:
    """The model's `beam_idx [batch]` int32, which is added where it has none."""
    found = snapshot.parameter(BEAM_INPUT)
    if found is not None:
        return snapshot.nodes[found].output(0)
    beam = op.parameter(ov.PartialShape([-1]), ov.Type.i32, name=BEAM_INPUT)
    beam.output(0).set_names({BEAM_INPUT})
    snapshot.model.add_parameters([beam])
    return beam.output(0)


def _initialise(snapshot: Snapshot, read: int) -> None:
    """Let a state start empty, with as many sequences as there are tokens of."""
    tokens = snapshot.parameter(*TOKEN_INPUTS)
    if tokens is None:
        raise ModelCannotBeCut("it has no input called input_ids or inputs_embeds")
    node = snapshot.nodes[read]
    shape = node.get_output_partial_shape(0)
    past = growing_axis(snapshot.variable(read), shape)
    sizes = op.shape_of(snapshot.nodes[tokens], "i64")
    lengths = [
        op.gather(sizes, op.constant(np.array([0], np.int64)), op.constant(np.int64(0)))
        if size.is_dynamic and axis != past
        else op.constant(np.array([0 if axis == past else size.get_length()], np.int64))
        for axis, size in enumerate(shape)
    ]
    zero = op.convert(op.constant(np.float32(0)), node.get_output_element_type(0).get_type_name())
    # Not a new ReadValue: the Assign of the state holds on to this one.
    node.set_arguments([op.broadcast(zero, op.concat(lengths, 0)).output(0)])
