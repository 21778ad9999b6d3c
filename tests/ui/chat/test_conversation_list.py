"""The list of conversations: opened, searched, renamed, pinned, deleted and brought back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from idlepool.ui.chat import conversation_model
from idlepool.ui.chat.conversation_delegate import more_rect
from idlepool.ui.chat.conversation_list import ConversationList
from idlepool.ui.chat.conversation_model import ROW, entry_of
from idlepool.ui.history.history import History

OPEN = {"Open", "Rename", "Pin", "Export …", "Delete"}


@pytest.fixture
def history() -> History:
    return History(None)


@pytest.fixture
def listed(history: History, qtbot: QtBot) -> ConversationList:
    for question, answer in (
        ("lentil soup", "Wash them."),
        ("blue sky", "Rayleigh scattering."),
        ("日本語", "東京です。"),
    ):
        talk(history, question, answer)
    shown = ConversationList(history)
    qtbot.addWidget(shown)
    shown.resize(240, 600)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def talk(history: History, question: str, answer: str = "Yes.") -> int:
    conversation = history.create()
    asked = history.add_message(conversation.id, None, "user", question)
    history.add_message(conversation.id, asked.id, "assistant", answer)
    return conversation.id


def rows(listed: ConversationList) -> list[str]:
    return [str(listed.model.index(number, 0).data()) for number in range(listed.model.rowCount())]


def index_of(listed: ConversationList, title: str) -> QModelIndex:
    return listed.model.index(rows(listed).index(title), 0)


def number_of(listed: ConversationList, title: str) -> int:
    entry = entry_of(index_of(listed, title).data(ROW))
    assert entry
    return entry.id


def click(listed: ConversationList, qtbot: QtBot, title: str) -> None:
    where = listed.view.visualRect(index_of(listed, title)).center()
    qtbot.mouseClick(listed.view.viewport(), Qt.MouseButton.LeftButton, pos=where)


def search(listed: ConversationList, qtbot: QtBot, words: str) -> None:
    listed.focus_search()
    listed.field.setText(words)
    qtbot.waitUntil(lambda: listed.model.words == words)


def test_the_newest_is_first_and_a_click_opens_it(listed, qtbot: QtBot):
    assert rows(listed) == ["Today", "日本語", "blue sky", "lentil soup"]
    with qtbot.waitSignal(listed.chosen) as chosen:
        click(listed, qtbot, "blue sky")
    assert chosen.args == [number_of(listed, "blue sky")]


def test_a_heading_cannot_be_chosen(listed, qtbot: QtBot):
    with qtbot.assertNotEmitted(listed.chosen):
        click(listed, qtbot, "Today")
    listed.view.setFocus()
    listed.view.choose(number_of(listed, "日本語"))
    qtbot.keyClick(listed.view, Qt.Key.Key_Up)
    assert listed.view.currentIndex().data() == "日本語"


def test_arrows_and_enter_open_a_conversation(listed, qtbot: QtBot):
    listed.view.setFocus()
    listed.view.choose_first()
    qtbot.keyClick(listed.view, Qt.Key.Key_Down)
    with qtbot.waitSignal(listed.chosen) as chosen:
        qtbot.keyClick(listed.view, Qt.Key.Key_Return)
    assert chosen.args == [number_of(listed, "blue sky")]


def test_what_is_typed_is_searched_and_enter_opens_the_first(listed, history: History, qtbot: QtBot):
    listed.focus_search()
    qtbot.keyClicks(listed.field, "rayl")
    with qtbot.waitSignal(listed.chosen) as chosen:
        qtbot.keyClick(listed.field, Qt.Key.Key_Return)  # faster than the search would begin
    assert rows(listed) == ["blue sky"]
    assert history.open(chosen.args[0]).title == "blue sky"
    found = listed.model.index(0, 0).data(ROW)
    assert [piece.text for piece in found.snippet if piece.found] == ["Rayleigh"]


def test_opening_what_was_found_shows_the_branch_it_stands_in(listed, history: History, qtbot: QtBot):
    number = number_of(listed, "blue sky")
    asked = history.path(number)[0]
    history.add_message(number, asked.id, "assistant", "Another version.")
    search(listed, qtbot, "rayleigh")
    click(listed, qtbot, "blue sky")
    assert history.path(number)[-1].text == "Rayleigh scattering."


def test_opening_what_was_found_in_the_shown_branch_turns_to_no_other(listed, history: History, qtbot: QtBot):
    number = number_of(listed, "blue sky")
    asked, first = history.path(number)
    history.add_message(number, asked.id, "assistant", "Another version.")
    history.choose(first.id)
    search(listed, qtbot, "sky")
    click(listed, qtbot, "blue sky")
    assert history.path(number)[-1].text == "Rayleigh scattering."


def test_what_was_found_in_a_title_leads_to_the_question_that_it_was_made_of(listed, history: History, qtbot: QtBot):
    number = number_of(listed, "blue sky")
    asked, answer = history.path(number)
    history.add_message(number, answer.id, "user", "The sky once more, blue as it is.")
    search(listed, qtbot, "sky blu")
    with qtbot.waitSignal(listed.found) as found:
        click(listed, qtbot, "blue sky")
    assert found.args == [asked.id]
    history.rename(number, "Colours overhead")
    search(listed, qtbot, "overhead")
    with qtbot.assertNotEmitted(listed.found), qtbot.waitSignal(listed.chosen):
        click(listed, qtbot, "Colours overhead")


def test_arrows_move_through_what_was_found_while_typing_goes_on(listed, qtbot: QtBot):
    search(listed, qtbot, "s")
    assert listed.view.currentIndex().row() == 0
    qtbot.keyClick(listed.field, Qt.Key.Key_Down)
    assert listed.view.currentIndex().row() == 1
    qtbot.keyClicks(listed.field, "oup")
    qtbot.waitUntil(lambda: rows(listed) == ["lentil soup"])


def test_escape_clears_the_search_and_then_leaves_the_list(listed, qtbot: QtBot):
    search(listed, qtbot, "zebra")
    assert listed.nothing.isVisible()
    assert "zebra" in listed.nothing.text()
    with qtbot.assertNotEmitted(listed.left):
        qtbot.keyClick(listed.field, Qt.Key.Key_Escape)
    assert len(rows(listed)) == 4
    assert not listed.nothing.isVisible()
    with qtbot.waitSignal(listed.left):
        qtbot.keyClick(listed.field, Qt.Key.Key_Escape)


def test_f2_renames_in_place(listed, history: History, qtbot: QtBot):
    number = number_of(listed, "blue sky")
    listed.view.choose(number)
    listed.view.setFocus()
    qtbot.keyClick(listed.view, Qt.Key.Key_F2)
    editor = listed.view.findChild(QLineEdit)
    assert editor.text() == "blue sky"
    listed.reload()  # an answer ended meanwhile: the field stays
    assert editor.isVisible()
    editor.setText("Why blue?")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Why blue?" in rows(listed))
    assert history.open(number).title == "Why blue?"
    assert listed.view.currentIndex().data() == "Why blue?"


def test_escape_leaves_the_title_as_it_was(listed, qtbot: QtBot):
    listed.view.choose(number_of(listed, "blue sky"))
    listed.view.setFocus()
    qtbot.keyClick(listed.view, Qt.Key.Key_F2)
    editor = listed.view.findChild(QLineEdit)
    editor.setText("no")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not listed.view.editing)
    assert "blue sky" in rows(listed)


def test_delete_offers_to_undo(listed, history: History, qtbot: QtBot):
    number = number_of(listed, "blue sky")
    listed.view.choose(number)
    listed.view.setFocus()
    with qtbot.waitSignal(listed.deleted) as deleted:
        qtbot.keyClick(listed.view, Qt.Key.Key_Delete)
    assert deleted.args == [number]
    assert "blue sky" not in rows(listed)
    assert listed.view.currentIndex().data() == "lentil soup"
    assert listed.undo.isVisible()
    with qtbot.waitSignal(listed.chosen) as chosen:
        listed.undo.button.click()
    assert chosen.args == [number]
    assert "blue sky" in rows(listed)
    assert not listed.undo.isVisible()


def test_the_offer_to_undo_ends_with_the_next_conversation(listed, qtbot: QtBot):
    listed.delete(number_of(listed, "blue sky"))
    listed.show_current(number_of(listed, "lentil soup"))
    assert not listed.undo.isVisible()


def test_the_last_one_deleted_leaves_a_sentence(listed, qtbot: QtBot):
    for title in ("blue sky", "lentil soup", "日本語"):
        listed.delete(number_of(listed, title))
    assert rows(listed) == []
    assert listed.nothing.isVisible()


def test_a_pinned_one_goes_to_the_top(listed, qtbot: QtBot):
    menu = listed.view.menu_of(index_of(listed, "lentil soup"))
    next(action for action in menu.actions() if action.text() == "Pin").trigger()
    assert rows(listed) == ["Pinned", "lentil soup", "Today", "日本語", "blue sky"]
    menu = listed.view.menu_of(index_of(listed, "lentil soup"))
    next(action for action in menu.actions() if action.text() == "Unpin").trigger()
    assert rows(listed)[-1] == "lentil soup"


def test_the_menu_has_all_that_can_be_done(listed):
    menu = listed.view.menu_of(index_of(listed, "lentil soup"))
    assert {action.text() for action in menu.actions() if action.text()} == OPEN
    assert listed.view.menu_of(index_of(listed, "Today")) is None


def test_the_three_dots_open_the_menu_and_not_the_conversation(listed, qtbot: QtBot):
    where = more_rect(listed.view.visualRect(index_of(listed, "blue sky"))).center()
    with qtbot.assertNotEmitted(listed.chosen):
        qtbot.mouseClick(listed.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    menu = listed.view.findChild(QMenu)
    assert menu.isVisible()
    menu.close()


def test_the_menu_key_opens_the_menu_of_the_chosen_one(listed, qtbot: QtBot):
    listed.view.choose(number_of(listed, "lentil soup"))
    key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(listed.view.viewport(), key)
    menu = listed.view.findChild(QMenu)
    for _ in ("Open", "Rename", "Pin"):
        qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rows(listed)[:2] == ["Pinned", "lentil soup"])


def test_a_screen_reader_hears_the_marks(listed, history: History, qtbot: QtBot):
    history.pin(number_of(listed, "lentil soup"), True)
    listed.reload()
    said = Qt.ItemDataRole.AccessibleTextRole
    assert index_of(listed, "lentil soup").data(said) == "lentil soup, pinned"
    search(listed, qtbot, "wash")
    assert listed.model.index(0, 0).data(said) == "lentil soup: Wash them."


def test_ten_thousand_are_read_page_by_page(history: History, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conversation_model, "PAGE", 10)
    for number in range(35):
        talk(history, f"talk {number}")
    shown = ConversationList(history)
    qtbot.addWidget(shown)
    assert len(rows(shown)) == 11
    while shown.model.canFetchMore(QModelIndex()):
        shown.model.fetchMore(QModelIndex())
    assert rows(shown) == ["Today", *(f"talk {number}" for number in reversed(range(35)))]
    shown.resize(240, 300)
    shown.show()
    shown.view.scrollToBottom()
    shown.reload()
    assert rows(shown)[-1] == "talk 0"
    shown.view.scrollToTop()
    shown.reload()
    assert 11 < len(rows(shown)) < 30
