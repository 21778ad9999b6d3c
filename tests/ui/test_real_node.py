"""The window with the node that ships: a question goes through every layer and comes back as a bubble."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.child_process import python_module
from idlepool.ui.bridge import Bridge
from idlepool.ui.bubble import AnswerBubble
from idlepool.ui.chat_window import ChatWindow

pytestmark = pytest.mark.model

PATIENCE_MS = 60_000


@pytest.fixture
def window(qtbot: QtBot, starter_store: ModelStore, tmp_path: Path):
    options = ["--home", str(tmp_path), "--library", str(starter_store.root), "--port", "0", "--key-file"]
    options += ["--listen", "127.0.0.1", "--lend", "always"]
    bridge = Bridge(python_module("idlepool.app", "node", "--control", "--name", "pc-1", *options))
    window = ChatWindow(bridge)
    qtbot.addWidget(window)
    window.show()
    bridge.start()
    qtbot.waitUntil(lambda: window.header.model == "starter", timeout=PATIENCE_MS)
    yield window
    bridge.stop()


def answers(window: ChatWindow) -> list[AnswerBubble]:
    return [bubble for bubble in window.transcript.bubbles if isinstance(bubble, AnswerBubble)]


def test_questions_are_answered_stopped_and_asked_again(window: ChatWindow, qtbot: QtBot) -> None:
    window.ask("What is the capital of Japan?")
    qtbot.waitUntil(lambda: "Tokyo" in answers(window)[0].source, timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: "tokens/s" in window.pipeline_line.text or window.state_words.startswith("Ready"))
    assert "pc-1: layers 0–29 (CPU)" in window.pipeline_line.text

    qtbot.waitUntil(lambda: window.state_words.startswith("Ready"), timeout=PATIENCE_MS)
    window.ask("Tell me a very long story about it.")
    qtbot.waitUntil(lambda: len(answers(window)[1].source) > 20, timeout=PATIENCE_MS)
    window.stop()
    qtbot.waitUntil(lambda: window.state_words.startswith("Ready"), timeout=PATIENCE_MS)
    kept = answers(window)[1].source

    window.ask("And the capital of Italy? Answer in one word.")
    qtbot.waitUntil(
        lambda: window.state_words.startswith("Ready") and bool(answers(window)[2].source), timeout=PATIENCE_MS
    )
    assert answers(window)[1].source == kept


def test_nothing_is_left_when_the_window_goes(window: ChatWindow, qtbot: QtBot) -> None:
    window.ask("What is the capital of Japan?")
    qtbot.waitUntil(lambda: bool(answers(window)[0].source), timeout=PATIENCE_MS)
    children = psutil.Process(os.getpid()).children(recursive=True)
    assert len(children) >= 2
    window._bridge.stop()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []
