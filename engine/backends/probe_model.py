"""The model of the self-test: four layers of a llama with random int8 weights, built node by node, 3 MB.

It has what a device can get wrong in published models: weights in groups with a scale each, norms, rotary positions,
grouped-query attention over a stateful cache behind its `beam_idx` Gather, and one mask for all layers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as op
from openvino.op.util import Variable, VariableInfo

VERSION = 1
"""Raised with every change of the model: verdicts of another one say nothing about this."""

LAYERS = 4
VOCABULARY = 1024
HIDDEN = 256
HEADS = 4
KEY_HEADS = 2
HEAD = 64
INNER = 512
GROUP = 64
"""Weights along the input that share a scale."""


def build_probe(folder: Path) -> Path:
    """Write the probe's openvino_model.xml and .bin to `folder` and return the path of the graph."""
    graph = folder / "openvino_model.xml"
    ov.save_model(_Builder().model(), graph, compress_to_fp16=False)
    return graph


BRANCH_GAIN = 0.5
"""What a branch adds is smaller than what it is added to, as in trained models; else rounding is amplified."""


class _Builder:
    def __init__(self) -> None:
        self._random = np.random.default_rng(11)
        self._variables: list[Variable] = []
        self._sinks: list[ov.Node] = []
        self._ids = _input("input_ids", [-1, -1], ov.Type.i64)
        self._mask_in = _input("attention_mask", [-1, -1], ov.Type.i64)
        self._positions = _input("position_ids", [-1, -1], ov.Type.i64)
        self._beam = _input("beam_idx", [-1], ov.Type.i32)

    def model(self) -> ov.Model:
        """Logits `[batch, tokens, VOCABULARY]` from ids `[batch, tokens]`."""
        hidden = op.gather(self._weight(VOCABULARY, HIDDEN, HIDDEN**0.5), self._ids, _axis(0))
        rope = self._rope()
        caches = [(self._cache(f"{layer}.key"), self._cache(f"{layer}.value")) for layer in range(LAYERS)]
        mask = self._mask(caches[0][0])
        for layer in range(LAYERS):
            hidden = self._layer(layer, hidden, caches[layer], mask, rope)
        logits = self._linear(_norm(hidden), VOCABULARY, HIDDEN)
        logits.output(0).set_names({"logits"})
        inputs = [self._ids, self._mask_in, self._positions, self._beam]
        return ov.Model([op.result(logits)], self._sinks, inputs, self._variables, "self-test")

    def _weight(self, rows: int, columns: int, gain: float = 1.0) -> ov.Node:
        """int8 `[rows, groups, GROUP]` with an f16 scale for each group, as a matrix of variance gain² / columns."""
        codes = self._random.integers(-127, 128, (rows, columns // GROUP, GROUP), np.int8)
        scales = self._random.uniform(0.5, 1.5, (rows, columns // GROUP, 1)) * gain / (73.0 * columns**0.5)
        values = op.multiply(op.convert(op.constant(codes), "f16"), op.constant(scales.astype(np.float16)))
        return op.convert(op.reshape(values, op.constant([rows, columns]), False), "f32")

    def _linear(self, value: ov.Node, outputs: int, inputs: int, *, gain: float = 1.0) -> ov.Node:
        return op.matmul(value, self._weight(outputs, inputs, gain), False, True)

    def _rope(self) -> tuple[ov.Node, ov.Node]:
        """Cosine and sine of the rotary positions, `[batch, 1, tokens, HEAD]`."""
        inverse = (10_000.0 ** (-np.arange(0, HEAD, 2) / HEAD)).astype(np.float32)[None, None]
        angles = op.multiply(op.unsqueeze(op.convert(self._positions, "f32"), _axis(2)), op.constant(inverse))
        both = op.unsqueeze(op.concat([angles, angles], -1), _axis(1))
        return op.cos(both), op.sin(both)

    def _cache(self, name: str) -> ov.Node:
        """The past of a layer, `[batch, KEY_HEADS, past, HEAD]`, empty at first."""
        info = VariableInfo()
        info.data_shape = ov.PartialShape([-1, KEY_HEADS, -1, HEAD])
        info.data_type = ov.Type.f32
        info.variable_id = f"past_key_values.{name}"
        self._variables.append(Variable(info))
        batch = op.gather(op.shape_of(self._ids, "i64"), op.constant([0]), _axis(0))
        shape = op.concat([batch, op.constant([KEY_HEADS, 0, HEAD], ov.Type.i64)], 0)
        read = op.read_value(op.broadcast(op.constant(np.float32(0)), shape), self._variables[-1])
        return op.gather(read, self._beam, _axis(0))

    def _mask(self, cache: ov.Node) -> ov.Node:
        """What is added to the scores, `[batch, 1, tokens, past + tokens]`: causal, without masked-out positions."""
        past = op.gather(op.shape_of(cache, "i64"), _axis(2), _axis(0))
        end = op.add(past, op.gather(op.shape_of(self._ids, "i64"), _axis(1), _axis(0)))
        columns = op.unsqueeze(op.range(op.constant(0), end, op.constant(1), "i64"), _axis(0))
        rows = op.unsqueeze(op.range(past, end, op.constant(1), "i64"), _axis(1))
        causal = op.unsqueeze(op.less_equal(columns, rows), op.constant([0, 1]))
        present = op.unsqueeze(op.equal(self._mask_in, op.constant(np.int64(1))), op.constant([1, 2]))
        lowest = op.constant(np.float32(np.finfo(np.float16).min))
        return op.select(op.logical_and(causal, present), op.constant(np.float32(0)), lowest)

    def _layer(
        self, layer: int, hidden: ov.Node, caches: tuple[ov.Node, ov.Node], mask: ov.Node, rope: tuple[ov.Node, ov.Node]
    ) -> ov.Node:
        normed = _norm(hidden)
        query = _rotate(_heads(self._linear(normed, HEADS * HEAD, HIDDEN), HEADS), rope)
        key = _rotate(_heads(self._linear(normed, KEY_HEADS * HEAD, HIDDEN), KEY_HEADS), rope)
        value = _heads(self._linear(normed, KEY_HEADS * HEAD, HIDDEN), KEY_HEADS)
        key, value = (self._extend(2 * layer + i, caches[i], new) for i, new in enumerate((key, value)))
        mixed = op.scaled_dot_product_attention(query, _repeated(key), _repeated(value), mask)
        merged = op.reshape(op.transpose(mixed, op.constant([0, 2, 1, 3])), op.constant([0, 0, HEADS * HEAD]), True)
        hidden = op.add(hidden, self._linear(merged, HIDDEN, HEADS * HEAD, gain=BRANCH_GAIN))
        normed = _norm(hidden)
        gate = op.swish(self._linear(normed, INNER, HIDDEN))
        inner = op.multiply(gate, self._linear(normed, INNER, HIDDEN))
        return op.add(hidden, self._linear(inner, HIDDEN, INNER, gain=BRANCH_GAIN))

    def _extend(self, variable: int, past: ov.Node, new: ov.Node) -> ov.Node:
        whole = op.concat([past, new], 2)
        self._sinks.append(op.assign(whole, self._variables[variable]))
        return whole


def _input(name: str, dimensions: list[int], kind: ov.Type) -> ov.Node:
    node = op.parameter(ov.PartialShape(dimensions), kind, name=name)
    node.output(0).set_names({name})
    return node


def _axis(axis: int) -> ov.Node:
    return op.constant(np.int64(axis))


def _norm(value: ov.Node) -> ov.Node:
    square = op.reduce_mean(op.power(value, op.constant(np.float32(2))), op.constant([-1]), keep_dims=True)
    root = op.sqrt(op.add(square, op.constant(np.float32(1e-5))))
    scaled = op.multiply(value, op.divide(op.constant(np.float32(1)), root))
    return op.multiply(scaled, op.constant(np.full((1, 1, HIDDEN), 1.25, np.float32)))


def _heads(flat: ov.Node, heads: int) -> ov.Node:
    """`[batch, heads, tokens, HEAD]`."""
    return op.transpose(op.reshape(flat, op.constant([0, 0, heads, HEAD]), True), op.constant([0, 2, 1, 3]))


def _rotate(value: ov.Node, rope: tuple[ov.Node, ov.Node]) -> ov.Node:
    middle, step, axis = op.constant([HEAD // 2]), op.constant([1]), op.constant([3])
    left = op.slice(value, op.constant([0]), middle, step, axis)
    right = op.slice(value, middle, op.constant([HEAD]), step, axis)
    turned = op.concat([op.multiply(right, op.constant(np.float32(-1))), left], -1)
    return op.add(op.multiply(value, rope[0]), op.multiply(turned, rope[1]))


def _repeated(value: ov.Node) -> ov.Node:
    """Each key head for all query heads of its group, `[batch, HEADS, positions, HEAD]`."""
    times = HEADS // KEY_HEADS
    grouped = op.unsqueeze(value, op.constant([2]))
    spread = op.broadcast(grouped, op.constant([1, 1, times, 1, 1]), broadcast_spec="BIDIRECTIONAL")
    return op.reshape(spread, op.constant([0, HEADS, -1, HEAD]), True)
