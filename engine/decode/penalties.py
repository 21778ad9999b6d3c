"""What penalties and biases make of logits: only of the tokens that they name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from idlepool.engine.decode.history import Seen
from idlepool.engine.types import Sampling

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


def changed(row: NDArray[Any], sampling: Sampling, seen: Seen | None) -> tuple[Ids, Floats]:
    """The tokens whose logits in `row` [vocabulary] change, each once, and their new logits.

    Every token of the sequence before the place counts as seen, in the prompt or the answer, drafts included. First the
    repetition penalty of CTRL (Keskar et al., 2019): a seen token's logit is divided by it where positive, multiplied
    where negative. Then, as OpenAI documents: minus the presence penalty, once, minus the frequency penalty for each
    time. The bias is added at last, so what it bans stays banned. Tokens outside the vocabulary are passed over.
    """
    ids, counts = _known(seen, len(row)) if sampling.penalises and seen is not None else (_NONE, _NONE)
    if sampling.logit_bias:
        bias_ids, biases = _biases(sampling, len(row))
        both = np.union1d(ids, bias_ids)
        counts = _spread(both, ids, counts)
        ids, added = both, _spread(both, bias_ids, biases)
    else:
        added = np.zeros(len(ids))
    logits: Floats = row[ids].astype(np.float64)
    there = counts > 0
    penalty = sampling.repetition_penalty
    logits = np.where(there, np.where(logits > 0, logits / penalty, logits * penalty), logits)
    logits -= there * sampling.presence_penalty + counts * sampling.frequency_penalty
    return ids, logits + added


_NONE: Ids = np.zeros(0, np.int64)


def _known(seen: Seen, vocabulary: int) -> tuple[Ids, Ids]:
    known = (seen.counts > 0) & (seen.ids < vocabulary)
    return seen.ids[known], seen.counts[known]


def _biases(sampling: Sampling, vocabulary: int) -> tuple[Ids, Floats]:
    ids = np.array([token for token, _ in sampling.logit_bias], np.int64)
    biases = np.array([bias for _, bias in sampling.logit_bias], np.float64)
    known = ids < vocabulary
    return ids[known], biases[known]


def _spread(all_ids: Ids, ids: Ids, values: NDArray[Any]) -> NDArray[Any]:
    """`values` of `ids` at their places among the sorted `all_ids`, 0 elsewhere."""
    spread = np.zeros(len(all_ids), values.dtype)
    spread[np.searchsorted(all_ids, ids)] = values
    return spread
