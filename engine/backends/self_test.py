"""Whether a device computes what the CPU computes, and computes it the same way each time.

The probe model runs on the device in two stages: a prefill, single tokens, a rewind and another end. Its hidden states
and choices are compared with those of the whole probe on the CPU in f32, driven by the plainest loop there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.load import ShardRequest
from idlepool.engine.backends.loaders import Loader
from idlepool.engine.backends.probe_model import LAYERS, VOCABULARY, build_probe
from idlepool.engine.backends.reproducible import is_reproducible
from idlepool.engine.backends.stage_chain import StageChain
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, SequenceId, Span

LEAST_COSINE = 0.999
CLEAR_LEAD = 0.1
"""Choices are compared where the best logit leads by this many standard deviations; rounding may turn closer ones."""

CUT = LAYERS // 2
PROBE_TOKENS = 1024
"""Room in a paged cache for all that the test runs."""

_random = np.random.default_rng(5)
PROMPT = _random.integers(0, VOCABULARY, 40).astype(np.int32)
TURNED = np.concatenate([PROMPT[:20], _random.integers(0, VOCABULARY, 20).astype(np.int32)])
"""The same beginning and another end, after a rewind."""

Rows = npt.NDArray[np.float32]


class Verdict(msgspec.Struct, frozen=True):
    """What a self-test found."""

    passed: bool
    sentence: str
    """Why it failed, or how close the device is, without its name."""
    reproducible: bool | None = None
    """Whether segments of two and more give the same bits whatever the chunks and the company; None: not found out."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What is right: for PROMPT, then TURNED, `[tokens, hidden]` between the stages and `[tokens, vocabulary]`."""

    hidden: tuple[Rows, Rows]
    logits: tuple[Rows, Rows]


def self_test(
    core: ov.Core,
    load: Loader,
    device: str,
    wire: ElementType,
    *,
    threads: int = 0,
    repeats: bool = False,
    reference: Reference | None = None,
) -> Verdict:
    """Run the test with `device` and the backend behind `load`; takes about a second on a CPU.

    `repeats` finds out as well whether the device is reproducible. `reference`: what is right, if not as computed here.

    Raises:
        RuntimeError: the device is not there, or refuses to compile or to run the probe.
    """
    with TemporaryDirectory(prefix="idlepool-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        graph = build_probe(folder)
        right = reference or reference_on_cpu(core, graph)
        spans = (Span(0, CUT), Span(CUT, LAYERS))
        chain = StageChain(
            [load(core, ShardRequest(folder, s, device, wire, threads, cache_tokens=PROBE_TOKENS)) for s in spans]
        )
        fault, cosine = _compare(chain, right)
        if fault:
            return Verdict(False, fault)
        reproducible = is_reproducible(chain) if repeats else None
        return Verdict(True, f"cosine {cosine:.6f} to the CPU's hidden states, the same choices", reproducible)


def reference_on_cpu(core: ov.Core, graph: Path) -> Reference:
    """The whole probe on the CPU, in f32 and without quantised activations."""
    model = core.read_model(graph)
    anatomy = find_layers(model)
    model.add_outputs([anatomy.snapshot.nodes[anatomy.cuts[CUT - 1]].output(0)])
    options = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
    request = core.compile_model(model, "CPU", options).create_infer_request()
    logits, hidden = zip(*(_whole(request, ids) for ids in (PROMPT, TURNED)), strict=True)
    return Reference(hidden, logits)


def _whole(request: ov.InferRequest, ids: npt.NDArray[np.int32]) -> tuple[Rows, Rows]:
    request.reset_state()
    feeds = {
        "input_ids": ids[None].astype(np.int64),
        "attention_mask": np.ones((1, len(ids)), np.int64),
        "position_ids": np.arange(len(ids), dtype=np.int64)[None],
        "beam_idx": np.zeros(1, np.int32),
    }
    logits, hidden = request.infer(feeds).values()
    return logits[0].copy(), hidden[0].copy()


def _compare(chain: StageChain, right: Reference) -> tuple[str, float]:
    """What is wrong (empty: nothing) and the least cosine of all hidden states."""
    hidden: list[Rows] = []
    logits: list[Rows] = []
    for ids, marks in ((PROMPT, (0, 24, 25, 26, 40)), (TURNED, (20, 29, 30, 40))):
        for first, last in pairwise(marks):
            segment = Segment(SequenceId(1), first, last - first, sample=last - first)
            step = chain.run((segment,), ids[first:last])
            hidden.append(step.hidden)
            logits.append(step.logits)
    cosine = _least_cosine(np.concatenate(hidden), np.concatenate([right.hidden[0], right.hidden[1][20:]]))
    if not cosine >= LEAST_COSINE:  # NaN too
        return f"its hidden states have a cosine of {cosine:.4f} to the CPU's, {LEAST_COSINE} is needed", cosine
    other = _other_choices(np.concatenate(logits), np.concatenate([right.logits[0], right.logits[1][20:]]))
    return (f"it chooses other tokens than the CPU in {other} places" if other else ""), cosine


def _least_cosine(found: Rows, right: Rows) -> float:
    lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(right, axis=1)
    return float(np.min(np.sum(found * right, axis=1) / lengths))


def _other_choices(found: Rows, right: Rows) -> int:
    """Rows where the CPU's choice is clear and the device's is another."""
    best: npt.NDArray[Any] = np.sort(right, axis=1)
    clear = best[:, -1] - best[:, -2] > CLEAR_LEAD * right.std(axis=1)
    return int(np.sum(clear & (found.argmax(axis=1) != right.argmax(axis=1))))
