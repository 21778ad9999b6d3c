"""The published model, whole and uncut, driven by the plainest loop there is: what every split is compared with.

It shares with the stages the sampler, the chunks and the compile options, and nothing of the cutting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.device import compile_options, inference_precision
from idlepool.engine.decode.head import PREFILL_CHUNK
from idlepool.engine.decode.sampler import choose
from idlepool.engine.types import Sampling


def unsplit_ids(
    folder: Path,
    prompt: Sequence[int],
    *,
    sampling: Sampling,
    end_ids: frozenset[int],
    max_tokens: int,
    device: str = "CPU",
    threads: int = 0,
) -> list[int]:
    """What the unsplit model in `folder` answers to `prompt`, up to an end id, at most `max_tokens` ids."""
    core = ov.Core()
    options = compile_options(inference_precision(core, device), threads=threads)
    compiled = core.compile_model(folder / "openvino_model.xml", device, options)
    return list(islice(_answer(compiled, list(prompt), sampling, end_ids), max_tokens))


def _answer(
    compiled: ov.CompiledModel, tokens: list[int], sampling: Sampling, end_ids: frozenset[int]
) -> Iterator[int]:
    request = compiled.create_infer_request()
    held = 0
    while True:
        while held < len(tokens):
            chunk = tokens[held : held + PREFILL_CHUNK]
            logits = _infer(compiled, request, chunk, held)
            held += len(chunk)
        (chosen,) = choose(logits, [len(tokens)], sampling)
        if chosen in end_ids:
            return
        yield chosen
        tokens.append(chosen)


def _infer(
    compiled: ov.CompiledModel, request: ov.InferRequest, chunk: list[int], held: int
) -> npt.NDArray[np.float32]:
    """Logits of the chunk's last token, `[1, vocabulary]`."""
    end = held + len(chunk)
    feeds = {
        "input_ids": np.array([chunk], np.int64),
        "attention_mask": np.ones((1, end), np.int64),
        "position_ids": np.arange(held, end, dtype=np.int64)[None],
        "beam_idx": np.zeros(1, np.int32),
    }
    for port in compiled.inputs:
        name = port.get_any_name()
        request.set_tensor(name, ov.Tensor(feeds[name]))
    request.infer()
    logits: npt.NDArray[np.float32] = request.get_output_tensor(0).data[0, -1:].astype(np.float32)
    return logits
