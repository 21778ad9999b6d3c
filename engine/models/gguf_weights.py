"""The weights of a GGUF file by its own arithmetic, and what identifies each of them in a graph made from the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gguf import GGML_QUANT_SIZES, GGUFReader, ReaderTensor
from gguf.quants import dequantize
from numpy.typing import NDArray

from idlepool.engine.errors import ConversionFailed

_SCALE_FIRST = ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0")
"""Block formats whose blocks begin with their f16 scale (ggml-common.h)."""


@dataclass(frozen=True, slots=True)
class Place:
    """A tensor, and which of its rows stands at each row of a graph's constant."""

    tensor: str
    order: NDArray[np.intp] | None
    """`[rows]`; None: as in the file."""


class GgufWeights:
    """Reads one GGUF file, memory-mapped."""

    def __init__(self, path: Path) -> None:
        """Open the file. Raises ConversionFailed where it is no GGUF file."""
        try:
            self._reader = GGUFReader(path)
        except ValueError as error:
            raise ConversionFailed(path.name, f"it is no GGUF file ({error})") from error
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
        self._path = path

    @property
    def names(self) -> frozenset[str]:
        """Names of all tensors."""
        return frozenset(self._tensors)

    @property
    def architecture(self) -> str:
        """The family of the model, by the format's names: `llama`, `gemma3`."""
        return str(self._reader.fields["general.architecture"].contents())

    def setting(self, key: str) -> int | float:
        """A number of the file's metadata; `{arch}` in `key` stands for the architecture. Raises ConversionFailed."""
        field = self._reader.fields.get(key.replace("{arch}", self.architecture))
        value = field.contents() if field else None
        if not isinstance(value, int | float):
            raise ConversionFailed(self._path.name, f"its {key} is missing")
        return value

    def values(self, name: str) -> NDArray[np.float32]:
        """A tensor's values, `[rows, columns]` or `[columns]`, exactly as the format defines them."""
        tensor = self._tensors[name]
        data = np.asarray(tensor.data)  # each slice of a memory map costs ten times one of an array
        return np.asarray(dequantize(data, tensor.tensor_type), dtype=np.float32)

    def places(self) -> dict[bytes, Place | None]:
        """All tensors, by the bytes that a graph made from the file has of each; None where two have the same.

        For a quantised tensor these are its f16 block scales `[rows, blocks]`, in any order of rows that readers use;
        for another its f32 values.
        """
        found: dict[bytes, Place | None] = {}
        for name, tensor in self._tensors.items():
            for key, order in self._keys(tensor):
                found[key] = None if key in found else Place(name, order)
        return found

    def _keys(self, tensor: ReaderTensor) -> Iterator[tuple[bytes, NDArray[np.intp] | None]]:
        if tensor.tensor_type.name == "F32":
            yield tensor.data.tobytes(), None
            return
        if tensor.tensor_type.name not in _SCALE_FIRST:
            raise ConversionFailed(self._path.name, f"{tensor.name} has the type {tensor.tensor_type.name}")
        block_bytes = GGML_QUANT_SIZES[tensor.tensor_type][1]
        scales = tensor.data.reshape(len(tensor.data), -1, block_bytes)[:, :, :2]
        yield scales.tobytes(), None
        for heads in {self.setting("{arch}.attention.head_count"), self.setting("{arch}.attention.head_count_kv")}:
            if len(scales) % (2 * int(heads)) == 0:
                order = rotary_order(len(scales), int(heads))
                yield scales[order].tobytes(), order


def rotary_order(rows: int, heads: int) -> NDArray[np.intp]:
    """Rows of a llama query or key weight in the order of graphs that rotate halves; GGUF has the pairs side by side.

    The inverse of the permutation in llama.cpp's conversion (convert_hf_to_gguf.py, `permute`).
    """
    return np.arange(rows).reshape(heads, -1, 2).swapaxes(1, 2).ravel()
