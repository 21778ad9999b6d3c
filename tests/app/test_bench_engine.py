"""`idlepool bench engine` measures every form, split and whole, and the model without its Gathers."""

from __future__ import annotations

import json
import subprocess

import openvino as ov
import pytest
from families import family_folder

from idlepool.app.bench_engine import _remove_gathers
from idlepool.engine.graph.kv_gather import fused_layers, unfused_states
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.child_process import python_module

CORE = ov.Core()
F32 = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32"}


@pytest.mark.parametrize("name", ["llama", "gemma3"])
def test_without_its_gathers_no_attention_is_fused(name: str, family_cache) -> None:
    model = CORE.read_model(family_folder(name, family_cache) / "openvino_model.xml")
    assert fused_layers(CORE.compile_model(model, "CPU", F32)) > 0
    _remove_gathers(model)
    assert set(unfused_states(model).values()) == {"it is not gathered by beam_idx"}
    assert fused_layers(CORE.compile_model(model, "CPU", F32)) == 0


@pytest.mark.long
@pytest.mark.model
def test_every_row_is_measured(starter_store: ModelStore) -> None:
    assert starter_store.get("starter").complete
    command = python_module("idlepool.app", "bench", "engine", "--rounds", "1", "--tokens", "4", "--json")
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    splits = {f"{form}_{stages}" for form in ("stateful", "paged") for stages in (1, 2, 3)}
    assert told["step_ms"].keys() == {"genai", "paged_1_users_16", "f32_with_gather", "f32_without_gather"} | splits
    assert all(milliseconds > 0 for milliseconds in told["step_ms"].values())
    assert told["speed_without_gather"] > 0
