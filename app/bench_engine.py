"""`idlepool bench engine`: what a step costs in each form and split, beside OpenVINO GenAI, on one core in one process.

The rows are measured in turn, round after round, and compared within the round: a noisy machine is noisy for all of
them. Each round loads every row anew, in another order: where its weights happen to lie in memory is worth up to 8 %.
A figure is the median over the rounds.

A further stage costs some 0.5 ms a step whatever its size, 0.35 inside infer() and 0.15 around it: each compiled model
has its own kernels and nodes, which the other stages' weights drive out of the processor's caches. One layer takes 0.15
ms hot and 0.88 ms after somebody else read 40 MB. A step of the whole starter model takes only 14 ms, of which that is
3 to 4 %.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.app.arguments import DEMO_MODEL
from idlepool.app.bench.cores import cores, pin
from idlepool.app.models_command import ensure_model
from idlepool.app.terminal_chat import say
from idlepool.engine.backends.base import Batch, Shard
from idlepool.engine.backends.device import compile_options, inference_precision
from idlepool.engine.backends.load import ShardRequest
from idlepool.engine.backends.loaders import LOADERS
from idlepool.engine.graph.snapshot import Snapshot
from idlepool.engine.graph.stateless import keep_past_length
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.models.store import ModelStore, default_root
from idlepool.engine.net.segments import Segment
from idlepool.engine.pool.child_process import python_module
from idlepool.engine.pool.huge_pages import with_huge_pages
from idlepool.engine.pool.plan import Lender, plan
from idlepool.engine.types import Backend, ElementType, NodeId

PROMPT_TOKENS = 32
USERS = 16
MANY = f"paged_1_users_{USERS}"
WITH_GATHER, WITHOUT_GATHER = "f32_with_gather", "f32_without_gather"

Measure = Callable[[int], float]
"""Milliseconds of one step, over so many steps."""

Load = Callable[[], Measure]
"""Loads what is measured."""


def run(arguments: argparse.Namespace) -> int:
    """Measure and print, in a process that is started as those are that host layers; returns the exit code."""
    environment = with_huge_pages(os.environ)
    if environment != os.environ:
        return subprocess.run(python_module("idlepool.app", *sys.argv[1:]), env=environment, check=False).returncode
    store = ModelStore(default_root())
    model = ensure_model(store, arguments.model) if arguments.model == DEMO_MODEL else store.get(arguments.model)
    pinned = cores()[-1] if cores() else None
    pin(os.getpid(), pinned)
    rows = _rows(model.folder, model.manifest)
    rounds: dict[str, list[float]] = {name: [] for name in rows}
    for number in range(arguments.rounds):
        say(f"round {number + 1} of {arguments.rounds} …")
        names = list(rows)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            rounds[name].append(rows[name]()(arguments.tokens))
    report = _report(rounds) | {"pinned_to_core": pinned, "rounds": arguments.rounds, "tokens": arguments.tokens}
    sys.stdout.write(json.dumps(report) + "\n" if arguments.json else _table(report))
    return 0


def _rows(folder: Path, manifest: Manifest) -> dict[str, Load]:
    core = ov.Core()
    rows: dict[str, Load] = {"genai": partial(_genai, folder)}
    for backend, stages in product((Backend.STATEFUL, Backend.PAGED), (1, 2, 3)):
        rows[f"{backend}_{stages}"] = partial(_split, core, folder, manifest, backend, stages=stages, users=1)
    rows[MANY] = partial(_split, core, folder, manifest, Backend.PAGED, stages=1, users=USERS)
    for gathers in (True, False):
        row = WITH_GATHER if gathers else WITHOUT_GATHER
        rows[row] = partial(_published, core, folder, gathers=gathers)
    return rows


def _split(core: ov.Core, folder: Path, manifest: Manifest, backend: Backend, *, stages: int, users: int) -> Measure:
    return _steps(_load(core, folder, manifest, backend, stages), users=users)


def _load(core: ov.Core, folder: Path, manifest: Manifest, backend: Backend, stages: int) -> list[Shard]:
    lenders = [Lender(NodeId(str(n)), str(n), sys.maxsize) for n in range(stages)]
    wire = inference_precision(core, "CPU")
    spans = [assignment.span for assignment in plan(manifest, lenders, stages=stages, head_bytes=0)]
    return [LOADERS[backend](core, ShardRequest(folder, span, "CPU", wire, threads=1)) for span in spans]


def _steps(shards: list[Shard], *, users: int) -> Measure:
    """Greedy steps of one token for each user, everything included that a stage does for a step."""

    def step(ids: npt.NDArray[np.int32], start: int, count: int) -> npt.NDArray[np.int32]:
        segments = tuple(Segment(user + 1, start, count, sample=1) for user in range(users))
        rows: npt.NDArray[Any] = ids
        for shard in shards[:-1]:
            rows = _some(shard.run(Batch(segments, rows)).hidden)
        output = shards[-1].run(Batch(segments, rows))
        best = output.best_ids[:, 0] if output.best_ids is not None else _some(output.logits).argmax(axis=1)
        return best.astype(np.int32)

    def measure(tokens: int) -> float:
        prompts = np.random.default_rng(0).integers(5, 5000, (users, PROMPT_TOKENS)).astype(np.int32)
        ids = step(prompts.reshape(-1), 0, PROMPT_TOKENS)
        started = time.perf_counter()
        for position in range(PROMPT_TOKENS, PROMPT_TOKENS + tokens):
            ids = step(ids, position, 1)
        return 1e3 * (time.perf_counter() - started) / tokens

    return measure


def _genai(folder: Path) -> Measure:
    import openvino_genai

    pipeline = openvino_genai.LLMPipeline(folder, "CPU", INFERENCE_NUM_THREADS=1)
    prompt = np.random.default_rng(0).integers(5, 5000, (1, PROMPT_TOKENS)).astype(np.int64)
    settings = openvino_genai.GenerationConfig(do_sample=False, ignore_eos=True)

    def measure(tokens: int) -> float:
        settings.max_new_tokens = tokens + 1
        metrics = pipeline.generate(ov.Tensor(prompt), settings).perf_metrics
        return float(metrics.get_tpot().mean)

    return measure


def _published(core: ov.Core, folder: Path, *, gathers: bool) -> Measure:
    """The published model, or the same with no beam_idx Gather before its attentions: none is fused with its cache.

    In f32, where both choose the same tokens.
    """
    model = core.read_model(folder / "openvino_model.xml")
    if not gathers:
        _remove_gathers(model)
    options = compile_options(ElementType.F32, device="CPU", threads=1)
    compiled = core.compile_model(model, "CPU", options)
    request = compiled.create_infer_request()
    inputs = {name for port in compiled.inputs for name in port.get_names()}

    def step(ids: npt.NDArray[Any], start: int) -> npt.NDArray[np.int64]:
        end = start + ids.shape[1]
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones((1, end), np.int64),
            "position_ids": np.arange(start, end)[None],
            "beam_idx": np.zeros(1, np.int32),
        }
        for name in inputs & feeds.keys():
            request.set_tensor(name, ov.Tensor(feeds[name]))
        request.infer()
        best: npt.NDArray[np.int64] = request.get_output_tensor(0).data[:, -1].argmax(axis=1)[None]
        return best

    def measure(tokens: int) -> float:
        request.reset_state()
        ids = step(np.random.default_rng(0).integers(5, 5000, (1, PROMPT_TOKENS)), 0)
        started = time.perf_counter()
        for position in range(PROMPT_TOKENS, PROMPT_TOKENS + tokens):
            ids = step(ids, position)
        return 1e3 * (time.perf_counter() - started) / tokens

    return measure


def _remove_gathers(model: ov.Model) -> None:
    for gather in [op for op in model.get_ordered_ops() if op.get_type_name() == "Gather"]:
        cache = gather.input(0).get_source_output()
        if cache.get_node().get_type_name() == "ReadValue":
            for port in list(gather.output(0).get_target_inputs()):
                port.replace_source_output(cache)
    keep_past_length(Snapshot(model))  # a fused attention does without what this repairs, and no other
    model.validate_nodes_and_infer_types()


def _report(rounds: dict[str, list[float]]) -> dict[str, Any]:
    """Milliseconds of a step, and speeds relative to GenAI's, as medians over the rounds."""
    many, one = rounds[MANY], rounds["paged_1"]
    ratios = {
        name: statistics.median(g / own for g, own in zip(rounds["genai"], times, strict=True))
        for name, times in rounds.items()
        if name not in ("genai", MANY)
    }
    return {
        "step_ms": {name: round(statistics.median(times), 3) for name, times in rounds.items()},
        "speed_to_genai": {name: round(ratio, 3) for name, ratio in ratios.items()},
        f"paged_{USERS}_users_to_one": round(
            statistics.median(USERS * o / m for o, m in zip(one, many, strict=True)), 2
        ),
        "speed_without_gather": round(
            statistics.median(w / o for w, o in zip(rounds[WITH_GATHER], rounds[WITHOUT_GATHER], strict=True)), 3
        ),
    }


def _table(report: dict[str, Any]) -> str:
    lines = [f"{'':28}{'ms a step':>10}{'to GenAI':>10}"]
    for name, milliseconds in report["step_ms"].items():
        ratio = report["speed_to_genai"].get(name)
        lines.append(f"{name:28}{milliseconds:10.2f}{ratio if ratio is not None else '':>10}")
    lines.append(f"{USERS} users in one inference, tokens/s to one user's: {report[f'paged_{USERS}_users_to_one']}")
    lines.append(f"Without the Gathers of the caches, tokens/s to those with them: {report['speed_without_gather']}")
    return "\n".join(lines) + "\n"


def _some(array: npt.NDArray[Any] | None) -> npt.NDArray[Any]:
    assert array is not None
    return array
