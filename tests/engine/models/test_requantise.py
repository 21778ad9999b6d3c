from __future__ import annotations

import gguf
import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest

from idlepool.engine.errors import ConversionFailed, ConversionUnfaithful
from idlepool.engine.models.gguf_weights import GgufWeights, Place, rotary_order
from idlepool.engine.models.requantise import compare_weights, quantise, replace_equal_weights, replace_weights

ROWS, COLUMNS, HEADS, KV_HEADS = 24, 128, 3, 3


@pytest.fixture
def values() -> dict[str, np.ndarray]:
    random = np.random.default_rng(5)
    names = ("token_embd.weight", "blk.0.attn_q.weight")
    tensors = {name: random.standard_normal((ROWS, COLUMNS)).astype(np.float32) for name in names}
    return tensors | {"output_norm.weight": random.standard_normal(COLUMNS).astype(np.float32)}


@pytest.fixture
def source(values, tmp_path) -> GgufWeights:
    """A real GGUF file: Q4_1 and Q8_0 weights and an f32 norm."""
    path = tmp_path / "tiny.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    kinds = {"token_embd.weight": gguf.GGMLQuantizationType.Q8_0, "blk.0.attn_q.weight": gguf.GGMLQuantizationType.Q4_1}
    for name, tensor in values.items():
        kind = kinds.get(name)
        data = tensor if kind is None else gguf.quants.quantize(tensor, kind)
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return GgufWeights(path)


def reader_graph(source: GgufWeights, *, wrong_scales: bool = False) -> ov.Model:
    """What openvino-genai's reader makes, with codes that are no good: only its scales and its norm are right."""
    ids = op.parameter(ov.PartialShape([-1]), ov.Type.i64, name="ids")
    table = reader_weight(source, "token_embd.weight", None)
    query = reader_weight(source, "blk.0.attn_q.weight", rotary_order(ROWS, HEADS), factor=2 if wrong_scales else 1)
    norm = op.constant(source.values("output_norm.weight")[None])
    hidden = op.multiply(op.gather(table, ids, op.constant(0)), norm)
    return ov.Model([op.result(op.matmul(hidden, query, False, True))], [ids], "reader")


def reader_weight(source: GgufWeights, name: str, order, *, factor: int = 1) -> ov.Node:
    scales = block_scales(source, name)
    scales = (scales if order is None else scales[order]) * np.float16(factor)
    codes = op.convert(op.constant(np.full((ROWS, COLUMNS // 32, 32), 7, np.uint8)), "f16")
    shifted = op.subtract(codes, op.convert(op.constant(np.full((ROWS, COLUMNS // 32, 1), 8, np.uint8)), "f16"))
    scaled = op.multiply(shifted, op.constant(scales[:, :, None]))
    return op.convert(op.reshape(scaled, op.constant([ROWS, COLUMNS]), False), "f32")


def block_scales(source: GgufWeights, name: str) -> np.ndarray:
    """`[rows, blocks]`, taken from the one key of the tensor that is not reordered."""
    key = next(key for key, place in source.places().items() if place and place.tensor == name and place.order is None)
    return np.frombuffer(key, np.float16).reshape(ROWS, -1)


def converted(source: GgufWeights, model: ov.Model, tmp_path):
    used = replace_weights(model, source, on_tensor=lambda done, total: None)
    ov.save_model(model, tmp_path / "out.xml", compress_to_fp16=False)
    return ov.Core().read_model(tmp_path / "out.xml"), used


def test_the_graph_computes_with_the_files_own_values(source, tmp_path):
    model, used = converted(source, reader_graph(source), tmp_path)
    error = compare_weights(model, source, used, on_tensor=lambda done, total: None)
    assert 0 < error <= 0.01
    ids = np.arange(ROWS)
    got = ov.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(ids)[0]
    query = source.values("blk.0.attn_q.weight")[rotary_order(ROWS, HEADS)]
    expected = source.values("token_embd.weight") * source.values("output_norm.weight") @ query.T
    assert np.linalg.norm(got - expected) / np.linalg.norm(expected) < 0.02


def test_a_weight_that_no_tensor_explains_stops_the_conversion(source):
    with pytest.raises(ConversionFailed, match="cannot be told"):
        replace_weights(reader_graph(source, wrong_scales=True), source, on_tensor=lambda done, total: None)


def test_a_tensor_that_the_graph_lacks_stops_the_conversion(source):
    ids = op.parameter(ov.PartialShape([-1]), ov.Type.i64, name="ids")
    table = reader_weight(source, "token_embd.weight", None)
    model = ov.Model([op.result(op.gather(table, ids, op.constant(0)))], [ids], "reader")
    with pytest.raises(ConversionFailed, match=r"blk\.0\.attn_q\.weight is not in the graph"):
        replace_weights(model, source, on_tensor=lambda done, total: None)


def test_a_weight_in_the_wrong_order_of_rows_is_unfaithful(source, tmp_path):
    model, used = converted(source, reader_graph(source), tmp_path)
    used["blk.0.attn_q.weight"] = Place("blk.0.attn_q.weight", None)
    with pytest.raises(ConversionUnfaithful, match=r"attn_q"):
        compare_weights(model, source, used, on_tensor=lambda done, total: None)


def exported_graph(source: GgufWeights, *, change: float = 0) -> ov.Model:
    """What an exporter makes: the file's values as f32, each of which `change` is added to."""
    ids = op.parameter(ov.PartialShape([-1]), ov.Type.i64, name="ids")
    table, query, norm = (
        op.constant(source.values(name) + np.float32(change))
        for name in ("token_embd.weight", "blk.0.attn_q.weight", "output_norm.weight")
    )
    hidden = op.multiply(op.gather(table, ids, op.constant(0)), norm)
    return ov.Model([op.result(op.matmul(hidden, query, False, True))], [ids], "exported")


def test_an_exported_graph_keeps_its_values_in_a_quarter_of_the_size(source, tmp_path):
    model = exported_graph(source)
    used = replace_equal_weights(model, source, on_tensor=lambda done, total: None)
    ov.save_model(model, tmp_path / "out.xml", compress_to_fp16=False)
    read = ov.Core().read_model(tmp_path / "out.xml")
    assert 0 < compare_weights(read, source, used, on_tensor=lambda done, total: None) <= 0.01
    assert (tmp_path / "out.bin").stat().st_size < 0.3 * 4 * 2 * ROWS * COLUMNS + 2000


def test_an_exported_weight_with_other_values_stops_the_conversion(source):
    with pytest.raises(ConversionFailed, match="cannot be told"):
        replace_equal_weights(exported_graph(source, change=0.01), source, on_tensor=lambda done, total: None)


def test_a_tensor_that_the_exported_graph_lacks_stops_the_conversion(source):
    ids = op.parameter(ov.PartialShape([-1]), ov.Type.i64, name="ids")
    table = op.constant(source.values("token_embd.weight"))
    model = ov.Model([op.result(op.gather(table, ids, op.constant(0)))], [ids], "exported")
    with pytest.raises(ConversionFailed, match=r"blk\.0\.attn_q\.weight is not in the graph"):
        replace_equal_weights(model, source, on_tensor=lambda done, total: None)


def test_a_group_of_zeros_stays_zero():
    weights = np.zeros((2, 128), np.float32)
    weights[0, 64:] = np.linspace(-1, 1, 64)
    codes, scales = quantise(weights)
    assert np.abs((codes * scales.astype(np.float32)).reshape(2, 128) - weights).max() < 0.005
    assert not codes[1].any()


def test_a_file_that_is_no_gguf_is_refused(tmp_path):
    (tmp_path / "x.gguf").write_bytes(b"not a model" * 100)
    with pytest.raises(ConversionFailed, match="no GGUF file"):
        GgufWeights(tmp_path / "x.gguf")
