"""A plan made by hand that cannot be: the question stays, and one click has it answered with the automatic plan."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.chat_page import ChatPage


def texts(page: ChatPage) -> list[str]:
    return [bubble.text.toPlainText() for bubble in page.transcript.bubbles]


def offered(page: ChatPage) -> list[str]:
    """What can be done about the last answer."""
    buttons = page.transcript.bubbles[-1].findChildren(QPushButton)
    return [button.text() for button in buttons if button.isVisible()]


def test_the_automatic_plan_is_offered_where_the_own_one_fails_and_answers(open_page, qtbot: QtBot):
    page = open_page()
    page.ask("unfit for it")
    qtbot.waitUntil(lambda: offered(page) == ["Plan automatically", "Ask again"])
    asked = page.session.id
    page.new_conversation()
    page.open_conversation(asked)  # it is drawn anew
    assert offered(page) == ["Plan automatically", "Ask again"]
    buttons = page.transcript.bubbles[-1].findChildren(QPushButton)
    qtbot.mouseClick(
        next(button for button in buttons if button.text() == "Plan automatically"), Qt.MouseButton.LeftButton
    )
    qtbot.waitUntil(lambda: texts(page) == ["unfit for it", "UNFIT FOR IT"])
    assert offered(page) == []


def test_any_other_failure_offers_no_plan(open_page, qtbot: QtBot):
    page = open_page()
    page.ask("fail now")
    qtbot.waitUntil(lambda: offered(page) == ["Go on", "Ask again"])
