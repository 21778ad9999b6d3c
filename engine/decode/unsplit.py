"""The published model, whole and uncut, driven by the plainest loop there is: what every split is compared with.

It shares with the stages the sampler, the chunks, the compile options and the form, and nothing of the cutting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.base import Batch
from idlepool.engine.backends.device import compile_options, inference_precision
from idlepool.engine.backends.paged import PagedShard
from idlepool.engine.backends.published import Published
from idlepool.engine.decode.decoding import SHORTEST_REPRODUCIBLE
from idlepool.engine.decode.sampler import choose
from idlepool.engine.decode.scheduler import PREFILL_CHUNK
from idlepool.engine.graph.paged import to_paged
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Backend, Sampling, SequenceId

Infer = Callable[[list[int], int], npt.NDArray[np.float32]]
"""Logits `[1, vocabulary]` of the last of some tokens, of which the first stands at the position given."""


def unsplit_ids(
    folder: Path,
    prompt: Sequence[int],
    *,
    sampling: Sampling,
    end_ids: frozenset[int],
    max_tokens: int,
    backend: Backend = Backend.PAGED,
    device: str = "CPU",
    threads: int = 0,
    reproducible: bool = False,
) -> list[int]:
    """What the unsplit model in `folder` answers to `prompt`, up to an end id, at most `max_tokens` ids.

    `backend` is the form that the stages run in: the forms round differently, and near-ties then fall differently.
    `reproducible`: as a reproducible sequence is computed, in segments of two tokens and more; a single one takes
    another kernel, which rounds differently too.
    """
    core = ov.Core()
    wire = inference_precision(core, device)
    options = compile_options(wire, device=device, threads=threads)
    if backend is Backend.PAGED:
        model = to_paged(core.read_model(folder / "openvino_model.xml"))
        infer = _paged(PagedShard(core, core.compile_model(model, device, options), wire=wire))
    else:
        infer = _published(Published(core, folder, device, options))
    shortest = SHORTEST_REPRODUCIBLE if reproducible else 1
    return list(islice(_answer(infer, list(prompt), sampling, end_ids, shortest=shortest), max_tokens))


def _answer(
    infer: Infer, tokens: list[int], sampling: Sampling, end_ids: frozenset[int], *, shortest: int
) -> Iterator[int]:
    held = 0
    while True:
        while held < len(tokens):
            end = min(held + PREFILL_CHUNK, len(tokens))
            start = max(0, min(held, end - shortest))
            logits = infer(tokens[start:end], start)
            held = end
        (chosen,) = choose(logits, [len(tokens)], sampling)
        if chosen in end_ids:
            return
        yield chosen
        tokens.append(chosen)


def _paged(whole: PagedShard) -> Infer:
    def infer(chunk: list[int], held: int) -> npt.NDArray[np.float32]:
        segment = Segment(SequenceId(1), held, len(chunk), sample=1)
        logits = whole.run(Batch((segment,), np.array(chunk, np.int32))).logits
        assert logits is not None
        return logits

    return infer


def _published(whole: Published) -> Infer:
    def infer(chunk: list[int], held: int) -> npt.NDArray[np.float32]:
        return whole.logits(np.array(chunk, np.int32), held)[-1:]

    return infer
