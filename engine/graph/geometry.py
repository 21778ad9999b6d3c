"""The geometry of a shard: all that it computes from positions alone, apart from the values it computes from tokens.

Masks, rotary tables, linear biases and learned position embeddings follow from where a token stands and how much lies
before it. A graph of fixed shapes, with several sequences in one input and a cache that is a ring, cannot work them
out; so they are cut off, evaluated on the host for one segment at a time, and handed to the static graph as inputs.
What a model masks (a sliding window, chunks, a bias by distance) thereby stays its own business.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.errors import NoStaticForm
from idlepool.engine.graph.boundaries import ATTENTION
from idlepool.engine.graph.dimensions import ATTENTION_MASK, PAST, POSITIONS, Length, Shape
from idlepool.engine.graph.snapshot import TOKEN_INPUTS, Snapshot

MASK_ARGUMENT = 3
"""Where ScaledDotProductAttention takes its mask."""

TOKENS_INPUT, PAST_INPUT = "tokens", "past"
"""Inputs of the geometry's own graph, `[1]` int64: how many tokens, from which position on."""

SMALL_CONSTANT = 4096
"""Elements up to which two constants are compared by value; larger ones only by name."""

_GROWING = frozenset({Length.PAST, Length.TOTAL})

Tensor = tuple[int, int]
"""An output of a node: the node's index and the output's."""

Argument = tuple[int, int]
"""An input of a node: the node's index and the input's."""


@dataclass(frozen=True, slots=True)
class GeometryPort:
    """One tensor that the geometry hands to the values."""

    tensor: Tensor
    shape: Shape
    """Of the static graph's input: one axis is Length.TOKENS; a mask's last one is Length.TOTAL."""
    arguments: tuple[Argument, ...]
    """The inputs of nodes that read it."""
    is_attention_mask: bool
    """Whether it is the mask of a ScaledDotProductAttention: float32 and four axes, whatever the model's own has."""


def find_geometry(snapshot: Snapshot, shapes: list[tuple[Shape, ...]]) -> tuple[GeometryPort, ...]:
    """The tensors that a stateless shard computes from positions and reads beside its tokens.

    Raises:
        NoStaticForm: what it reads depends on the past without belonging to a token.
    """
    values = _values(snapshot)
    remembering = _remembering(snapshot, shapes, values)
    keys = _Keys(snapshot, shapes, values)
    arguments: dict[tuple[int, int, bool], list[Argument]] = {}
    tensors: dict[tuple[int, int, bool], Tensor] = {}
    for user in sorted(values):
        for place, port in enumerate(snapshot.nodes[user].inputs()):
            tensor = snapshot.feeds[user][place], port.get_source_output().get_index()
            if tensor[0] in remembering and _changes(snapshot, tensor, shapes):
                is_mask = snapshot.kinds[user] == ATTENTION and place == MASK_ARGUMENT
                key = keys.of(tensor[0]), tensor[1], is_mask
                tensors.setdefault(key, tensor)
                arguments.setdefault(key, []).append((user, place))
    ports = tuple(_port(snapshot, shapes, tensors[key], tuple(arguments[key]), is_mask=key[2]) for key in tensors)
    _check_masks(snapshot, shapes, ports)
    return ports


def _check_masks(snapshot: Snapshot, shapes: list[tuple[Shape, ...]], ports: tuple[GeometryPort, ...]) -> None:
    """An attention whose mask is not ours to replace would see the other sequences in the same input."""
    masked = {user for port in ports if Length.TOTAL in port.shape for user, _ in port.arguments}
    products = frozenset(snapshot.of_kind("MatMul"))
    for i in snapshot.of_kind(ATTENTION, "Softmax"):
        if snapshot.kinds[i] == ATTENTION:
            scored = {i}
        elif Length.TOTAL in shapes[snapshot.feeds[i][0]][0]:
            scored = snapshot.ancestors([i], products)
        else:
            continue  # of another kind: a choice of experts
        if scored.isdisjoint(masked):
            raise NoStaticForm(f"{snapshot.nodes[i].get_friendly_name()} takes no mask that follows from positions")


def _values(snapshot: Snapshot) -> frozenset[int]:
    """Nodes that carry what was computed from tokens: from this step's or, through the caches, from earlier ones."""
    caches = [i for i in snapshot.of_kind("Parameter") if snapshot.nodes[i].get_friendly_name().startswith(PAST)]
    tokens = snapshot.parameter(*TOKEN_INPUTS)
    assert tokens is not None
    return frozenset().union(*(snapshot.fed_by(i) for i in [tokens, *caches]))


def _remembering(snapshot: Snapshot, shapes: list[tuple[Shape, ...]], values: frozenset[int]) -> frozenset[int]:
    """Nodes outside the values whose result depends on positions or on how much lies before them."""
    sources = {snapshot.parameter(ATTENTION_MASK), snapshot.parameter(POSITIONS)}
    found: set[int] = set()
    for i, kind in enumerate(snapshot.kinds):
        if i in values:
            continue
        feeds = snapshot.feeds[i]
        if kind == "ShapeOf":
            depends = not _GROWING.isdisjoint(_shape_read(snapshot, shapes, i))
        elif kind == "Gather" and snapshot.kinds[feeds[0]] == "ShapeOf" and snapshot.kinds[feeds[1]] == "Constant":
            read = _shape_read(snapshot, shapes, feeds[0])
            depends = any(read[int(axis)] in _GROWING for axis in snapshot.nodes[feeds[1]].data.reshape(-1))
        else:
            depends = i in sources or not found.isdisjoint(feeds)
        if depends:
            found.add(i)
    return frozenset(found)


def _shape_read(snapshot: Snapshot, shapes: list[tuple[Shape, ...]], shape_of: int) -> Shape:
    source = snapshot.nodes[shape_of].input(0).get_source_output()
    return shapes[snapshot.feeds[shape_of][0]][source.get_index()]


def _changes(snapshot: Snapshot, tensor: Tensor, shapes: list[tuple[Shape, ...]]) -> bool:
    """Whether the tensor is data for each token; else it is a shape, which a static graph has as a constant.

    Raises:
        NoStaticForm: it is neither.
    """
    node = snapshot.nodes[tensor[0]]
    if any(isinstance(size, Length) for size in shapes[tensor[0]][tensor[1]]):
        return True
    if node.output(tensor[1]).get_element_type().is_integral():
        return False
    raise NoStaticForm(f"{node.get_friendly_name()} depends on the number of tokens before")


def _port(
    snapshot: Snapshot, shapes: list[tuple[Shape, ...]], tensor: Tensor, arguments: tuple[Argument, ...], *, is_mask: bool
) -> GeometryPort:
    shape = list(shapes[tensor[0]][tensor[1]])
    if is_mask:
        shape = [1] * (4 - len(shape)) + shape
    if Length.TOTAL in shape and Length.TOKENS not in shape and shape[shape.index(Length.TOTAL) - 1] == 1:
        # One row for all tokens of a sequence: several sequences in one input need their own.
        shape[shape.index(Length.TOTAL) - 1] = Length.TOKENS
    lengths = [size for size in shape if isinstance(size, Length)]
    if lengths not in ([Length.TOKENS], [Length.TOKENS, Length.TOTAL]) or (Length.TOTAL in lengths[:-1]):
        name = snapshot.nodes[tensor[0]].get_friendly_name()
        raise NoStaticForm(f"{name} has the shape [{', '.join(map(str, shape))}]")
    return GeometryPort(tensor, tuple(shape), arguments, is_mask)


class _Keys:
    """Numbers for nodes; two nodes that compute the same get the same number.

    Exporters repeat a mask or a rotary table in every layer: it is evaluated and handed over once.
    """

    def __init__(self, snapshot: Snapshot, shapes: list[tuple[Shape, ...]], values: frozenset[int]) -> None:
        self._snapshot, self._shapes, self._values = snapshot, shapes, values
        self._numbers: dict[object, int] = {}
        self._of: dict[int, int] = {}

    def of(self, node: int) -> int:
        for i in sorted(self._snapshot.ancestors([node], self._values | frozenset(self._of))):
            if i not in self._of:
                self._of[i] = self._numbers.setdefault(self._description(i), len(self._numbers))
        return self._of[node]

    def _description(self, i: int) -> object:
        kind, node = self._snapshot.kinds[i], self._snapshot.nodes[i]
        if kind == "Constant" and node.data.size <= SMALL_CONSTANT:
            return kind, node.get_element_type().get_type_name(), tuple(node.get_output_shape(0)), node.data.tobytes()
        if kind in ("Constant", "Parameter") or i in self._values:
            return kind, node.get_name()
        if kind == "ShapeOf":
            return kind, node.get_output_element_type(0).get_type_name(), _shape_read(self._snapshot, self._shapes, i)
        feeds = tuple(
            (self._of[source], port.get_source_output().get_index())
            for source, port in zip(self._snapshot.feeds[i], node.inputs(), strict=True)
        )
        return kind, repr(sorted(node.get_attributes().items())), feeds


def geometry_model(
    snapshot: Snapshot, shapes: list[tuple[Shape, ...]], ports: tuple[GeometryPort, ...]
) -> ov.Model:
    """The graph that evaluates the ports' tensors, in their order; consumes the snapshot's model.

    Inputs, as far as they are read: `attention_mask [1, past + tokens]`, `position_ids [1, tokens]`, `tokens [1]`,
    `past [1]`, all int64.
    """
    values = _values(snapshot)
    inputs = [op.parameter(ov.PartialShape([1]), ov.Type.i64, name=name) for name in (TOKENS_INPUT, PAST_INPUT)]
    for parameter, name in zip(inputs, (TOKENS_INPUT, PAST_INPUT), strict=True):
        parameter.output(0).set_names({name})
    for i in snapshot.of_kind("ShapeOf"):
        if snapshot.feeds[i][0] in values:
            _answer(snapshot.nodes[i], _shape_read(snapshot, shapes, i), *inputs)
    results = [op.result(snapshot.nodes[node].output(index)) for node, index in (port.tensor for port in ports)]
    candidates = [*inputs, *snapshot.model.get_parameters()]
    kept = reached(results)
    return ov.Model(results, [p for p in candidates if p.get_name() in kept], "geometry")


def _answer(shape_of: ov.Node, shape: Shape, tokens: ov.Node, past: ov.Node) -> None:
    """Replace the ShapeOf of a tensor that is not here by what it would say."""
    lengths = {Length.TOKENS: tokens, Length.PAST: past, Length.TOTAL: op.add(past, tokens)}
    parts = [lengths[d] if isinstance(d, Length) else op.constant(np.array([d], np.int64)) for d in shape]
    answer = op.convert(op.concat(parts, 0), shape_of.get_output_element_type(0).get_type_name())
    for user in list(shape_of.output(0).get_target_inputs()):
        user.replace_source_output(answer.output(0))


def reached(results: list[ov.Node]) -> set[str]:
    """Names of all nodes that the results are computed from."""
    seen: set[str] = set()
    stack = list(results)
    while stack:
        node = stack.pop()
        if node.get_name() not in seen:
            seen.add(node.get_name())
            stack.extend(port.get_source_output().get_node() for port in node.inputs())
    return seen
