"""Gemma 3 270M, where it is in this PC's store, against the GGUF file that it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.models.catalogue import GEMMA
from idlepool.engine.models.store import ModelStore, default_root
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.models.tokenizer import Tokenizer

DATA = Path(__file__).parents[2] / "data"

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def gemma() -> StoredModel:
    store = ModelStore(default_root())
    if GEMMA.name not in store.names():
        pytest.skip(f"{GEMMA.name} is not in {store.root}; idlepool models add {GEMMA.name}")
    return store.get(GEMMA.name)


@pytest.mark.parametrize("sequence", ["paragraph", "shuffled"])
def test_its_loss_is_that_of_the_files_own_weights(gemma, sequence):
    reference = json.loads((DATA / "gemma_loss.json").read_text(encoding="utf-8"))[sequence]
    ids = np.array(reference["ids"])
    settings = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32"}
    request = ov.Core().compile_model(gemma.graph, "CPU", settings).create_infer_request()
    request.infer(
        {
            "input_ids": ids[None],
            "attention_mask": np.ones((1, len(ids)), np.int64),
            "position_ids": np.arange(len(ids))[None],
            "beam_idx": np.zeros(1, np.int32),
        }
    )
    losses = []
    for row, target in zip(request.get_output_tensor(0).data[0].astype(np.float64), ids[1:], strict=False):
        losses.append(np.log(np.exp(row - row.max()).sum()) + row.max() - row[target])
    assert np.mean(losses) == pytest.approx(reference["mean_loss"], rel=0.02)


def test_its_tokens_are_those_of_the_files_own_vocabulary(gemma):
    tokenizer = Tokenizer(gemma.folder)
    for case in json.loads((DATA / "gemma_tokens.json").read_text(encoding="utf-8")):
        assert tokenizer.encode(case["text"]) == case["ids"]
        assert tokenizer.decode(case["ids"]) == case["text"]


def test_a_text_begins_and_an_answer_ends_as_it_was_trained(gemma):
    tokenizer = Tokenizer(gemma.folder)
    begin, end = 2, 1
    assert tokenizer.encode("Hello", add_special_tokens=True)[0] == begin
    assert tokenizer.end_ids == {end}


def test_it_tells_what_it_is(gemma):
    manifest = gemma.manifest
    assert (manifest.layers, manifest.hidden, manifest.vocabulary, manifest.context) == (18, 640, 262_144, 32_768)
    assert gemma.licence == "Gemma Terms of Use"
