"""What a dynamic dimension counts: sequences, new tokens, or positions held before them.

OpenVINO carries a symbol along with a dimension as long as nothing is computed with it. So the symbols are given out at
the inputs and the states, and any tensor of the graph can then be asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import openvino as ov
from openvino.op.util import VariableInfo

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.snapshot import TOKEN_INPUTS

BEAM_INPUT = "beam_idx"
"""What exporters call the input that says which sequence of the batch each one goes on from."""


class Size(StrEnum):
    """What a dimension may count."""

    BATCH = "batch"
    TOKENS = "tokens"
    PAST = "past"


Extent = int | tuple[Size, ...]
"""The length of a dimension: a number, or a sum of sizes (past and tokens, where a cache was extended)."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbol of each size in one model."""

    of: dict[Size, ov.Symbol]

    def extents(self, output: ov.Output) -> tuple[Extent | None, ...]:
        """What each dimension of a tensor counts; None where it cannot be told."""
        shape = output.get_partial_shape()
        return tuple(self._extent(output, axis) for axis in range(len(shape))) if shape.rank.is_static else ()

    def _extent(self, output: ov.Output, axis: int) -> Extent | None:
        dimension = output.get_partial_shape()[axis]
        if dimension.is_static:
            return int(dimension.get_length())
        for size, symbol in self.of.items():
            if dimension.has_symbol() and dimension.get_symbol() == symbol:
                return (size,)
        node = output.get_node()
        if node.get_type_name() == "Concat" and node.get_attributes()["axis"] % len(output.get_partial_shape()) == axis:
            return _sum([self._extent(port.get_source_output(), axis) for port in node.inputs()])
        return None


def _sum(parts: list[Extent | None]) -> Extent | None:
    sizes: list[Size] = []
    for part in parts:
        if not isinstance(part, tuple):
            return None
        sizes.extend(part)
    return tuple(sorted(sizes))


def name_sizes(model: ov.Model) -> Symbols:
    """Give out the symbols, in place; shapes stay what they are.

    Raises:
        ModelCannotBeCut: a state does not grow with the tokens.
    """
    symbols = Symbols({size: ov.Symbol() for size in Size})
    for parameter in model.get_parameters():
        names = parameter.output(0).get_names()
        if not names.isdisjoint(TOKEN_INPUTS):
            parameter.set_partial_shape(_named(parameter.get_partial_shape(), symbols, {0: Size.BATCH, 1: Size.TOKENS}))
        elif BEAM_INPUT in names:
            parameter.set_partial_shape(_named(parameter.get_partial_shape(), symbols, {0: Size.BATCH}))
    for variable in model.get_variables():
        info = VariableInfo()
        info.variable_id, info.data_type = variable.info.variable_id, variable.info.data_type
        past = growing_axis(variable.info.variable_id, variable.info.data_shape)
        info.data_shape = _named(variable.info.data_shape, symbols, {0: Size.BATCH, past: Size.PAST})
        variable.update(info)
    model.validate_nodes_and_infer_types()
    return symbols


def growing_axis(name: str, shape: ov.PartialShape) -> int:
    """The axis of a state that grows with the tokens: the only dynamic one beside axis 0, the sequences.

    Raises:
        ModelCannotBeCut: there is none; what does not grow cannot be taken back either.
    """
    growing = [axis for axis, size in enumerate(shape) if axis and size.is_dynamic] if shape.rank.is_static else []
    if len(growing) != 1:
        raise ModelCannotBeCut(f"its state {name} ({shape}) does not grow with the tokens")
    return growing[0]


def _named(shape: ov.PartialShape, symbols: Symbols, sizes: dict[int, Size]) -> ov.PartialShape:
    dimensions = list(shape)
    for axis, size in sizes.items():
        if dimensions[axis].is_dynamic:
            dimensions[axis].set_symbol(symbols.of[size])
    return ov.PartialShape(dimensions)
