"""Who asks what and when: while people sit at their PCs, and how long questions and answers are. All assumed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import count
from random import Random

from idlepool.engine.decode.request import Request
from idlepool.engine.simulation.presence import Times
from idlepool.engine.types import Sampling

ASKS = 0.1
"""How likely somebody uses the model at all."""

EVERY_S = 1800.0
"""Between two questions of somebody who sits at the PC, on the average."""

PROMPT_TOKENS, MOST_PROMPT_TOKENS = 350, 4096
"""The median with all that was said before, and the most."""

ANSWER_TOKENS, MOST_ANSWER_TOKENS = 180, 1024

SPREAD = 0.8
"""Standard deviation of the logarithms."""


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody at the PC of that number asks at a time."""

    at_s: float
    pc: int
    request: Request


def questions(pc: int, desk_times: Times, *, vocabulary: int, chance: Random) -> list[Question]:
    """Those of one person, the earliest first."""
    if chance.random() >= ASKS:
        return []
    found = []
    numbers = count()
    for first, last in desk_times:
        time = first + chance.expovariate(1 / EVERY_S)
        while time < last:
            request = _request(f"{pc}-{next(numbers)}", vocabulary, chance)
            found.append(Question(time, pc, request))
            time += chance.expovariate(1 / EVERY_S)
    return found


def _request(conversation: str, vocabulary: int, chance: Random) -> Request:
    prompt = tuple(chance.choices(range(vocabulary), k=_length(PROMPT_TOKENS, MOST_PROMPT_TOKENS, chance)))
    tokens = _length(ANSWER_TOKENS, MOST_ANSWER_TOKENS, chance)
    return Request(conversation, prompt, Sampling(), frozenset(), tokens, reproducible=True)


def _length(median: int, most: int, chance: Random) -> int:
    return max(1, min(most, round(math.exp(chance.gauss(math.log(median), SPREAD)))))
