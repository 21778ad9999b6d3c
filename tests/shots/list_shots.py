"""The sidebar: conversations by age, search, renaming, undo, many of them, and the rail of a narrow window."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shots.shot import SETTLE_MS, SIZES, Shot

from idlepool.ui.history.history import History
from idlepool.ui.main_window import MainWindow

DAY_MS = 24 * 3600 * 1000

TALKS = (
    ("Compare three ways to sort a list, with a table and an example", "Merge sort keeps equal items in order.", 0),
    ("Explain how a rainbow forms", "A rainbow needs sunlight and raindrops. Light is refracted as it enters.", 0),
    ("東京の天気はどうですか", "今日の東京は晴れです。傘はいりません。", 0),
    ("Why is the sky blue?", "Sunlight is scattered by the air; blue light is scattered most.", 1),
    ("Write a polite reply to the landlord about the heating", "Dear Ms Brown, the heating has been cold", 1),
    ("What does this Python traceback mean?", "The list is shorter than the index: sunlight has no part in it.", 3),
    ("Plan a birthday party for twelve children", "Begin with the invitations.", 5),
    ("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "Ein langes Wort.", 12),
    ("Recipe for lentil soup", "Wash the lentils.", 40),
    ("Difference between TCP and UDP", "TCP keeps the order.", 90),
)


def fill(history: History) -> None:
    """Conversations of several ages, one of them pinned."""
    now = time.time_ns() // 1_000_000
    for question, answer, days in reversed(TALKS):
        conversation = history.create(model="starter")
        asked = history.add_message(conversation.id, None, "user", question)
        history.add_message(conversation.id, asked.id, "assistant", answer, model="starter")
        history._update("changed_ms = ?", conversation.id, now - days * DAY_MS)
    history.pin(history.search("lentil", limit=1)[0].entry.id, True)


def rename(window: MainWindow) -> None:
    view = window.conversations.list.view
    view.setFocus()
    view.edit(window.conversations.list.model.index(3, 0))


def delete(window: MainWindow) -> None:
    window.conversations.list.delete(window.history.search("traceback", limit=1)[0].entry.id)


def keys(window: MainWindow) -> None:
    view = window.conversations.list.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)


ACTS: dict[str, Callable[[MainWindow], object]] = {
    "<open>": lambda window: window.conversations.list.chosen.emit(
        window.history.search("rainbow", limit=1)[0].entry.id
    ),
    "<rename>": rename,
    "<delete>": delete,
    "<keys>": keys,
    "<drawer>": lambda window: window.sidebar.opener.click(),
    "<broken>": lambda window: window.history.on_problem(
        "The disk is full: conversations are only kept in memory until there is room on it."
    ),
}


def act(window: MainWindow, steps: tuple[str, ...]) -> QWidget | None:
    """Do what a user would do."""
    listed = window.conversations.list
    if "<empty>" not in steps:
        fill(window.history)
        listed.reload()
    for step in steps:
        if step.startswith("?"):
            window.search()
            listed.field.setText(step[1:])
            listed.field.search_now()
        else:
            ACTS.get(step, lambda _: None)(window)
        QTest.qWait(SETTLE_MS)
    return None


def shot(name: str, *steps: str, sizes: tuple[tuple[int, int], ...] = SIZES) -> Shot:
    return Shot(name, partial(act, steps=steps), sizes=sizes)


SHOTS = [
    shot("list", "<open>"),
    shot("list-empty", "<empty>", sizes=((900, 600),)),
    shot("list-search", "<open>", "?sunli", sizes=((900, 600),)),
    shot("list-search-japanese", "?東京", sizes=((900, 600),)),
    shot("list-search-nothing", "?zebra", sizes=((900, 600),)),
    shot("list-rename", "<rename>", sizes=((900, 600),)),
    shot("list-deleted", "<open>", "<delete>", sizes=((900, 600),)),
    shot("list-keys", "<open>", "<keys>", sizes=((900, 600),)),
    shot("list-trouble", "<open>", "<broken>", sizes=((900, 600),)),
    shot("list-rail", "<open>", sizes=((700, 600), (420, 480))),
    shot("list-drawer", "<open>", "<drawer>", sizes=((700, 600), (420, 480))),
]
