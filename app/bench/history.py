"""`idlepool bench history`: how soon thousands of conversations are listed and searched, from a file of this user."""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import string
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from idlepool.ui.chat.conversation_model import MOST_FOUND, ConversationModel
from idlepool.ui.history.history import FILE, History
from idlepool.ui.history.values import Message, Role, Tree

VOCABULARY: Final = 20_000
"""Words, the n-th used 1/n as often as the first, as those of a language are."""

AT_ONCE: Final = 500
"""Conversations that are written together."""

SEED: Final = 7


def run(arguments: argparse.Namespace) -> int:
    """Measure, and print a table or one JSON object; times are medians and worst ones of the rounds, in ms."""
    with tempfile.TemporaryDirectory() as folder:
        words = make_words()
        began = time.perf_counter()
        make_file(Path(folder), words, conversations=arguments.conversations, messages=arguments.messages)
        found: dict[str, Any] = {
            "conversations": arguments.conversations,
            "messages_each": arguments.messages,
            "written_s": round(time.perf_counter() - began, 1),
            "megabytes": round((Path(folder) / FILE).stat().st_size / 2**20, 1),
        }
        found["rows"] = [measured.row for measured in measure(Path(folder), words, rounds=arguments.rounds)]
    sys.stdout.write(json.dumps(found) + "\n" if arguments.json else _table(found))
    return 0


def make_words() -> list[str]:
    """The vocabulary, most frequent first."""
    draw = random.Random(SEED)
    return ["".join(draw.choices(string.ascii_lowercase, k=draw.randint(2, 9))) for _ in range(VOCABULARY)]


def make_file(folder: Path, words: list[str], *, conversations: int, messages: int) -> None:
    """Write conversations of random words: questions of 10 to 30, answers of 60 to 140."""
    draw = random.Random(SEED)
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(len(words))))

    def text(fewest: int, most: int) -> str:
        return " ".join(draw.choices(words, cum_weights=weights, k=draw.randint(fewest, most)))

    def message(number: int) -> Message:
        role: Role = "user" if number % 2 else "assistant"
        said = text(10, 30) if role == "user" else text(60, 140)
        return Message(number, 0, number - 1 or None, role, said, "done", "", None, "starter", 0)

    history = History(folder)
    for first in range(0, conversations, AT_ONCE):
        several = range(first, min(first + AT_ONCE, conversations))
        history.add_trees([Tree(text(4, 8), tuple(map(message, range(1, messages + 1)))) for _ in several])
    history.close()


@dataclass(frozen=True, slots=True)
class Measured:
    """One thing that was done in each round."""

    what: str
    milliseconds: tuple[float, ...]
    found: int

    @property
    def row(self) -> dict[str, object]:
        """For the report."""
        middle, worst = statistics.median(self.milliseconds), max(self.milliseconds)
        return {"what": self.what, "median_ms": round(middle, 2), "worst_ms": round(worst, 2), "found": self.found}


def measure(folder: Path, words: list[str], *, rounds: int) -> Iterator[Measured]:
    """Open the file with its list as the window does, then search as a user would type."""

    def open_all() -> int:
        history = History(folder)
        rows = ConversationModel(history).rowCount()
        history.close()
        return rows

    yield _timed("open the file and its list", open_all, rounds)
    history = History(folder)

    def search(words: str) -> int:
        return len(history.search(words, limit=MOST_FOUND))

    yield _timed("read all of the list", lambda: len(history.conversations(limit=10**6)), rounds)
    common, usual, rare = words[0], words[100], words[-1]
    for what, typed in (
        ("the most frequent word", common),
        ("the two most frequent", f"{common} {words[1]}"),
        ("a usual word", usual),
        ("a rare word", rare),
        ("a rare and a frequent word", f"{rare} {common}"),
        ("one letter", "e"),
        ("three letters", usual[:3]),
        ("a word that is nowhere", "zzzzzzzz"),
    ):
        yield _timed(f"search {what}", partial(search, typed), rounds)
    history.close()


def _timed(what: str, act: Callable[[], int], rounds: int) -> Measured:
    times, found = [], 0
    for _ in range(rounds):
        began = time.perf_counter()
        found = act()
        times.append((time.perf_counter() - began) * 1000)
    return Measured(what, tuple(times), found)


def _table(found: dict[str, Any]) -> str:
    size = f"{found['conversations']} conversations of {found['messages_each']} messages, {found['megabytes']} MB"
    lines = [f"{size}, written in {found['written_s']} s", f"{'':36}{'median':>10}{'worst':>10}{'found':>8}"]
    lines += [
        f"{row['what']:36}{row['median_ms']:>7.1f} ms{row['worst_ms']:>7.1f} ms{row['found']:>8}"
        for row in found["rows"]
    ]
    return "\n".join(lines) + "\n"
