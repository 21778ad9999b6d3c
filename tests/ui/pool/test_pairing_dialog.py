"""Pairing in the window, served by the scripted node."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest
from pcs_in_states import MEMBERS, PEERS
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from idlepool.engine.events import PoolChanged
from idlepool.engine.pairing_events import MemberInfo, MembersChanged
from idlepool.ui.bridge import Bridge
from idlepool.ui.main_window import MainWindow
from idlepool.ui.pool.pairing_dialog import PairingDialog, StartPage
from idlepool.ui.pool.pairing_pages import DonePage, ShowPage, TypePage
from idlepool.ui.pool.pc_list import PcRow
from idlepool.ui.presence import _let_pair

OpenDialog = Callable[..., PairingDialog]
PATIENCE_MS = 20_000
THREE = ("--pairs", "idle-1", "idle-2", "harbour")


@pytest.fixture
def open_dialog(qtbot: QtBot, node_command: list[str]) -> Iterator[OpenDialog]:
    """Open the dialog whose scripted node gets the given arguments."""
    bridges: list[Bridge] = []

    def open_it(*arguments: str) -> PairingDialog:
        bridge = Bridge([*node_command, *arguments])
        bridges.append(bridge)
        dialog = PairingDialog(bridge)
        qtbot.addWidget(dialog)
        dialog.bring_up()
        with qtbot.waitSignal(dialog.available, timeout=PATIENCE_MS):
            bridge.start()
        return dialog

    yield open_it
    for bridge in bridges:
        bridge.stop()


def visible_words(widget: QWidget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def button(widget: QWidget, text: str) -> QPushButton:
    return next(found for found in widget.findChildren(QPushButton) if found.text() == text and found.isVisible())


def rows(dialog: PairingDialog) -> list[PcRow]:
    """Those that are shown, from the top."""
    QApplication.processEvents()
    shown = [row for row in dialog.start.pcs.findChildren(PcRow) if row.isVisible()]
    return sorted(shown, key=lambda row: row.mapTo(dialog, row.rect().topLeft()).y())


def names(dialog: PairingDialog) -> list[str]:
    return [row.name.text() for row in rows(dialog)]


def row(dialog: PairingDialog, name: str) -> PcRow:
    return next(row for row in rows(dialog) if row.name.text() == name)


def answer(qtbot: QtBot, dialog: PairingDialog, text: str) -> QMessageBox:
    """Press a button of the question that is open."""
    qtbot.waitUntil(lambda: any(box.isVisible() for box in dialog.findChildren(QMessageBox)))
    box = next(box for box in dialog.findChildren(QMessageBox) if box.isVisible())
    qtbot.mouseClick(button(box, text), Qt.MouseButton.LeftButton)
    return box


def test_a_code_is_shown_large_with_its_time_and_where_this_pc_is(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1")
    qtbot.mouseClick(dialog.start.show_code, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.shown.code.text() == "K7MP-3XQ9")
    assert dialog.pages.currentWidget() is dialog.shown
    assert dialog.shown.left.text() == "Good for 2:00"
    assert "192.168.1.20 or 10.0.0.20" in visible_words(dialog)
    assert dialog.shown.code.accessibleName() == "Code: K 7 M P , 3 X Q 9"
    assert dialog.shown.code.font().pointSizeF() > 2 * dialog.font().pointSizeF()
    button(dialog, "Copy").click()
    assert QApplication.clipboard().text() == "K7MP-3XQ9"


def test_the_time_runs(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1", "--good-for", "1.2")
    dialog.show_code()
    qtbot.waitUntil(lambda: dialog.shown.left.text() == "Good for 0:02")
    qtbot.waitUntil(lambda: dialog.shown.left.text() == "Good for 0:00")


def test_a_wrong_try_is_told_beside_the_code(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1", "--pairing", "wrong")
    dialog.show_code()
    qtbot.waitUntil(lambda: "Somebody typed another code." in dialog.shown.failure.text())
    assert "4 more tries" in dialog.shown.failure.text()
    assert dialog.shown.code.text() == "K7MP-3XQ9"


def test_a_void_code_is_gone_and_a_new_one_offered(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1", "--pairing", "void")
    dialog.show_code()
    qtbot.waitUntil(lambda: "That code is void" in visible_words(dialog))
    assert "K7MP" not in visible_words(dialog)
    assert not dialog.shown.copy.isEnabled()
    button(dialog, "New code").click()
    assert not dialog.shown.failure.isVisible()


@pytest.mark.parametrize("typed", ["k7mp3xq9", " K7MP-3XQ9 ", "K7MP 3XQ9"])
def test_a_code_may_be_typed_in_any_form_and_sent_with_return(open_dialog: OpenDialog, qtbot: QtBot, typed: str):
    dialog = open_dialog("--pairs", "idle-1")
    dialog.start.type_code.click()
    qtbot.keyClicks(dialog.typed.field, typed)
    assert dialog.typed.field.text() == "K7MP-3XQ9"
    qtbot.keyClick(dialog.typed.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.pages.currentWidget() is dialog.done_page)
    assert "Paired with lagoon" in visible_words(dialog)
    assert dialog.done_page.words.text().split() == ["acorn", "tiger", "piano", "lemon"]
    button(dialog, "Done").click()
    assert not dialog.isVisible()
    dialog.bring_up()
    assert names(dialog) == ["idle-1", "lagoon"]


def test_return_before_the_code_is_whole_does_nothing(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1")
    dialog.type_code()
    qtbot.keyClicks(dialog.typed.field, "K7M")
    assert not dialog.typed.pair.isEnabled()
    qtbot.keyClick(dialog.typed.field, Qt.Key.Key_Return)
    assert dialog.pages.currentWidget() is dialog.typed


def test_a_letter_in_the_middle_is_corrected_in_place(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1")
    dialog.type_code()
    qtbot.keyClicks(dialog.typed.field, "K7MP3XQ9")
    dialog.typed.field.setCursorPosition(2)
    qtbot.keyClick(dialog.typed.field, Qt.Key.Key_Backspace)
    qtbot.keyClicks(dialog.typed.field, "8")
    assert dialog.typed.field.text() == "K8MP-3XQ9"
    assert dialog.typed.field.cursorPosition() == 2


def test_a_wrong_code_is_told_in_place_and_may_be_corrected(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1")
    dialog.type_code()
    qtbot.keyClicks(dialog.typed.field, "W7MP3XQ9")
    button(dialog, "Pair").click()
    qtbot.waitUntil(lambda: "That is not the code" in visible_words(dialog))
    assert dialog.pages.currentWidget() is dialog.typed
    qtbot.keyClicks(dialog.typed.field, "K7MP3XQ9")  # what was typed is selected
    button(dialog, "Pair").click()
    qtbot.waitUntil(lambda: dialog.pages.currentWidget() is dialog.done_page)


def test_while_it_pairs_nothing_can_be_sent_twice(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1")
    dialog.type_code()
    qtbot.keyClicks(dialog.typed.field, "H7MP3XQ9")
    button(dialog, "Pair").click()
    assert dialog.typed.pair.text() == "Pairing …"
    assert not dialog.typed.pair.isEnabled()
    button(dialog, "Back").click()
    assert isinstance(dialog.pages.currentWidget(), StartPage)
    dialog.type_code()
    assert dialog.typed.field.text() == ""


def test_a_member_is_removed_only_after_a_question(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog(*THREE, "--pcs", "2")
    assert names(dialog) == ["idle-1", "harbour", "idle-2"]
    remove = next(b for b in dialog.findChildren(QPushButton) if b.accessibleName() == "Remove harbour from the pool")
    remove.click()
    box = answer(qtbot, dialog, "Cancel")
    assert box.text() == "Remove harbour?"
    assert names(dialog) == ["idle-1", "harbour", "idle-2"]
    remove.click()
    answer(qtbot, dialog, "Remove")
    qtbot.waitUntil(lambda: names(dialog) == ["idle-1", "idle-2"])


def test_it_tells_who_is_here(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog(*THREE, "--pcs", "2")
    assert row(dialog, "idle-1").state.text() == "this PC"
    assert row(dialog, "idle-2").state.text() == "here"
    assert row(dialog, "harbour").state.text() == "looking for it"


def test_every_state_is_told_in_words_with_its_reason(open_dialog: OpenDialog):
    dialog = open_dialog("--states")
    states = {row.name.text(): (row.state.text(), row.detail.text()) for row in rows(dialog)}
    assert states["idle-2"] == ("here", "192.168.1.21:7420 · version\N{NO-BREAK SPACE}0.5.0")
    assert states["attic"] == ("here", "answering · runs qwen3-4b · 192.168.1.22:7420 · version\N{NO-BREAK SPACE}0.5.0")
    assert states["harbour"][1].startswith("fetching 41 %")
    assert states["lagoon"][0] == "silent"
    assert states["lagoon"][1].startswith("Nothing was heard of it")
    assert states["orchard"][0] == "looking for it"
    assert states["quarry"][0] == "not reached"
    assert states["stable"][0] == "other version"
    assert "update the older one" in states["stable"][1]
    assert states["tower"] == ("removed", "idle-1 was removed from the pool.")
    assert states["office.example:7420"] == ("not paired", "office.example:7420 is not paired with this PC.")


def test_who_does_not_belong_to_the_pool_is_set_apart(open_dialog: OpenDialog):
    dialog = open_dialog("--states")
    rows(dialog)
    apart = [row for row in dialog.start.pcs.strangers.findChildren(PcRow) if row.isVisible()]
    assert [(row.name.text(), row.state.text()) for row in apart] == [
        ("office.example:7420", "not paired"),
        ("PC 3f9a1c7e", "unverified"),
        ("10.0.0.9", "refused"),
    ]
    assert "Not of this pool" in visible_words(dialog)
    assert "Not of this pool" not in visible_words(open_dialog(*THREE))


@pytest.mark.parametrize(
    ("name", "address"), [("PC 3f9a1c7e", ""), ("office.example:7420", "office.example"), ("10.0.0.9", "10.0.0.9")]
)
def test_a_stranger_is_paired_by_typing_its_code(open_dialog: OpenDialog, qtbot: QtBot, name: str, address: str):
    dialog = open_dialog("--states")
    pair = next(b for b in dialog.findChildren(QPushButton) if b.accessibleName() == f"Pair with {name}")
    pair.click()
    assert dialog.pages.currentWidget() is dialog.typed
    assert f"Type the code of {name}" in visible_words(dialog)
    assert dialog.typed.address.text() == address
    assert dialog.typed.field.hasFocus()
    dialog.begin()
    dialog.type_code()
    assert "Type the code of the other PC" in visible_words(dialog)
    assert dialog.typed.address.text() == ""


def test_a_button_keeps_the_focus_while_the_pool_changes(open_dialog: OpenDialog):
    dialog = open_dialog("--states")
    remove = next(b for b in dialog.findChildren(QPushButton) if b.accessibleName() == "Remove harbour from the pool")
    remove.setFocus()
    further = tuple(msgspec.structs.replace(peer, done=730) if peer.total else peer for peer in PEERS)
    dialog.take(PoolChanged(further))
    assert row(dialog, "harbour").detail.text().startswith("fetching 73 %")
    assert dialog.focusWidget() is remove


def test_the_tab_key_goes_through_the_list_from_its_top(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--states")
    newcomer = MemberInfo("9" * 64, "cellar", False)
    dialog.take(MembersChanged((*MEMBERS, newcomer)))
    dialog.start.pcs.leave.setFocus()
    reached = []
    for _ in rows(dialog)[1:]:  # this PC has no button
        qtbot.keyClick(dialog, Qt.Key.Key_Tab)
        focused = dialog.focusWidget()
        assert focused is not None
        reached.append(focused.parentWidget())
    assert reached == rows(dialog)[1:]
    assert "cellar" in names(dialog)


def test_the_pool_can_be_left(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog(*THREE)
    button(dialog, "Leave the pool").click()
    answer(qtbot, dialog, "Leave")
    qtbot.waitUntil(lambda: names(dialog) == ["idle-1"])
    assert "No other PC is paired" in visible_words(dialog)


def test_a_name_is_not_read_as_markup(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1", "<b>bold</b>")
    label = next(label for label in dialog.findChildren(QLabel) if label.text() == "<b>bold</b>")
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_escape_gives_up_and_the_next_time_begins_anew(open_dialog: OpenDialog, qtbot: QtBot):
    dialog = open_dialog("--pairs", "idle-1")
    dialog.show_code()
    qtbot.waitUntil(lambda: dialog.shown.code.text() == "K7MP-3XQ9")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog.bring_up()
    assert isinstance(dialog.pages.currentWidget(), StartPage)


@pytest.mark.parametrize("kind", [StartPage, ShowPage, TypePage, DonePage])
def test_everything_that_can_be_reached_by_keys_has_a_name(open_dialog: OpenDialog, qtbot: QtBot, kind: type[QWidget]):
    dialog = open_dialog(*THREE)
    page = dialog.findChild(kind)
    assert page is not None
    unnamed = [w for w in page.findChildren(QPushButton) if not (w.accessibleName() or w.text())]
    assert unnamed == []
    assert all(b.focusPolicy() & Qt.FocusPolicy.TabFocus for b in page.findChildren(QPushButton))


def test_the_window_and_the_tray_lead_to_it_once_the_node_can_pair(qtbot: QtBot, node_command: list[str]):
    bridge = Bridge([*node_command, *THREE])
    window = MainWindow(bridge)
    qtbot.addWidget(window)
    dialog = PairingDialog(bridge, window)
    _let_pair(dialog, window)
    window.show()
    assert not window.chat.header.pair.isVisible()
    with qtbot.waitSignal(dialog.available, timeout=PATIENCE_MS):
        bridge.start()
    for leads_there in (window.chat.header.pair, window.chat.header.pool):
        leads_there.click()
        assert dialog.isVisible()
        dialog.reject()
    window.hide()
    window.requests.pair_requested.emit()
    assert window.isVisible()
    assert dialog.isVisible()
    dialog.reject()
    window.show_page(window.pool_page)
    window.pool_page.pair.click()
    assert dialog.isVisible()
    bridge.stop()
