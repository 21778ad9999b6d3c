"""Log-probabilities on request: by the model's own distribution, at temperature 1, before penalties, bias and cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from idlepool.engine.decode.candidates import first_of


def logprobs_of(row: NDArray[Any], token: int, *, count: int) -> tuple[float, tuple[tuple[int, float], ...]]:
    """The log-probability of `token`, and the `count` best tokens of `row` [vocabulary] with theirs, best first.

    All are float32 values, never above 0; the smallest float32 stands for a token that cannot come at all.
    """
    wide = row.astype(np.float64)
    wide -= wide.max()
    shift = np.log(np.exp(wide).sum())
    best = first_of(row, count) if count else np.zeros(0, np.int64)
    limits = np.finfo(np.float32)
    values = np.clip(wide[[token, *best]] - shift, limits.min, 0).astype(np.float32).tolist()
    return values[0], tuple(zip(best.tolist(), values[1:], strict=True))
