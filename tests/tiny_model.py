"""A small random llama-like OpenVINO model, built node by node, so that most tests need no download.

It has what makes cutting hard in published ones: stateful attention with the `beam_idx` Gather, one mask for all layers
that takes the past length from the first layer's cache, and an embedding that is the head as well.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as op
from openvino.op.util import Variable, VariableInfo

CONTEXT = 512
"""What config.json says: positions the model may see."""


@dataclass(frozen=True, slots=True)
class TinyShape:
    """Dimensions of the model."""

    layers: int = 4
    hidden: int = 64
    heads: int = 2
    vocabulary: int = 300
    inner: int = 128
    gain: float = 1.0
    """Of all weight matrices but the embedding's. Above 1 attention is sharp, and layers outweigh the last token."""

    @property
    def head(self) -> int:
        return self.hidden // self.heads


def build_tiny_model(folder: Path, shape: TinyShape = TinyShape(), *, seed: int = 0) -> Path:
    """Save the model with seeded weights to `folder` and return the folder. Its tokenizer graphs are empty."""
    folder.mkdir(parents=True, exist_ok=True)
    ov.save_model(_Builder(shape, seed).model(), folder / "openvino_model.xml", compress_to_fp16=False)
    config = {"max_position_embeddings": CONTEXT, "model_type": "llama", "hidden_size": shape.hidden}
    for name in ("openvino_tokenizer", "openvino_detokenizer"):
        (folder / f"{name}.xml").write_text(f'<net name="{name}" version="11"/>', encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


class _Builder:
    def __init__(self, shape: TinyShape, seed: int) -> None:
        self.shape = shape
        self.random = np.random.default_rng(seed)
        self.states: list[ov.Node] = []
        self.variables: list[Variable] = []
        self.ids = self._input("input_ids", [-1, -1], ov.Type.i64)
        self.mask_in = self._input("attention_mask", [-1, -1], ov.Type.i64)
        self.positions = self._input("position_ids", [-1, -1], ov.Type.i64)
        self.beam = self._input("beam_idx", [-1], ov.Type.i32)

    def model(self) -> ov.Model:
        table = self._weight("embed", self.shape.vocabulary, self.shape.hidden, scale=1.0)
        hidden = op.gather(table, self.ids, op.constant(np.int64(0)))
        cosine, sine = self._rope()
        caches = [self._cache(layer, kind) for layer in range(self.shape.layers) for kind in ("key", "value")]
        mask = self._mask(caches[0])
        for layer in range(self.shape.layers):
            hidden = self._layer(layer, hidden, caches[2 * layer : 2 * layer + 2], mask, (cosine, sine))
        logits = op.matmul(self._norm(hidden, "final_norm"), table, False, True)
        logits.output(0).set_names({"logits"})
        inputs = [self.ids, self.mask_in, self.positions, self.beam]
        model = ov.Model([op.result(logits)], self.states, inputs, self.variables, "tiny")
        model.set_rt_info("tiny", ["idlepool_test", "model"])
        return model

    def _input(self, name: str, dimensions: list[int], kind: ov.Type) -> ov.Node:
        node = op.parameter(ov.PartialShape(dimensions), kind, name=name)
        node.output(0).set_names({name})
        return node

    def _weight(self, name: str, rows: int, columns: int, *, scale: float) -> ov.Node:
        values = self.random.standard_normal((rows, columns)).astype(np.float32) * scale
        return op.constant(values, name=name)

    def _linear(self, value: ov.Node, name: str, outputs: int, inputs: int) -> ov.Node:
        return op.matmul(value, self._weight(name, outputs, inputs, scale=self.shape.gain * inputs**-0.5), False, True)

    def _norm(self, value: ov.Node, name: str) -> ov.Node:
        square = op.reduce_mean(op.power(value, op.constant(np.float32(2))), op.constant([-1]), keep_dims=True)
        root = op.sqrt(op.add(square, op.constant(np.float32(1e-5))))
        gain = 1 + 0.1 * self.random.standard_normal((1, 1, self.shape.hidden)).astype(np.float32)
        return op.multiply(
            op.multiply(value, op.divide(op.constant(np.float32(1)), root)), op.constant(gain, name=name)
        )

    def _rope(self) -> tuple[ov.Node, ov.Node]:
        """Cosine and sine, `[batch, 1, tokens, head]`."""
        head = self.shape.head
        inverse = (10_000.0 ** (-np.arange(0, head, 2) / head)).astype(np.float32)[None, None]
        angles = op.multiply(op.unsqueeze(op.convert(self.positions, "f32"), op.constant([2])), op.constant(inverse))
        both = op.unsqueeze(op.concat([angles, angles], -1), op.constant([1]))
        return op.cos(both), op.sin(both)

    def _cache(self, layer: int, kind: str) -> ov.Node:
        """The state's past `[batch, heads, past, head]` behind its beam_idx Gather."""
        heads, head = self.shape.heads, self.shape.head
        batch = op.gather(op.shape_of(self.ids, "i64"), op.constant([0]), op.constant(0))
        empty = op.concat([batch, op.constant([heads, 0, head], ov.Type.i64)], 0)
        info = VariableInfo()
        info.data_shape = ov.PartialShape([-1, heads, -1, head])
        info.data_type = ov.Type.f32
        info.variable_id = f"past_key_values.{layer}.{kind}"
        variable = Variable(info)
        self.variables.append(variable)
        read = op.read_value(op.broadcast(op.constant(np.float32(0)), empty), variable)
        return op.gather(read, self.beam, op.constant(0))

    def _mask(self, first_cache: ov.Node) -> ov.Node:
        """What is added to the scores: `[batch, 1, tokens, past + tokens]`, causal and without masked-out slots."""
        axis = op.constant(0)
        past = op.gather(op.shape_of(first_cache, "i64"), op.constant(2), axis)
        tokens = op.gather(op.shape_of(self.ids, "i64"), op.constant(1), axis)
        total, one = op.add(past, tokens), op.constant(1)
        slots = op.unsqueeze(op.range(op.constant(0), total, one, "i64"), op.constant([0]))
        rows = op.unsqueeze(op.range(past, total, one, "i64"), op.constant([1]))
        causal = op.unsqueeze(op.less_equal(slots, rows), op.constant([0, 1]))
        present = op.unsqueeze(op.equal(self.mask_in, op.constant(np.int64(1))), op.constant([1, 2]))
        lowest = op.constant(np.float32(np.finfo(np.float16).min))
        return op.select(op.logical_and(causal, present), op.constant(np.float32(0)), lowest)

    def _layer(
        self, layer: int, hidden: ov.Node, caches: list[ov.Node], mask: ov.Node, rope: tuple[ov.Node, ov.Node]
    ) -> ov.Node:
        name, width, inner = f"layers.{layer}", self.shape.hidden, self.shape.inner
        normed = self._norm(hidden, f"{name}.attention_norm")
        query, key, value = (self._heads(normed, f"{name}.{part}") for part in ("q", "k", "v"))
        key = self._extend(caches[0], self._rotate(key, rope), f"past_key_values.{layer}.key")
        value = self._extend(caches[1], value, f"past_key_values.{layer}.value")
        mixed = op.scaled_dot_product_attention(self._rotate(query, rope), key, value, mask)
        merged = op.reshape(op.transpose(mixed, op.constant([0, 2, 1, 3])), op.constant([0, 0, width]), True)
        hidden = op.add(hidden, self._linear(merged, f"{name}.o", width, width))
        normed = self._norm(hidden, f"{name}.mlp_norm")
        gate = op.swish(self._linear(normed, f"{name}.gate", inner, width))
        up = self._linear(normed, f"{name}.up", inner, width)
        return op.add(hidden, self._linear(op.multiply(gate, up), f"{name}.down", width, inner))

    def _heads(self, value: ov.Node, name: str) -> ov.Node:
        flat = self._linear(value, name, self.shape.hidden, self.shape.hidden)
        parted = op.reshape(flat, op.constant([0, 0, self.shape.heads, self.shape.head]), True)
        return op.transpose(parted, op.constant([0, 2, 1, 3]))

    def _rotate(self, value: ov.Node, rope: tuple[ov.Node, ov.Node]) -> ov.Node:
        half, axis = self.shape.head // 2, op.constant([3])
        left = op.slice(value, op.constant([0]), op.constant([half]), op.constant([1]), axis)
        right = op.slice(value, op.constant([half]), op.constant([self.shape.head]), op.constant([1]), axis)
        turned = op.concat([op.multiply(right, op.constant(np.float32(-1))), left], -1)
        return op.add(op.multiply(value, rope[0]), op.multiply(turned, rope[1]))

    def _extend(self, cache: ov.Node, new: ov.Node, variable: str) -> ov.Node:
        whole = op.concat([cache, new], 2)
        self.states.append(op.assign(whole, next(v for v in self.variables if v.info.variable_id == variable)))
        return whole
