"""One compiled static graph with its input buffers: fills them for a pack of pieces, runs, hands the rows back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.packing import Pack
from idlepool.engine.backends.ring import Positions
from idlepool.engine.backends.tensors import words
from idlepool.engine.graph.cut import ENTRY
from idlepool.engine.graph.dimensions import Length, Lengths
from idlepool.engine.graph.sampled_rows import ROWS
from idlepool.engine.graph.static import StaticInput

Array = npt.NDArray[Any]

BLOCKED = np.float32(np.finfo(np.float16).min)
"""What is added to the score of a position that is not seen: the lowest number that f16 knows, and no infinity."""


@dataclass(frozen=True, slots=True)
class PieceGeometry:
    """What a piece takes from its positions."""

    tensors: Sequence[Array]
    """In the order of the graph's StaticInputs; masks have a column for each position of the sequence so far."""
    columns: Positions
    """`[seen]`: the mask's columns of the static graph, slots first, then rows."""
    positions: Positions
    """`[seen]`: the positions that lie there."""
    seen: npt.NDArray[np.bool_]
    """`[rows, seen]`: which of them the ring lets a row see."""


class StaticStep:
    """A static graph of `lengths`, compiled; not thread-safe."""

    def __init__(
        self, compiled: ov.CompiledModel, inputs: tuple[StaticInput, ...], caches: dict[str, Array], *, lengths: Lengths
    ) -> None:
        """`caches` are the arrays behind the cache inputs, shared with the other steps."""
        self.lengths = lengths
        self._inputs = inputs
        self._request = compiled.create_infer_request()
        self._buffers: dict[str, Array] = {}
        for port in compiled.inputs:
            names = port.get_names()  # a plugin that drops a Reshape behind an input adds the names of its output
            buffer = next((caches[name] for name in names if name in caches), None)
            buffer = empty_like(port) if buffer is None else buffer
            self._request.set_tensor(port, ov.Tensor(buffer, port.get_shape(), port.get_element_type()))
            self._buffers |= dict.fromkeys(names, buffer)
        self._outputs = {name: port for port in compiled.outputs for name in port.get_names()}
        self._picks_rows = ROWS in self._buffers

    def run(self, pack: Pack, rows: Array, geometry: Sequence[PieceGeometry]) -> None:
        """Compute the pack's `rows`: ids `[rows]` or hidden states `[rows, hidden]`."""
        entry = self._buffers.get(ENTRY)
        # Rows that are not needed repeat the last one: whatever holds for its values holds for theirs.
        padded = np.concatenate([rows, np.repeat(rows[-1:], self.lengths.tokens - len(rows), axis=0)])
        (self._buffers["input_ids"] if entry is None else entry)[0] = padded
        if self._picks_rows:
            sampled = _sampled_rows(pack)
            self._buffers[ROWS][:] = 0
            self._buffers[ROWS][: len(sampled)] = sampled
        for number, static in enumerate(self._inputs):
            buffer = self._buffers[static.name]
            if static.is_mask:
                self._fill_mask(buffer, static, number, pack, geometry)
            else:
                self._fill(buffer, static, number, pack, geometry)
        self._request.infer()

    def hidden(self, count: int) -> Array:
        """`[count, hidden]`, a copy: the output of a stage before the last."""
        first: Array = words(self._request.get_output_tensor(0))[0, :count].copy()
        return first

    def logits(self, pack: Pack) -> npt.NDArray[np.float32]:
        """`[sampled rows, vocabulary]`, a copy: the output of the last stage."""
        whole: Array = self._request.get_output_tensor(0).data[0]
        sampled = _sampled_rows(pack)
        picked: npt.NDArray[np.float32] = (whole[: len(sampled)] if self._picks_rows else whole[sampled]).astype(
            np.float32
        )
        return picked

    def new_rows(self, name: str) -> Array:
        """The cache rows of this step's tokens, without a copy; 16-bit floats as words."""
        return words(self._request.get_tensor(self._outputs[name]))

    def _fill(
        self, buffer: Array, static: StaticInput, number: int, pack: Pack, geometry: Sequence[PieceGeometry]
    ) -> None:
        rows = np.moveaxis(buffer, static.shape.index(Length.TOKENS), 0)
        row = 0
        for piece, found in zip(pack, geometry, strict=True):
            values = np.moveaxis(found.tensors[number], static.shape.index(Length.TOKENS), 0)
            rows[row : row + piece.count] = values
            row += piece.count
        rows[row:] = rows[row - 1]

    def _fill_mask(
        self, buffer: Array, static: StaticInput, number: int, pack: Pack, geometry: Sequence[PieceGeometry]
    ) -> None:
        """The rows of each piece see its own sequence alone; a float mask is added to scores, a boolean one is true."""
        axes = static.shape.index(Length.TOKENS), static.shape.index(Length.TOTAL)
        rows = np.moveaxis(buffer, axes, (0, 1))
        blocked = np.asarray(False if buffer.dtype == np.bool_ else BLOCKED, buffer.dtype)
        rows[...] = blocked
        row = 0
        for piece, found in zip(pack, geometry, strict=True):
            own = found.tensors[number]
            own = np.moveaxis(own.reshape((1,) * (buffer.ndim - own.ndim) + own.shape), axes, (0, 1))
            values = _as_mask(own[:, found.positions], buffer.dtype)
            seen = found.seen.reshape(found.seen.shape + (1,) * (buffer.ndim - 2))
            rows[row : row + piece.count, found.columns] = np.where(seen, values, blocked)
            row += piece.count
        rows[row:] = rows[row - 1]


def empty_like(port: ov.Output) -> Array:
    """Zeros of a port's shape; 16-bit floats as words, since NumPy has no bf16."""
    kind = port.get_element_type()
    dtype = np.dtype(np.uint16) if kind in (ov.Type.bf16, ov.Type.f16) else kind.to_dtype()
    return np.zeros(tuple(port.get_shape()), dtype)


def _as_mask(values: Array, dtype: np.dtype[Any]) -> Array:
    """A model's own mask in the form of the static graph's."""
    if dtype == np.bool_:
        return values
    if values.dtype == np.bool_:
        return np.where(values, np.float32(0), BLOCKED)
    return np.maximum(values, BLOCKED)


def _sampled_rows(pack: Pack) -> list[int]:
    rows: list[int] = []
    end = 0
    for piece in pack:
        end += piece.count
        rows += range(end - piece.sample, end)
    return rows
