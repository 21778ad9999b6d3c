"""Evaluates a shard's geometry on the host: what its layers take from positions, for a few rows of one sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.graph.dimensions import ATTENTION_MASK, POSITIONS
from idlepool.engine.graph.geometry_model import PAST_INPUT, TOKENS_INPUT

OPTIONS = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
"""Rotary tables of far positions need f32 on every device; the graph is too small for threads."""

_INPUTS = frozenset({ATTENTION_MASK, POSITIONS, TOKENS_INPUT, PAST_INPUT})


class HostGeometry:
    """The compiled geometry of one shard; not thread-safe."""

    def __init__(self, core: ov.Core, graph: ov.Model) -> None:
        compiled = core.compile_model(graph, "CPU", OPTIONS)
        self._request = compiled.create_infer_request()
        self._inputs = {name: port for port in compiled.inputs for name in port.get_names() if name in _INPUTS}

    def rows(self, start: int, count: int) -> list[npt.NDArray[Any]]:
        """The geometry's tensors for positions `[start, start + count)`, in the order of StaticForm.inputs.

        Masks have `start + count` columns, one for each position up to the end. Read them before the next call.
        """
        for name, port in self._inputs.items():
            self._request.set_tensor(port, ov.Tensor(_feed(name, port, start, count)))
        self._request.infer()
        return [tensor.data for tensor in self._request.output_tensors]


def _feed(name: str, port: ov.Output, start: int, count: int) -> npt.NDArray[Any]:
    dtype = port.get_element_type().to_dtype()
    if name == ATTENTION_MASK:
        return np.ones((1, start + count), dtype)
    if name == POSITIONS:
        shape = [1 if size.is_dynamic else size.get_length() for size in port.get_partial_shape()]
        return np.broadcast_to(np.arange(start, start + count, dtype=dtype), (*shape[:-1], count)).copy()
    return np.array([{TOKENS_INPUT: count, PAST_INPUT: start}[name]], dtype)
