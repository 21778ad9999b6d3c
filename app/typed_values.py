"""What is typed after an option, read: each function gives the value, or says what it must be."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable

MAX_DELAY_MS = 10_000

Pair = tuple[int, int]
"""The first layer of a span and the one after its last."""

_STAGE = re.compile(r"(?P<name>[^:].*?)(?::(?P<first>\d+)-(?P<last>\d+))?")


def whole(least: int, most: float = math.inf) -> Callable[[str], int]:
    """What reads a whole number of that range."""

    limit = f"at least {least}" if most == math.inf else f"from {least} to {most}"

    def read(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"it must be a whole number, {limit}, not {text}")
        return int(text)

    return read


def names(text: str) -> tuple[str, ...]:
    """Names parted by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def spans(text: str) -> tuple[Pair, ...]:
    """Spans of layers parted by commas."""
    try:
        pairs = [tuple(map(int, span.split("-"))) for span in text.split(",")]
        read = tuple((first, last) for first, last in pairs)
    except ValueError:
        read = ((0, 0),)
    if not all(first < last for first, last in read):
        raise argparse.ArgumentTypeError(f"it must be spans of layers like 0-12,12-30, not {text}")
    return read


def plan(text: str) -> tuple[tuple[str, ...], tuple[Pair, ...]]:
    """Names of PCs, and a span for each or for none: `PC-A:0-12,PC-B:12-24` or `PC-A,PC-B`."""
    stages = [_STAGE.fullmatch(part.strip()) for part in text.split(",")]
    told = [stage.group("name", "first", "last") for stage in stages if stage is not None]
    pairs = tuple((int(first), int(last)) for _, first, last in told if first is not None)
    whole_plan = len(told) == len(stages) and len(pairs) in (0, len(told))
    if not whole_plan or not all(first < last for first, last in pairs):
        raise argparse.ArgumentTypeError(f"it must be PCs, all with layers or none, like A:0-12,B:12-24, not {text}")
    return tuple(name for name, _, _ in told), pairs


def delays(text: str) -> tuple[float, ...]:
    """Milliseconds parted by commas."""
    try:
        read = tuple(map(float, text.split(",")))
    except ValueError:
        read = (math.nan,)
    if not all(0 <= delay <= MAX_DELAY_MS for delay in read):
        raise argparse.ArgumentTypeError(f"it must be milliseconds, parted by commas, up to {MAX_DELAY_MS}, not {text}")
    return read


def stop_text(text: str) -> str:
    """Anything but nothing."""
    if not text:
        raise argparse.ArgumentTypeError("a stop text cannot be empty")
    return text


def temperature(text: str) -> float:
    """A number that is not negative."""
    try:
        read = float(text)
    except ValueError:
        read = math.nan
    if not 0 <= read < math.inf:
        raise argparse.ArgumentTypeError(f"it must be 0 (always the best token) or more, not {text}")
    return read
