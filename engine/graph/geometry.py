"""The geometry of a shard: all that it computes from positions alone, apart from the values it computes from tokens.

Masks, rotary tables, linear biases and learned position embeddings follow from where a token stands and how much lies
before it. A graph of fixed shapes, with several sequences in one input and a cache that is a ring, cannot work them
out; so they are cut off, evaluated on the host for one segment at a time, and handed to the static graph as inputs.
What a model masks (a sliding window, chunks, a bias by distance) thereby stays its own business.
"""

from __future__ import annotations

from dataclasses import dataclass

from idlepool.engine.errors import NoStaticForm
from idlepool.engine.graph.boundaries import ATTENTION
from idlepool.engine.graph.dimensions import ATTENTION_MASK, PAST, POSITIONS, Length, Measured, Shape, Tensor
from idlepool.engine.graph.same_tensors import Numbers
from idlepool.engine.graph.snapshot import TOKEN_INPUTS, Snapshot

MASK_ARGUMENT = 3
"""Where ScaledDotProductAttention takes its mask."""

_GROWING = frozenset({Length.PAST, Length.TOTAL})

Argument = tuple[int, int]
"""An input of a node: the node's index and the input's."""


@dataclass(frozen=True, slots=True)
class GeometryPort:
    """One tensor that the geometry hands to the values."""

    tensor: Tensor
    shape: Shape
    """Of the static graph's input: one axis is Length.TOKENS; a mask's later one is Length.TOTAL."""
    arguments: tuple[Argument, ...]
    """The inputs of nodes that read it."""
    is_attention_mask: bool
    """Whether it is the mask of a ScaledDotProductAttention: float32 and four axes, whatever the model's own has."""


def find_geometry(graph: Measured) -> tuple[GeometryPort, ...]:
    """The tensors that a stateless shard computes from positions and reads beside its tokens.

    Raises:
        NoStaticForm: what it reads depends on the past without belonging to a token, or an attention reads no mask.
    """
    snapshot = graph.snapshot
    values = values_of(snapshot)
    remembering = _remembering(graph, values)
    numbers = Numbers(graph, values)
    tensors: dict[tuple[int, int, bool], Tensor] = {}
    arguments: dict[tuple[int, int, bool], list[Argument]] = {}
    for user in sorted(values):
        for place, source in enumerate(snapshot.feeds[user]):
            tensor = graph.source(user, place)
            if source in remembering and _changes(graph, tensor):
                is_mask = snapshot.kinds[user] == ATTENTION and place == MASK_ARGUMENT
                key = numbers.of(source), tensor[1], is_mask
                tensors.setdefault(key, tensor)
                arguments.setdefault(key, []).append((user, place))
    ports = tuple(
        GeometryPort(tensor, _port_shape(graph, tensor, is_mask=key[2]), tuple(arguments[key]), key[2])
        for key, tensor in tensors.items()
    )
    _check_masks(graph, ports)
    return ports


def values_of(snapshot: Snapshot) -> frozenset[int]:
    """Nodes that carry what was computed from tokens: from this step's or, through the caches, from earlier ones."""
    caches = [i for i in snapshot.of_kind("Parameter") if snapshot.nodes[i].get_friendly_name().startswith(PAST)]
    tokens = snapshot.parameter(*TOKEN_INPUTS)
    assert tokens is not None
    return frozenset().union(*(snapshot.fed_by(i) for i in [tokens, *caches]))


def _remembering(graph: Measured, values: frozenset[int]) -> frozenset[int]:
    """Nodes outside the values whose result depends on positions or on how much lies before them."""
    snapshot = graph.snapshot
    found = {i for i in (snapshot.parameter(ATTENTION_MASK), snapshot.parameter(POSITIONS)) if i is not None}
    for i, kind in enumerate(snapshot.kinds):
        feeds = snapshot.feeds[i]
        if i in values:
            continue
        if kind == "ShapeOf":
            depends = not _GROWING.isdisjoint(graph.shape_read(i))
        elif kind == "Gather" and snapshot.kinds[feeds[0]] == "ShapeOf" and snapshot.kinds[feeds[1]] == "Constant":
            read = graph.shape_read(feeds[0])
            depends = any(read[int(axis)] in _GROWING for axis in snapshot.nodes[feeds[1]].data.reshape(-1))
        else:
            depends = not found.isdisjoint(feeds)
        if depends:
            found.add(i)
    return frozenset(found)


def _changes(graph: Measured, tensor: Tensor) -> bool:
    """Whether the tensor is data for each token; else it is a shape, which a static graph has as a constant."""
    if any(isinstance(size, Length) for size in graph.shape(tensor)):
        return True
    node = graph.snapshot.nodes[tensor[0]]
    if node.output(tensor[1]).get_element_type().is_integral():
        return False
    raise NoStaticForm(f"{node.get_friendly_name()} depends on the number of tokens before")


def _port_shape(graph: Measured, tensor: Tensor, *, is_mask: bool) -> Shape:
    shape = list(graph.shape(tensor))
    if is_mask:
        shape = [*([1] * (4 - len(shape))), *shape]
    if Length.TOTAL in shape and Length.TOKENS not in shape and shape[shape.index(Length.TOTAL) - 1] == 1:
        # One row for all tokens of a sequence: several sequences in one input need their own.
        shape[shape.index(Length.TOTAL) - 1] = Length.TOKENS
    lengths = [size for size in shape if isinstance(size, Length)]
    if lengths not in ([Length.TOKENS], [Length.TOKENS, Length.TOTAL]):
        name = graph.snapshot.nodes[tensor[0]].get_friendly_name()
        raise NoStaticForm(f"{name} has the shape [{', '.join(map(str, shape))}]")
    return tuple(shape)


def _check_masks(graph: Measured, ports: tuple[GeometryPort, ...]) -> None:
    """An attention whose mask is not ours to replace would see the other sequences in the same input."""
    snapshot = graph.snapshot
    masked = {user for port in ports if Length.TOTAL in port.shape for user, _ in port.arguments}
    products = frozenset(snapshot.of_kind("MatMul"))
    for i in snapshot.of_kind(ATTENTION, "Softmax"):
        if snapshot.kinds[i] == ATTENTION:
            scored = {i}
        elif Length.TOTAL in graph.shape_read(i):
            scored = snapshot.ancestors([i], products)
        else:
            continue  # a choice among something else, such as experts
        if scored.isdisjoint(masked):
            raise NoStaticForm(f"{snapshot.nodes[i].get_friendly_name()} takes no mask that follows from positions")
