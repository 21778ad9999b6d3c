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
