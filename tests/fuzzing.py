"""Attacks on a parser of what peers send: with anything, for a moment or for long, in memory bounded by what came.

The short form is the same each time. The long one goes on for IDLEPOOL_FUZZ_SECONDS, 600 unless that says otherwise,
from another seed each time; what it finds is to be added to the tests as an example.
"""

from __future__ import annotations

import gc
import os
import random
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from idlepool.engine.errors import IdlepoolError

SHORT_EXAMPLES = 250
LONG_EXAMPLES = 5000
"""Between two looks at the clock."""

MEMORY_EACH = 400
MEMORY_AT_ALL = 2**18
"""Bytes that a parser may take for each byte that came, and for any input."""

REPEATED = 200
LASTING_BYTES = 2**14
"""So many inputs may leave that much behind in all, when they were parsed so often before that caches are full."""
MOST_REPEATS = 30


@dataclass(frozen=True, slots=True)
class Parser:
    """What comes, and what is done with it: IdlepoolError is an answer, anything else a fault."""

    name: str
    inputs: st.SearchStrategy[Any]
    parse: Callable[[Any], object]
    cost: int = 1
    """How many times slower it is than most: it gets so many times fewer inputs."""


def attack_briefly(parser: Parser) -> None:
    """The same each time; a second or two."""
    _attack(parser, examples=SHORT_EXAMPLES // parser.cost)


def attack_for_long(parser: Parser) -> None:
    """Another one each time."""
    end = time.monotonic() + float(os.environ.get("IDLEPOOL_FUZZ_SECONDS", "600"))
    while time.monotonic() < end:
        _attack(parser, examples=LONG_EXAMPLES // parser.cost, number=random.getrandbits(32))


def _attack(parser: Parser, *, examples: int, number: int | None = None) -> None:
    """Parse so many inputs, those of seed `number` or, without one, the same each time."""
    some: list[Any] = []
    endless = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

    @settings(
        max_examples=examples, derandomize=number is None, database=None, deadline=None, suppress_health_check=endless
    )
    @given(parser.inputs)
    def run(data: Any) -> None:
        some[REPEATED // parser.cost - 1 :] = [data]
        tracemalloc.start()
        try:
            _parse(parser, data)
        finally:
            taken = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert taken <= MEMORY_AT_ALL + MEMORY_EACH * _size(data)

    (run if number is None else seed(number)(run))()
    assert _left_behind(parser, some) < LASTING_BYTES


def _parse(parser: Parser, data: Any) -> None:
    try:
        parser.parse(data)
    except IdlepoolError as error:
        assert str(error)


def _left_behind(parser: Parser, inputs: Sequence[Any]) -> int:
    """Bytes that are held after parsing all of them again and were not before, at the first time that is little."""
    left = held = 0
    tracemalloc.start()
    for _ in range(MOST_REPEATS):
        for data in inputs:
            _parse(parser, data)
        gc.collect()
        left, held = tracemalloc.get_traced_memory()[0] - held, tracemalloc.get_traced_memory()[0]
        if left < LASTING_BYTES:
            break
    tracemalloc.stop()
    return left


def _size(data: Any) -> int:
    return len(data) if isinstance(data, (bytes, str)) else sum(map(_size, data)) if isinstance(data, tuple) else 1
