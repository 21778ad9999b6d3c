"""What happens in the window while somebody works with it, for tests that look at it in each of these states."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from idlepool.ui.main_window import MainWindow


def conversed(window: MainWindow, qtbot: QtBot) -> None:
    """Let there be a conversation with answers, code and a failure in it."""
    for question in ("tell me", "fail please"):
        window.chat.ask(question)
        qtbot.waitUntil(lambda: "Answering" not in window.chat.state_words)


def answering(window: MainWindow, qtbot: QtBot) -> None:
    window.chat.ask("hold on, please")
    qtbot.waitUntil(lambda: "HOLD ON" in window.chat.transcript.bubbles[-1].text.toPlainText())


def waiting(window: MainWindow, qtbot: QtBot) -> None:
    window.chat.ask("queue behind the others")
    qtbot.waitUntil(lambda: len(window.chat.transcript.bubbles) == 2)


def editing(window: MainWindow, qtbot: QtBot) -> None:
    conversed(window, qtbot)
    window.chat.edit_last()


def searching(window: MainWindow, qtbot: QtBot) -> None:
    conversed(window, qtbot)
    window.search()
    window.conversations.list.field.setText("tell")
    window.conversations.list.field.search_now()


def deleted(window: MainWindow, qtbot: QtBot) -> None:
    conversed(window, qtbot)
    window.conversations.list.delete(window.chat.session.id)


def troubled(window: MainWindow, qtbot: QtBot) -> None:
    window.banners.add("The disk is full.", "Free some space.").add_action("Details", lambda: None)


def narrow(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(500, 600)
    qtbot.waitUntil(window.sidebar.opener.isVisible)


STATES = [answering, waiting, editing, searching, deleted, troubled, narrow]
