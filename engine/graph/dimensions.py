"""What the dynamic dimensions of a stateless shard mean: how many tokens are new, how many are held, or both together.

OpenVINO does not say. So a copy of the graph is given lengths that no other dimension has, and each dimension that
takes one of them is known by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import openvino as ov

from idlepool.engine.errors import NoStaticForm
from idlepool.engine.graph.sampled_rows import ROWS
from idlepool.engine.graph.snapshot import TOKEN_INPUTS, Snapshot

POSITIONS = "position_ids"
ATTENTION_MASK = "attention_mask"
PAST = "past."
"""Names of cache inputs start with it."""


class Length(StrEnum):
    """A dimension that changes from step to step."""

    TOKENS = "tokens"
    """Tokens of this step."""
    PAST = "past"
    """Positions held before it."""
    TOTAL = "total"
    """Both."""
    ROWS = "rows"
    """Rows whose logits are asked for."""


Shape = tuple[int | Length, ...]
"""The dimensions of a tensor; the batch is always 1."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Numbers for the dimensions that change."""

    tokens: int
    past: int
    rows: int = 1

    def of(self, dimension: int | Length) -> int:
        """The dimension as a number."""
        match dimension:
            case Length.TOKENS:
                return self.tokens
            case Length.PAST:
                return self.past
            case Length.TOTAL:
                return self.past + self.tokens
            case Length.ROWS:
                return self.rows
        return int(dimension)


_LENGTH_OF_INPUT = {
    **dict.fromkeys((*TOKEN_INPUTS, POSITIONS), Length.TOKENS),
    ATTENTION_MASK: Length.TOTAL,
    ROWS: Length.ROWS,
}

PROBE = Lengths(tokens=13, past=101, rows=7)
"""No multiple of one of them, or of their sum, is another. Small: an exporter's table of positions may be short."""


def fix_lengths(model: ov.Model, lengths: Lengths) -> None:
    """Give every input of a stateless shard that has none yet a static shape, in place.

    Raises:
        NoStaticForm: an input is not known here, or the graph does not allow these shapes.
    """
    # Not Model.reshape(): that also rewrites the graph.
    for parameter in model.get_parameters():
        parameter.set_partial_shape(_fixed(parameter.output(0), lengths))
    try:
        model.validate_nodes_and_infer_types()
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1].rstrip(".")
        raise NoStaticForm(f"their graph does not take fixed shapes ({reason})") from error


def _fixed(port: ov.Output, lengths: Lengths) -> ov.PartialShape:
    """The port's shape with its last dynamic dimension as long as its name says, and batch 1."""
    names, shape = port.get_names(), port.get_partial_shape()
    if shape.is_static:
        return shape
    lengths_named = [Length.PAST if name.startswith(PAST) else _LENGTH_OF_INPUT.get(name) for name in names]
    length = next((length for length in lengths_named if length is not None), None)
    if length is None:
        raise NoStaticForm(f"they read an input called {' or '.join(sorted(names))}")
    sizes = [size.get_length() if size.is_static else 1 for size in shape]
    sizes[max(axis for axis, size in enumerate(shape) if size.is_dynamic)] = lengths.of(length)
    return ov.PartialShape(sizes)


Tensor = tuple[int, int]
"""An output of a node: the node's index in a snapshot, and the output's."""


class Measured:
    """A stateless shard's graph and the shape of every tensor in it."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Raise NoStaticForm where fix_lengths() does, or where a rank depends on values."""
        self.snapshot = snapshot
        probe = snapshot.model.clone()
        fix_lengths(probe, PROBE)
        self._shapes = [
            [
                _named(before.get_partial_shape(), after.get_partial_shape())
                for before, after in zip(node.outputs(), probed.outputs(), strict=True)
            ]
            for node, probed in zip(snapshot.nodes, probe.get_ordered_ops(), strict=True)
        ]

    def shape(self, tensor: Tensor) -> Shape:
        """The shape of a tensor; -1 for a dimension that depends on values."""
        return self._shapes[tensor[0]][tensor[1]]

    def source(self, node: int, place: int) -> Tensor:
        """The tensor that a node reads at one of its inputs."""
        port = self.snapshot.nodes[node].input(place).get_source_output()
        return self.snapshot.feeds[node][place], int(port.get_index())

    def shape_read(self, node: int) -> Shape:
        """The shape of the first tensor that a node reads: what a ShapeOf says."""
        return self.shape(self.source(node, 0))


def _named(before: ov.PartialShape, after: ov.PartialShape) -> Shape:
    if after.rank.is_dynamic:
        raise NoStaticForm("the rank of a tensor depends on its values")
    lengths = {PROBE.of(length): length for length in Length}
    known = list(before) if before.rank.is_static else [ov.Dimension()] * len(after)
    sizes = [-1 if size.is_dynamic else size.get_length() for size in after]
    return tuple(lengths.get(size, size) if was.is_dynamic else size for was, size in zip(known, sizes, strict=True))
