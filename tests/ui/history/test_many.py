"""What is read of the file does not grow with the number of conversations: counted in steps of SQLite, not in time."""

from __future__ import annotations

import pytest

from idlepool.ui.history.history import History
from idlepool.ui.history.values import Message, Tree

STEP = 10
"""SQLite counts instructions in tens."""


def filled(conversations: int) -> History:
    history = History(None)
    message = Message(1, 0, None, "user", "a word of the day", "done", "", None, "", 0)
    answer = Message(2, 0, 1, "assistant", "a word back", "done", "", None, "", 0)
    history.add_trees([Tree(f"talk {number}", (message, answer)) for number in range(conversations)])
    return history


def steps(history: History, act: str) -> int:
    count = 0

    def tick() -> int:
        nonlocal count
        count += STEP
        return 0

    history._store._database.set_progress_handler(tick, STEP)
    match act:
        case "list":
            assert len(history.conversations(limit=100)) == 100
        case "search":
            assert len(history.search("word", limit=50)) == 50
        case "search titles":
            assert len(history.search("t", limit=50)) == 50
        case "open":
            assert len(history.path(60)) == 2
        case "add":
            history.add_message(60, None, "user", "more")
    history._store._database.set_progress_handler(None, STEP)
    return count


@pytest.mark.parametrize("act", ["list", "search", "search titles", "open", "add"])
def test_many_conversations_cost_no_more_than_some(act: str) -> None:
    some, many = steps(filled(200), act), steps(filled(2_000), act)
    assert many < 1.5 * some + 20 * STEP
