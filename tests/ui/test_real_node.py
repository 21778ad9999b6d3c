"""The window with the node that ships: questions go through every layer, and what was said outlives node and window."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from seen import button

from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.child_process import python_module
from idlepool.ui.bridge import Bridge
from idlepool.ui.chat.bubble import AnswerBubble
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.chat.message_tools import Act
from idlepool.ui.history.values import ChatSettings
from idlepool.ui.main_window import MainWindow
from idlepool.ui.preferences import Preferences

pytestmark = pytest.mark.model

PATIENCE_MS = 60_000

Opener = Callable[[], MainWindow]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all nodes here, one after the other: what one of them compiled the next one finds."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def open_it(qtbot: QtBot, starter_store: ModelStore, home: Path, tmp_path: Path) -> Iterator[Opener]:
    """Open a window on the same data folder, as a start of Idlepool does; the one before is closed."""
    options = ["--home", str(home), "--library", str(starter_store.root), "--port", "0", "--key-file"]
    options += ["--listen", "127.0.0.1", "--lend", "always"]
    command = python_module("idlepool.app", "node", "--control", "--name", "pc-1", *options)
    windows: list[tuple[MainWindow, Bridge]] = []

    def close() -> None:
        for window, bridge in windows[-1:]:
            window.revival.stop()
            window.remember()
            window.hide()
            bridge.stop()
            window.conversations.end()
        windows.clear()

    def open_one() -> MainWindow:
        close()
        bridge = Bridge(command)
        window = MainWindow(bridge, preferences=Preferences(tmp_path / "window"))
        windows.append((window, bridge))
        qtbot.addWidget(window)
        window.show()
        bridge.start()
        qtbot.waitUntil(lambda: window.chat.header.model == "starter", timeout=PATIENCE_MS)
        return window

    yield open_one
    close()


def answers(page: ChatPage) -> list[AnswerBubble]:
    return [bubble for bubble in page.transcript.bubbles if isinstance(bubble, AnswerBubble)]


def said(page: ChatPage) -> list[str]:
    return [message.text for message in page.session.path]


def settled(page: ChatPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.state_words.startswith("Ready"), timeout=PATIENCE_MS)


def ask(page: ChatPage, qtbot: QtBot, question: str) -> None:
    """And wait for the answer, of which the first words do."""
    settled(page, qtbot)
    page.session.save_settings(replace(page.session.settings, max_tokens=24))
    page.ask(question)
    settled(page, qtbot)


def press(page: ChatPage, act: Act) -> None:
    """What is below the newest answer."""
    newest = answers(page)[-1]
    newest.reveal_tools(True)
    newest.tools.buttons[act].click()


def test_questions_are_answered_stopped_and_gone_on_with(open_it: Opener, qtbot: QtBot) -> None:
    page = open_it().chat
    ask(page, qtbot, "What is the capital of Japan?")
    assert "Tokyo" in answers(page)[0].source
    assert "pc-1: layers 0–29 (CPU)" in page.pipeline_line.text

    page.ask("Tell me a very long story about it.")
    qtbot.waitUntil(lambda: len(answers(page)[1].source) > 20, timeout=PATIENCE_MS)
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Escape)
    kept = answers(page)[1].source
    assert page.session.path[-1].state == "stopped"

    press(page, Act.GO_ON)
    qtbot.waitUntil(lambda: len(answers(page)[1].source) > len(kept) + 20, timeout=PATIENCE_MS)
    page.stop()
    assert said(page)[-1].startswith(kept)

    ask(page, qtbot, "And the capital of Italy? Answer in one word.")
    assert answers(page)[2].source


def test_an_answer_has_versions_and_a_question_branches(open_it: Opener, qtbot: QtBot) -> None:
    page = open_it().chat
    ask(page, qtbot, "What is the capital of Japan?")
    first = said(page)[-1]
    qtbot.keyClick(page.composer.field, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.session.answering is not None)
    settled(page, qtbot)
    assert "Tokyo" in said(page)[-1]
    press(page, Act.PREVIOUS)
    assert said(page)[-1] == first

    qtbot.keyClick(page.composer.field, Qt.Key.Key_Up)
    page.composer.field.selectAll()
    qtbot.keyClicks(page.composer.field, "What is the capital of France?")
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Return)
    settled(page, qtbot)
    assert said(page)[0] == "What is the capital of France?"
    assert len(page.session.history.siblings(page.session.path[0].id)) == 2


def test_after_a_restart_all_is_found_again(open_it: Opener, qtbot: QtBot) -> None:
    first = open_it()
    ask(first.chat, qtbot, "What is the capital of Japan?")
    before = said(first.chat)
    first.chat.new_conversation()
    ask(first.chat, qtbot, "Name a colour of the rainbow.")
    qtbot.keyClicks(first.chat.composer.field, "half a thought")
    shown = first.chat.session.id

    window = open_it()
    page = window.chat
    assert page.session.id == shown
    assert page.composer.field.toPlainText() == "half a thought"
    window.conversations.search()
    qtbot.keyClicks(window.conversations.list.field, "capital tok")
    qtbot.waitUntil(lambda: window.conversations.list.model.rowCount() == 1)
    qtbot.keyClick(window.conversations.list.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said(page) == before)
    ask(page, qtbot, "And of Italy?")
    assert len(said(page)) == 4


def test_a_node_that_is_killed_is_told_of_and_started_again_and_nothing_is_lost(open_it: Opener, qtbot: QtBot) -> None:
    window = open_it()
    page = window.chat
    page.ask("Tell me a very long story about Japan.")
    qtbot.waitUntil(lambda: len(answers(page)[0].source) > 40, timeout=PATIENCE_MS)
    page.composer.field.setPlainText("half a thought")
    (node,) = (child for child in psutil.Process().children() if "node" in child.cmdline())
    node.kill()
    qtbot.waitUntil(lambda: page.session.answering is None, timeout=PATIENCE_MS)
    partial = said(page)[-1]
    assert len(partial) > 40
    assert page.session.path[-1].state == "failed"
    assert any(re.search("crashed|ended", banner.sentence) for banner in window.banners.shown)
    qtbot.waitUntil(lambda: page.node.can_answer, timeout=PATIENCE_MS)
    assert page.composer.field.toPlainText() == "half a thought"

    qtbot.mouseClick(button(answers(page)[-1], "Go on"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(answers(page)[-1].source) > len(partial) + 20, timeout=PATIENCE_MS)
    page.stop()
    assert said(page)[-1].startswith(partial)


def test_what_the_model_is_told_beforehand_and_a_seed_give_the_same_answer(open_it: Opener, qtbot: QtBot) -> None:
    page = open_it().chat
    page.session.save_settings(ChatSettings(system_prompt="Be brief.", seed=5))
    ask(page, qtbot, "Write a line about rain.")
    page.ask_again()
    settled(page, qtbot)
    history = page.session.history
    first, second = map(history.message, history.siblings(page.session.path[1].id))
    assert first.text == second.text
    assert first.figures is not None
    assert first.figures.tokens <= 24


def test_nothing_is_left_when_the_window_goes(open_it: Opener, qtbot: QtBot) -> None:
    window = open_it()
    page = window.chat
    page.ask("What is the capital of Japan?")
    qtbot.waitUntil(lambda: bool(answers(page)[0].source), timeout=PATIENCE_MS)
    children = psutil.Process(os.getpid()).children(recursive=True)
    assert len(children) >= 2
    window.state.bridge.stop()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []
