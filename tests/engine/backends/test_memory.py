"""What a stage process takes: its weights once, its cache, and a fixed amount for the engine itself."""

from __future__ import annotations

import asyncio
import logging
import sys
from dataclasses import dataclass
from functools import cache as cached
from itertools import pairwise
from pathlib import Path

import numpy as np
import openvino as ov
import psutil
import pytest
from tiny_model import TinyShape, build_tiny_model

from idlepool.engine.backends.device import inference_precision
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.survey import Survey, survey
from idlepool.engine.graph.weight_ranges import merge
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.net.messages import Candidate, LoadShard
from idlepool.engine.net.segments import Segment
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.types import Backend, ElementType, SessionId, Span

ENGINE_BYTES = 300e6
"""Python, OpenVINO, the graph, and one prompt's intermediate values."""

WEIGHTS_FACTOR = 1.25
PROMPT = 512
PATIENCE_S = 120

LOG = logging.getLogger("idlepool.tests")


@cached
def surveyed(xml: Path) -> Survey:
    return survey(xml)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage to measure and what it may take."""

    folder: Path
    span: Span
    backend: Backend
    wire: ElementType

    def allowed_bytes(self) -> float:
        """The bound for a stage that holds PROMPT positions."""
        xml = self.folder / "openvino_model.xml"
        ranges = surveyed(xml).ranges
        weights = sum(r.length for r in merge(r for layer in self.span for r in ranges[layer]))
        return WEIGHTS_FACTOR * weights + self._cache_bytes(xml) + ENGINE_BYTES

    def _cache_bytes(self, xml: Path) -> int:
        anatomy = find_layers(ov.Core().read_model(xml))
        shapes = [
            anatomy.snapshot.nodes[read].get_output_partial_shape(0)
            for layer in self.span
            for read in anatomy.states[layer]
        ]
        values = sum(int(np.prod([size.get_length() for size in shape if size.is_static])) for shape in shapes)
        return values * self.wire.size * PROMPT

    def frame(self, start: int, count: int) -> Frame:
        """Rows for the positions from `start` on: ids, or hidden states of zeros."""
        segments = (Segment(1, start, count, sample=1),)
        kind, dtype, width = FrameKind.TOKENS, ElementType.I32, 1
        if self.span.first:
            kind, dtype, width = FrameKind.HIDDEN, self.wire, surveyed(self.folder / "openvino_model.xml").hidden
        payload = bytes(count * width * dtype.size)
        return Frame(kind, SessionId(1), start, segments, dtype, count, width, payload)


async def resident_bytes(stage: Stage, cache: Path) -> int:
    """What the process of a stage takes after a prompt, some single tokens and a rewind."""
    host = await StageHost.start(name="here")
    answers: asyncio.Queue[Frame] = asyncio.Queue()

    async def keep(frame: Frame, _: bytes) -> None:
        answers.put_nowait(frame)

    try:
        span, candidates = stage.span, (Candidate("CPU", stage.backend),)
        order = LoadShard(
            str(stage.folder), "0" * 64, span.first, span.last, candidates, stage.wire, str(cache), threads=1
        )
        await host.load(order, name="here")
        host.serve(keep, lambda _: None)
        for start, count in [(0, PROMPT), (PROMPT, 1), (PROMPT + 1, 8), (PROMPT, 1), (PROMPT + 1, 1)]:
            await host.send(stage.frame(start, count))
            answer = await answers.get()
            assert answer.kind in (FrameKind.HIDDEN, FrameKind.CHOSEN)
        return int(psutil.Process(host.pid).memory_info().rss)
    finally:
        await host.close()


async def check(stage: Stage, cache: Path) -> None:
    async with asyncio.timeout(PATIENCE_S):
        taken = await resident_bytes(stage, cache)
    allowed = stage.allowed_bytes()
    LOG.info("%s %s: %.0f of %.0f MB", stage.backend, stage.span, taken / 1e6, allowed / 1e6)
    assert taken <= allowed


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def heavy_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So heavy that its weights, taken twice, pass the bound: 380 MB."""
    shape = TinyShape(hidden=1536, inner=3072, heads=8)
    return build_tiny_model(tmp_path_factory.mktemp("heavy") / "model", shape)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS counts clean pages of a file until it wants them back")
@pytest.mark.parametrize("backend", [Backend.PAGED, Backend.STATEFUL], ids=str)
async def test_weights_are_taken_once(heavy_model: Path, cache: Path, backend: Backend) -> None:
    await check(Stage(heavy_model, Span(0, 4), backend, ElementType.F32), cache)


@pytest.mark.model
@pytest.mark.parametrize("marks", [(0, 30), (0, 15, 30), (0, 10, 20, 30)], ids=str)
async def test_each_stage_of_the_starter_model_keeps_to_its_share(
    starter_store: ModelStore, cache: Path, marks: tuple[int, ...]
) -> None:
    wire = inference_precision(ov.Core(), "CPU")
    folder = starter_store.get("starter").folder
    spans = [Span(*ends) for ends in pairwise(marks)]
    await asyncio.gather(*(check(Stage(folder, span, Backend.PAGED, wire), cache) for span in spans))
