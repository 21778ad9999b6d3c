"""Putting a GGUF file's own values into a graph that was made of it, and comparing them afterwards.

The graph of openvino-genai's reader is right but its weights are not: each block's minimum is rounded to a whole zero
point, an error of 8 %. An exported graph has the file's values as f32, six times their size. Here every weight becomes
int8, symmetric, with one f16 scale per group of 64 inputs: an error of 0.6 to 0.7 %.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import openvino as ov
import openvino.opset13 as op
from numpy.typing import NDArray

from idlepool.engine.errors import ConversionFailed, ConversionUnfaithful
from idlepool.engine.models.gguf_weights import GgufWeights, Place

GROUP = 64
"""Inputs that share a scale."""
MOST_ERROR = 0.01
"""Relative Frobenius error |converted - source| / |source| of a tensor that is still faithful."""

Count = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _GroupedWeight:
    """A weight in the reader's graph: (codes - zero points) * scales -> Reshape -> Convert to f32."""

    key: bytes
    """The f16 scales `[rows, blocks]`."""
    value: ov.Output
    """The f32 weight `[rows, columns]`."""


def replace_weights(model: ov.Model, source: GgufWeights, *, on_tensor: Count) -> dict[str, Place]:
    """Put the source's values in place of every weight of `model`; return where each quantised tensor went.

    Raises:
        ConversionFailed: a weight cannot be told, or a tensor of the source is not in the graph.
    """
    places, used, plain = source.places(), dict[str, Place](), set[str]()
    weights = list(_grouped_weights(model))
    for count, weight in enumerate(weights, 1):
        place = places.get(weight.key)
        if place is None or place.tensor in used:
            raise ConversionFailed("The GGUF file", f"{weight.value.get_node().get_friendly_name()} cannot be told")
        _replace(weight.value, place.tensor, _in_order(source, place))
        used[place.tensor] = place
        on_tensor(count, len(weights))
    for constant in _constants(model, ov.Type.f32):
        place = places.get(np.asarray(constant.get_data()).tobytes())
        if place is not None:
            plain.add(place.tensor)
            constant.set_friendly_name(place.tensor)
    _check_all_used(source, used.keys() | plain)
    return used


def replace_equal_weights(model: ov.Model, source: GgufWeights, *, on_tensor: Count) -> dict[str, Place]:
    """Put int8 in place of every f32 weight of `model`, each of which has the bytes of a tensor of the source; return
    where each tensor of two dimensions went.

    Raises:
        ConversionFailed: a weight has other values, or a tensor of the source is not in the graph.
    """
    names = {_digest(source.values(name)): name for name in source.names}
    used, plain = dict[str, Place](), set[str]()
    constants = _constants(model, ov.Type.f32)
    for count, constant in enumerate(constants, 1):
        values = np.asarray(constant.get_data())
        name = names.get(_digest(values))
        if name is None:
            if values.ndim == 2 and values.shape[1] >= GROUP:
                raise ConversionFailed("The GGUF file", f"{constant.get_friendly_name()} cannot be told")
        elif values.ndim == 2:
            _replace(constant.output(0), name, values)
            used[name] = Place(name, None)
        else:
            constant.set_friendly_name(name)
            plain.add(name)
        on_tensor(count, len(constants))
    _check_all_used(source, used.keys() | plain)
    return used


def compare_weights(model: ov.Model, source: GgufWeights, used: dict[str, Place], *, on_tensor: Count) -> float:
    """Compare every tensor of a model read back from disk with its source; return the largest error.

    Raises:
        ConversionUnfaithful: one is further from its source than MOST_ERROR.
    """
    constants = {node.get_friendly_name(): node for node in model.get_ops() if node.get_type_name() == "Constant"}
    worst = 0.0
    for count, name in enumerate(sorted(source.names), 1):
        if name in used:
            codes, scales = (_data(constants, f"{name}.{part}").astype(np.float32) for part in ("codes", "scales"))
            expected = _in_order(source, used[name])
            found = (codes * scales).reshape(expected.shape)
        else:
            expected = source.values(name)
            found = _data(constants, name).reshape(expected.shape)
        error = float(np.linalg.norm(found - expected) / np.linalg.norm(expected))
        if not error <= MOST_ERROR:  # also where it is not a number
            raise ConversionUnfaithful(name, error, MOST_ERROR)
        worst = max(worst, error)
        on_tensor(count, len(source.names))
    return worst


def quantise(values: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Codes `[rows, groups, GROUP]` and scales `[rows, groups, 1]` with codes * scales near `values` `[rows, columns]`.

    The scale maps the group's largest magnitude to 127. Smaller ones, that clip, gain a twentieth of the error at
    best, and nothing for a table that was int8 before.
    """
    groups = values.reshape(len(values), -1, GROUP)
    scales = (np.abs(groups).max(axis=2, keepdims=True) / np.float32(127)).astype(np.float16)
    divisors = np.where(scales == 0, np.float16(1), scales).astype(np.float32)
    return np.clip(np.rint(groups / divisors), -127, 127).astype(np.int8), scales


def _check_all_used(source: GgufWeights, used: set[str]) -> None:
    if unused := source.names - used:
        raise ConversionFailed("The GGUF file", f"{min(unused)} is not in the graph made from it")


def _digest(values: NDArray[np.float32]) -> bytes:
    return hashlib.sha256(np.ascontiguousarray(values).data).digest()


def _replace(value: ov.Output, name: str, values: NDArray[np.float32]) -> None:
    if values.shape[1] % GROUP:
        raise ConversionFailed("The GGUF file", f"{name} has {values.shape[1]} inputs, no multiple of {GROUP}")
    codes, scales = quantise(values)
    scaled = op.multiply(
        op.convert(op.constant(codes, name=f"{name}.codes"), "f16"), op.constant(scales, name=f"{name}.scales")
    )
    weight = op.convert(op.reshape(scaled, op.constant(np.array(values.shape, np.int64)), False), "f32", name=name)
    for target in value.get_target_inputs():
        target.replace_source_output(weight.output(0))


def _grouped_weights(model: ov.Model) -> Iterator[_GroupedWeight]:
    for constant in _constants(model, ov.Type.f16):
        node, path = constant, list[str]()
        while len(path) < 3 and len(node.output(0).get_target_inputs()) == 1:
            node = next(iter(node.output(0).get_target_inputs())).get_node()
            path.append(node.get_type_name())
        if path == ["Multiply", "Reshape", "Convert"]:
            yield _GroupedWeight(np.asarray(constant.get_data()).tobytes(), node.output(0))


def _constants(model: ov.Model, kind: ov.Type) -> list[ov.Node]:
    nodes = (node for node in model.get_ordered_ops() if node.get_type_name() == "Constant")
    return [node for node in nodes if node.get_element_type() == kind]


def _in_order(source: GgufWeights, place: Place) -> NDArray[np.float32]:
    values = source.values(place.tensor)
    return values if place.order is None else values[place.order]


def _data(constants: dict[str, ov.Node], name: str) -> NDArray[np.float32]:
    if name not in constants:
        raise ConversionFailed("The GGUF file", f"{name} is not in the graph that was written")
    return np.asarray(constants[name].get_data())
