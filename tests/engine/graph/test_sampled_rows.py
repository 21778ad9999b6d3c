"""The candidates that a tail's graph picks are the largest logits, whatever the vocabulary's size."""

from __future__ import annotations

import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest

from idlepool.engine.graph.sampled_rows import BEST, BEST_IDS, BEST_LOGITS, add_best

CORE = ov.Core()
PRIME, ODD_FACTORS, SMALL, TINY = 7919, 50257, 130, 40


def picked(logits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the graph picks of `[rows, vocabulary]`: logits and ids, `[rows, candidates]`."""
    rows, vocabulary = logits.shape
    given = op.parameter(ov.PartialShape([-1, 1, vocabulary]), ov.Type.f32)
    tail = ov.Model([op.result(op.convert(given, "f32"))], [given])
    add_best(tail)
    found = CORE.compile_model(tail, "CPU")(logits.reshape(rows, 1, vocabulary))
    return found[BEST_LOGITS].reshape(rows, -1), found[BEST_IDS].reshape(rows, -1)


@pytest.mark.parametrize("vocabulary", [49152, ODD_FACTORS, PRIME, 4096, SMALL, TINY])
@pytest.mark.parametrize("ties", [False, True])
def test_no_logit_is_larger_than_those_picked(vocabulary: int, ties: bool) -> None:
    generator = np.random.default_rng(vocabulary)
    logits = generator.normal(size=(5, vocabulary)).astype(np.float32)
    if ties:
        logits = np.round(2 * logits) / 2
    best, ids = picked(logits)
    assert np.array_equal(best, -np.sort(-logits, axis=1)[:, :BEST])
    assert np.array_equal(np.take_along_axis(logits, ids, 1), best)
    assert all(len(set(row)) == len(row) for row in ids.tolist())


def test_all_of_them_may_lie_side_by_side() -> None:
    logits = np.zeros((1, 49152), np.float32)
    logits[0, 30_000 : 30_000 + BEST] = np.arange(1, BEST + 1)
    _, ids = picked(logits)
    assert ids[0].tolist() == list(range(30_000 + BEST - 1, 30_000 - 1, -1))
