"""The installed starter model against the GGUF file that it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.models.add import add_model
from idlepool.engine.models.store import ModelStore
from idlepool.engine.types import Span

REFERENCE = json.loads((Path(__file__).parents[2] / "data" / "reference_loss.json").read_text(encoding="utf-8"))

pytestmark = pytest.mark.model


def test_its_loss_is_that_of_the_files_own_weights(starter_store):
    ids = np.array(REFERENCE["ids"])
    settings = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32"}
    request = ov.Core().compile_model(starter_store.get("starter").graph, "CPU", settings).create_infer_request()
    request.infer(
        {
            "input_ids": ids[None],
            "attention_mask": np.ones((1, len(ids)), np.int64),
            "position_ids": np.arange(len(ids))[None],
            "beam_idx": np.zeros(1, np.int32),
        }
    )
    predicted = request.get_output_tensor(0).data[0, :-1].astype(np.float64)
    totals = np.log(np.exp(predicted - predicted.max(axis=1, keepdims=True)).sum(axis=1)) + predicted.max(axis=1)
    loss = (totals - predicted[np.arange(len(predicted)), ids[1:]]).mean()
    assert loss == pytest.approx(REFERENCE["mean_loss"], rel=0.02)


def test_its_manifest_tells_what_it_is(starter_store):
    manifest = starter_store.get("starter").manifest
    assert (manifest.layers, manifest.hidden, manifest.vocabulary, manifest.context) == (30, 576, 49_152, 8192)
    table = 49_152 * 576
    assert manifest.layer_costs[-1] > table > 5 * manifest.layer_costs[0]


def test_adding_it_again_does_nothing(starter_store):
    seen = []
    add_model(starter_store, "starter", progress=lambda *step: seen.append(step))
    assert seen == []


@pytest.mark.parametrize("span", [Span(0, 10), Span(10, 20), Span(20, 30)])
def test_a_node_with_a_third_of_it_holds_a_third(starter_store, tmp_path, span):
    whole = starter_store.get("starter")
    partial = ModelStore(tmp_path).partial(whole.manifest)
    for file in partial.missing_files():
        partial.write_file(file.name, whole.read_file(file.name))
    for index in partial.missing(span):
        partial.write_chunk(index, whole.read_chunk(index))
    partial.flush()
    assert partial.bytes_on_disk <= 1.05 * partial.bytes_needed(span)
    assert partial.bytes_on_disk < 0.5 * whole.bytes_in_all
