"""The inputs of a request from step to step: memory that stays, written anew, instead of new tensors each time.

A decode step of a small model takes milliseconds, after which nothing of this is in the processor's caches; making and
setting eight tensors then takes half of one. Ports are known by number: OpenVINO searches all of them for a name, which
takes a tenth of a millisecond beside the caches of 30 layers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.tensors import hidden_tensor
from idlepool.engine.types import ElementType

Numbers = int | list[int] | range | list[range]
"""One, a row, or a row of rows; a list is left alone once it is given."""


def port_numbers(ports: Iterable[ov.ConstOutput]) -> dict[str, int]:
    """The number of each port, by its names."""
    return {name: number for number, port in enumerate(ports) for name in port.get_names()}


class StepInputs:
    """The inputs of `request`; names it does not have are ignored. Nothing may read them while they are written."""

    def __init__(self, request: ov.InferRequest) -> None:
        self._request = request
        self._numbers = port_numbers(request.model_inputs)
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        self._given: dict[str, Numbers] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._numbers

    def write(self, name: str, values: Numbers, kind: type[np.integer[Any]]) -> None:
        """Give whole numbers; what is given again, as most is while decoding, costs nothing."""
        if name in self._numbers and self._given.get(name) != values:
            self._given[name] = values
            self.write_array(name, np.array(values, kind))

    def write_array(self, name: str, array: npt.NDArray[Any]) -> None:
        """Give an array that is left alone from now on."""
        if name in self._numbers and self._changed(name, array):
            self._request.set_input_tensor(self._numbers[name], ov.Tensor(array, shared_memory=True))

    def write_hidden(self, name: str, rows: npt.NDArray[Any], wire: ElementType) -> None:
        """Give hidden states, values or words of type `wire`."""
        if self._changed(name, rows):
            rows = self._arrays[name] = np.array(rows)  # ours from now on
            self._request.set_input_tensor(self._numbers[name], hidden_tensor(rows, wire))

    def _changed(self, name: str, array: npt.NDArray[Any]) -> bool:
        """Write over the array held under that name; True where there is none of that shape: the new one is held."""
        held = self._arrays.get(name)
        if held is None or held.shape != array.shape:
            self._arrays[name] = array
            return True
        held[...] = array
        return False
