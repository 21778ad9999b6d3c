"""Whether a chain of stages gives a sequence the same bits whatever the chunks it came in and whoever came along.

The promise of reproducible decoding rests on this, for segments of two tokens and more (the last confirmed token is
computed again) and a cache at inference precision; a single token takes another attention kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from idlepool.engine.backends.probe_model import VOCABULARY
from idlepool.engine.backends.stage_chain import StageChain
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import SequenceId

PREFILL = 30
END = 46
COMPANIES = (0, 1, 3)
"""How many other sequences run beside, one try each; a static shard holds four in all."""

Ids = npt.NDArray[np.int32]
Logits = npt.NDArray[np.float32]


def is_reproducible(chain: StageChain) -> bool:
    """Compare one sequence, alone and two tokens at a time, with random chunks in company; exact equality."""
    random = np.random.default_rng(7)
    people = random.integers(0, VOCABULARY, (max(COMPANIES) + 1, END)).astype(np.int32)
    chain.run((_segment(0, 0, PREFILL),), people[0][:PREFILL])
    alone = [chain.run((_segment(0, at - 1, at + 1),), people[0][at - 1 : at + 1]).logits[1] for at in _places()]
    tries = [_decode(chain, people, others, random) for others in COMPANIES]
    for who in range(len(people)):
        chain.end(SequenceId(who + 1))
    return all(np.array_equal(found, np.array(alone)) for found in tries)


def _places() -> range:
    return range(PREFILL, END)


def _decode(chain: StageChain, people: Ids, others: int, random: np.random.Generator) -> Logits:
    """Logits `[places, vocabulary]` of the first of `people`, decoded in random steps beside `others`."""
    middle = int(random.integers(2, PREFILL - 1))
    for first, last in ((0, middle), (middle, PREFILL)):
        chain.run((_segment(0, first, last),), people[0][first:last])
    held = [0] * (others + 1)
    rows: list[Logits] = []
    at = PREFILL
    while at < END:
        step = min(int(random.integers(1, 6)), END - at)
        segments = [_segment(0, at - 1, at + step)]
        for who in range(1, others + 1):
            first = held[who] if held[who] < END - 8 else 0
            held[who] = first + int(random.integers(1, 8))
            segments.append(_segment(who, first, held[who]))
        rows.append(_run(chain, segments, people)[1 : step + 1])
        at += step
    return np.concatenate(rows)


def _segment(who: int, first: int, last: int) -> Segment:
    return Segment(SequenceId(who + 1), first, last - first, sample=last - first)


def _run(chain: StageChain, segments: Sequence[Segment], people: Ids) -> Logits:
    ids = np.concatenate([people[s.sequence - 1][s.start : s.start + s.count] for s in segments])
    return chain.run(tuple(segments), ids).logits
