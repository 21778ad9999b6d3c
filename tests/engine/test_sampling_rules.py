"""Settings are judged by one table; what a peer made huge is refused and not kept."""

from __future__ import annotations

import gc
import tracemalloc

from idlepool.engine.sampling_rules import MAX_BIASES, broken_rule
from idlepool.engine.types import Sampling


def test_what_is_refused_for_its_length_is_not_remembered() -> None:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(50):
        rule = broken_rule(Sampling(logit_bias=tuple((token, number / 7) for token in range(20 * MAX_BIASES))))
        assert rule is not None
        assert rule.field == "logit_bias"
    gc.collect()
    left = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert left < 2**16


def test_the_longest_that_is_allowed_is_taken() -> None:
    assert broken_rule(Sampling(logit_bias=tuple((token, 1.0) for token in range(MAX_BIASES)))) is None
