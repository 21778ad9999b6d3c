"""One compiled static graph with its input buffers: fills them for a pack of pieces, runs, hands the rows back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.packing import Pack, sampled_rows
from idlepool.engine.backends.side_by_side import Array, PieceGeometry, lay_side_by_side
from idlepool.engine.backends.tensors import words
from idlepool.engine.graph.cut import ENTRY
from idlepool.engine.graph.dimensions import Lengths
from idlepool.engine.graph.sampled_rows import ROWS
from idlepool.engine.graph.static import StaticInput


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
            sampled = sampled_rows(pack)
            self._buffers[ROWS][:] = 0
            self._buffers[ROWS][: len(sampled)] = sampled
        for number, static in enumerate(self._inputs):
            lay_side_by_side(self._buffers[static.name], static, [(piece, piece.tensors[number]) for piece in geometry])
        self._request.infer()

    def hidden(self, count: int) -> Array:
        """`[count, hidden]`, a copy: the output of a stage before the last."""
        first: Array = words(self._request.get_output_tensor(0))[0, :count].copy()
        return first

    def logits(self, pack: Pack) -> npt.NDArray[np.float32]:
        """`[sampled rows, vocabulary]`, a copy: the output of the last stage."""
        whole: Array = self._request.get_output_tensor(0).data[0]
        sampled = sampled_rows(pack)
        picked = whole[: len(sampled)] if self._picks_rows else whole[sampled]
        return picked.astype(np.float32)

    def new_rows(self, name: str) -> Array:
        """The cache rows of this step's tokens, without a copy; 16-bit floats as words."""
        return words(self._request.get_tensor(self._outputs[name]))


def empty_like(port: ov.Output) -> Array:
    """Zeros of a port's shape; 16-bit floats as words, since NumPy has no bf16."""
    kind = port.get_element_type()
    dtype = np.dtype(np.uint16) if kind in (ov.Type.bf16, ov.Type.f16) else kind.to_dtype()
    return np.zeros(tuple(port.get_shape()), dtype)
