"""Real models in 1, 2, 3 and 5 stages give every logit of a greedy answer as they do unsplit, to the last bit.

Stateful stages are compared with the published model itself, paged ones with the paged whole. By default the starter
model in 1 and 3 stages; with `-m long` all of it, for Gemma 3 270M too where it is in this PC's store.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.backends.base import Batch, Shard
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import ShardRequest, load_paged, load_stateful
from idlepool.engine.events import ChatMessage
from idlepool.engine.graph.survey import survey
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
NATIVE = inference_precision(CORE, "CPU")
QUESTION = ChatMessage("user", "Tell me a story about a lighthouse and an old sailor.")
SHORT, LONG = 32, 128

pytestmark = pytest.mark.model

Load = Callable[[ov.Core, ShardRequest], Shard]
Step = Callable[[list[int], int], np.ndarray]
"""Logits `[tokens, vocabulary]` of some tokens from a position on."""
Answer = tuple[list[int], list[np.ndarray]]
"""The prompt's and the chosen tokens, and the logits of each step."""


FORMS = pytest.mark.parametrize("load", [load_stateful, load_paged], ids=["stateful", "paged"])


def cases() -> list[object]:
    marks = [pytest.mark.long, pytest.mark.timeout(1200)]
    wires = (ElementType.F32, NATIVE)
    return [
        *(pytest.param("starter", wire, SHORT, stages) for wire in wires for stages in (1, 3)),
        *(
            pytest.param(name, wire, LONG, stages, marks=marks)
            for name in ("starter", "gemma")
            for wire in wires
            for stages in (1, 2, 3, 5)
        ),
    ]


@pytest.fixture
def folder(request: pytest.FixtureRequest, starter_store: ModelStore) -> Path:
    """Folder of the model that the test names."""
    if request.param not in (*starter_store.names(), "starter"):
        pytest.skip(f"{request.param} is not in {starter_store.root}; idlepool models add {request.param}")
    return starter_store.get(request.param).folder


@FORMS
@pytest.mark.parametrize(("folder", "wire", "count", "stages"), cases(), indirect=["folder"], ids=str)
def test_an_answer_in_stages_is_the_unsplit_models(
    folder: Path, wire: ElementType, count: int, stages: int, load: Load
) -> None:
    whole = published_answer if load is load_stateful else paged_answer
    assert_same(greedy(split_step(load, folder, wire, stages), folder, count), whole(folder, wire, count))


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("folder", ["starter", "gemma"], indirect=True)
def test_both_forms_choose_the_same_tokens(folder: Path) -> None:
    """Without quantised activations, which blow a difference of 1e-6 between two attention kernels up to a logit."""
    exact = ov.Core()
    exact.set_property("CPU", {"DYNAMIC_QUANTIZATION_GROUP_SIZE": 0})
    (ids, paged), (expected, stateful) = (
        greedy(split_step(load, folder, ElementType.F32, 1, core=exact), folder, LONG)
        for load in (load_paged, load_stateful)
    )
    assert ids == expected
    for rows, wanted in zip(paged, stateful, strict=True):
        assert np.abs(rows - wanted).max() < 1e-4 * np.abs(wanted).max()


def assert_same(found: Answer, expected: Answer) -> None:
    assert found[0] == expected[0]
    for place, (rows, wanted) in enumerate(zip(found[1], expected[1], strict=True)):
        assert np.array_equal(rows, wanted), f"step {place} differs by {np.abs(rows - wanted).max()}"


def greedy(step: Step, folder: Path, count: int) -> Answer:
    """Decode `count` tokens, each the best one, whether or not the answer ends before."""
    ids = prompt(folder)
    logits = [step(ids, 0)]
    for _ in range(count):
        ids = [*ids, int(logits[-1][-1].argmax())]
        logits.append(step(ids[-1:], len(ids) - 1))
    return ids, logits


@lru_cache
def prompt(folder: Path) -> list[int]:
    return Tokenizer(folder).encode_chat([QUESTION])


@lru_cache(maxsize=1)
def published_answer(folder: Path, wire: ElementType, count: int) -> Answer:
    return greedy(published_step(folder, wire), folder, count)


@lru_cache(maxsize=1)
def paged_answer(folder: Path, wire: ElementType, count: int) -> Answer:
    return greedy(split_step(load_paged, folder, wire, 1), folder, count)


def published_step(folder: Path, wire: ElementType) -> Step:
    """The published model itself, driven by hand."""
    options = {"INFERENCE_PRECISION_HINT": wire.value, "KV_CACHE_PRECISION": wire.value, "INFERENCE_NUM_THREADS": 1}
    request = CORE.compile_model(folder / "openvino_model.xml", "CPU", options).create_infer_request()

    def step(ids: list[int], start: int) -> np.ndarray:
        end = start + len(ids)
        request.infer(
            {
                "input_ids": np.array([ids]),
                "attention_mask": np.ones((1, end), np.int64),
                "position_ids": np.arange(start, end)[None],
                "beam_idx": np.zeros(1, np.int32),
            }
        )
        return request.get_output_tensor(0).data[0].copy()

    return step


def split_step(load: Load, folder: Path, wire: ElementType, stages: int, *, core: ov.Core = CORE) -> Step:
    """The model in so many stages, one after another as the pipeline runs them."""
    layers = survey(folder / "openvino_model.xml").layers
    marks = [layers * stage // stages for stage in range(stages + 1)]
    shards = [load(core, ShardRequest(folder, Span(a, b), "CPU", wire, threads=1)) for a, b in pairwise(marks)]

    def step(ids: list[int], start: int) -> np.ndarray:
        segment = Segment(1, start, len(ids), sample=len(ids))
        rows = np.array(ids, np.int32)
        for shard in shards[:-1]:
            rows = shard.run(Batch((segment,), rows)).hidden
        return shards[-1].run(Batch((segment,), rows)).logits.copy()

    return step
