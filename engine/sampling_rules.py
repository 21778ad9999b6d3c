"""What sampling settings may be: one table, by which a user's request and a peer's frame are judged alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from idlepool.engine.types import Sampling

LARGEST_SEED = 2**63 - 1
MAX_BIASES = 300
MAX_LOGPROBS = 20
_LARGEST_ID = 2**31 - 1
_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Rule:
    """What one field of Sampling may be; `must` says it to the user."""

    field: str
    name: str
    holds: Callable[[Any], bool]
    must: str

    def shown(self, sampling: Sampling) -> str:
        """The value that breaks the rule, for a sentence."""
        text = str(getattr(sampling, self.field))
        return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _finite_biases(biases: tuple[tuple[int, float], ...]) -> bool:
    ids = {token for token, _ in biases}
    return (
        len(biases) == len(ids) <= MAX_BIASES
        and all(0 <= token <= _LARGEST_ID for token in ids)
        and all(math.isfinite(bias) for _, bias in biases)
    )


# NaN fails every comparison, so a range needs no other check.
RULES = (
    Rule("temperature", "temperature", lambda t: 0 <= t < math.inf, "It must be 0 (always the best token) or more."),
    Rule("top_k", "top-k", lambda k: 0 <= k < 2**63, "It must be 0 (no limit) or more."),
    Rule("top_p", "top-p", lambda p: 0 < p <= 1, "It must be above 0 and at most 1 (no limit)."),
    Rule("min_p", "min-p", lambda p: 0 <= p <= 1, "It must be from 0 (no limit) to 1."),
    Rule("seed", "seed", lambda s: 0 <= s <= LARGEST_SEED, f"It must be a whole number from 0 to {LARGEST_SEED}."),
    # Within these no product of a logit overflows.
    Rule("repetition_penalty", "repetition penalty", lambda r: 0.01 <= r <= 100, "It must be from 0.01 to 100."),
    Rule("presence_penalty", "presence penalty", lambda p: -2 <= p <= 2, "It must be from -2 to 2."),
    Rule("frequency_penalty", "frequency penalty", lambda p: -2 <= p <= 2, "It must be from -2 to 2."),
    Rule(
        "logit_bias",
        "logit bias",
        _finite_biases,
        f"It must be at most {MAX_BIASES} finite numbers, each for another token.",
    ),
    Rule(
        "logprobs",
        "number of log-probabilities",
        lambda n: -1 <= n <= MAX_LOGPROBS,
        f"It must be from 0 to {MAX_LOGPROBS}, or -1 for none.",
    ),
)


def broken_rule(sampling: Sampling) -> Rule | None:
    """The first rule that `sampling` breaks, if any."""
    # What a peer made as long as a frame can be is not to be remembered.
    return (_broken_rule if len(sampling.logit_bias) <= MAX_BIASES else _broken_rule.__wrapped__)(sampling)


@lru_cache(maxsize=256)
def _broken_rule(sampling: Sampling) -> Rule | None:
    """Remembered: every frame brings the same settings again."""
    return next((rule for rule in RULES if not rule.holds(getattr(sampling, rule.field))), None)
