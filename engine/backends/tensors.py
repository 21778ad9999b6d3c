"""Hidden states between NumPy and OpenVINO. NumPy has no bf16: 16-bit floats are moved as words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.graph.cut import OV_TYPES
from idlepool.engine.types import ElementType


def words(tensor: ov.Tensor) -> npt.NDArray[Any]:
    """The tensor's data without a copy; 16-bit floats as uint16."""
    data: npt.NDArray[Any] = tensor.data
    return data.view(np.uint16) if data.dtype.itemsize == 2 else data


def hidden_tensor(rows: npt.NDArray[Any], wire: ElementType) -> ov.Tensor:
    """`rows`, values or words, as a tensor of their shape and of type `wire`; shares their memory where it can."""
    whole = np.ascontiguousarray(rows)
    return ov.Tensor(whole, ov.Shape(whole.shape), OV_TYPES[wire])


def words_of(values: npt.NDArray[np.float32], wire: ElementType) -> npt.NDArray[Any]:
    """Values as what `wire` carries: bf16 is the upper half of a float32, cut and not rounded."""
    match wire:
        case ElementType.BF16:
            return (np.ascontiguousarray(values).view(np.uint32) >> 16).astype(np.uint16)
        case ElementType.F16:
            return values.astype(np.float16).view(np.uint16)
    return values
