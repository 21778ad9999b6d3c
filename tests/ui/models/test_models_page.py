"""The models page as a user meets it, served by the scripted node."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QInputDialog,
    QLineEdit,
    QMessageBox,
)
from pytestqt.qtbot import QtBot
from scripted_models import CODER_SOURCE
from seen import button, buttons, cut_words, takes_focus, words_in

from idlepool.engine.commands import AddModel
from idlepool.ui.main_window import SMALLEST, MainWindow
from idlepool.ui.models.models_page import ModelsPage


def search(page: ModelsPage, qtbot: QtBot, words: str) -> None:
    page.add.hub.field.setText(words)
    qtbot.keyClick(page.add.hub.field, Qt.Key.Key_Return)


def test_each_model_says_what_it_is_and_whether_the_pool_can_carry_it(open_models):
    page = open_models("large")
    assert list(page.here.cards) == ["Phi-4-mini-instruct-int4-ov", "starter", "llama-70b-office"]
    phi = words_in(page.here.cards["Phi-4-mini-instruct-int4-ov"])
    assert "32 layers · 2.5 GB · context of 131" in phi
    assert "Fits on 2 PCs · needs 3.3 GB of 12 GB lent · about 23 tokens/s" in phi
    assert "96 tokens/s as measured" in words_in(page.here.cards["starter"])
    large = words_in(page.here.cards["llama-70b-office"])
    assert "licence unknown" in large
    assert "Needs 47 GB: your 3 PCs lend 12 GB, 35 GB too little. Pair another PC" in large
    assert "In your folder /srv/models/llama-70b-office" in large
    assert "118 GB are free" in page.summary.text()


def test_a_damaged_model_says_why_and_cannot_be_chatted_with(open_models):
    page = open_models("damaged")
    card = page.here.cards["starter"]
    assert "openvino_model.bin is damaged" in words_in(card)
    assert "Fits" not in words_in(card)
    assert not card.chat.isEnabled()


def test_chatting_begins_a_conversation_with_the_model(open_models, qtbot: QtBot):
    page = open_models()
    window = page.window()
    assert isinstance(window, MainWindow)
    page.here.cards["starter"].chat.click()
    assert window.pages.currentWidget() is window.chat
    assert window.chat.header.model == "starter"


def test_what_other_pcs_have_and_what_is_kept_for_them(open_models, qtbot: QtBot):
    page = open_models("pool")
    qtbot.waitUntil(lambda: bool(page.elsewhere.shown))
    assert "on lagoon, attic (does not lend at the moment) · loaded there" in words_in(page.elsewhere)
    fetched = words_in(page.fetched)
    assert "layers 0–11 of 36 · 1.6 GB · in use" in fetched
    assert "layers 20–30, 40–43 of 48 · 2.1 GB · used 3 days ago" in fetched
    button(page, "Remove fetched layers (2.1 GB)").click()
    qtbot.waitUntil(lambda: "2.1 GB of the disk are free again. 1.6 GB stay" in page.fetched.words.text())


def test_the_first_model_is_measured_by_what_is_lent_too(open_models, qtbot: QtBot):
    page = open_models("empty")
    search(page, qtbot, CODER_SOURCE)
    qtbot.waitUntil(lambda: len(page.add.hub.rows.shown) == 1)
    assert "Needs about 5.8 GB of memory: your 3 PCs lend 12 GB" in words_in(page.add.hub.rows.shown[0])


def test_a_catalogue_model_tells_its_licence_and_size_before_anything_comes(open_models, qtbot: QtBot):
    page = open_models("empty")
    assert "No model is on this PC yet." in words_in(page.here)
    starter, gemma = page.add.catalogue.shown
    assert "Licence: Apache-2.0 · 93 MB to fetch, 393 MB of the disk" in words_in(starter)
    assert "not installed here" in words_in(gemma)
    assert buttons(gemma) == []
    button(starter, "Get it").click()
    qtbot.waitUntil(lambda: "Waits for its turn" in words_in(page.adding))
    assert "SmolLM2" not in words_in(page.add.catalogue), "what is on its way is not offered again"


def test_a_full_disk_says_so_before(open_models):
    page = open_models("empty", "full")
    starter = page.add.catalogue.shown[0]
    assert "The disk is too full: 273 MB more must be free." in words_in(starter)
    assert buttons(starter) == []


def test_a_model_of_the_hub_is_measured_before_it_is_fetched(open_models, qtbot: QtBot):
    page = open_models()
    search(page, qtbot, "qwen coder")
    qtbot.waitUntil(lambda: len(page.add.hub.rows.shown) == 3)
    _, unlicensed, parts = page.add.hub.rows.shown
    assert "its source names none" in words_in(unlicensed)
    assert "is no OpenVINO language model" in words_in(parts)
    assert buttons(parts) == []
    button(page.add.hub.rows.shown[0], "Size and fit").click()
    qtbot.waitUntil(lambda: "4.7 GB" in words_in(page.add.hub.rows.shown[0]))
    assert "Needs about 5.8 GB of memory: your 3 PCs lend 12 GB" in words_in(page.add.hub.rows.shown[0])
    button(page.add.hub.rows.shown[0], "Get it (4.7 GB)").click()
    qtbot.waitUntil(lambda: len(page.adding.shown) == 1)
    assert "It is here, or on its way." in words_in(page.add.hub.rows.shown[0])


def test_what_the_hub_does_not_tell_is_a_sentence(open_models, qtbot: QtBot):
    page = open_models("offline")
    search(page, qtbot, "qwen")
    words = page.add.hub.words
    qtbot.waitUntil(lambda: "the Hub cannot be reached. Check the connection" in words.text())
    qtbot.waitUntil(lambda: not words.visibleRegion().isEmpty(), timeout=2000)
    assert words.visibleRegion().boundingRect() == words.rect(), "all of it is in sight"


def test_nothing_found_is_said(open_models, qtbot: QtBot):
    page = open_models()
    search(page, qtbot, "nothing")
    qtbot.waitUntil(lambda: page.add.hub.words.text() == "The Hub has no such model for OpenVINO.")


def test_a_folder_is_dropped_and_added(open_models, qtbot: QtBot, tmp_path: Path):
    page = open_models()
    (tmp_path / "file.txt").write_text("no folder")
    folder = tmp_path / "my-model"
    folder.mkdir()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in (folder, tmp_path / "file.txt")])
    drop = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    page.dropEvent(drop)
    qtbot.waitUntil(lambda: [row.name for row in page.adding.shown] == ["my-model"])


def test_a_sound_model_is_checked(open_models, qtbot: QtBot):
    page = open_models()
    card = page.here.cards["starter"]
    card.verify.trigger()
    qtbot.waitUntil(lambda: "Every byte is right." in words_in(card))


def test_wrong_bytes_are_named_and_fetched_again(open_models, qtbot: QtBot):
    page = open_models("wrong")
    card = page.here.cards["starter"]
    card.verify.trigger()
    qtbot.waitUntil(lambda: "17 MB are damaged: config.json, bytes 16" in words_in(card))
    button(card, "Fetch it again").click()
    qtbot.waitUntil(lambda: "were fetched again: every byte is right now." in words_in(card))


def test_a_check_can_be_stopped(open_models, qtbot: QtBot):
    page = open_models("slow")
    card = page.here.cards["starter"]
    card.verify.trigger()
    qtbot.waitUntil(lambda: "Checking: 61 of 141 MB" in words_in(card))
    button(card, "Stop").click()
    assert "Checking" not in words_in(card)


def test_removing_asks_first_and_says_what_it_freed(open_models, qtbot: QtBot):
    page = open_models()
    card = page.here.cards["starter"]
    card.remove.trigger()
    box = card.findChild(QMessageBox)
    assert "141 MB of the disk become free" in box.informativeText()
    button(box, "Keep it").click()
    assert "starter" in page.here.cards
    card.remove.trigger()
    boxes = [found for found in card.findChildren(QMessageBox) if found.isVisible()]
    button(boxes[0], "Remove").click()
    qtbot.waitUntil(lambda: "starter" not in page.here.cards)
    assert page.notice.text() == "starter was removed: 141 MB of the disk are free again."


def test_a_model_in_use_stays_and_says_who_uses_it(open_models, qtbot: QtBot):
    page = open_models("used")
    card = page.here.cards["starter"]
    card.remove.trigger()
    button(card.findChild(QMessageBox), "Remove").click()
    qtbot.waitUntil(lambda: "“starter” is in use: this PC computes with it for lagoon." in words_in(card))


def test_a_model_is_renamed(open_models, qtbot: QtBot):
    page = open_models()
    card = page.here.cards["starter"]
    card.rename.trigger()
    dialog = card.findChild(QInputDialog)
    dialog.findChild(QLineEdit).setText("office")
    dialog.accept()
    qtbot.waitUntil(lambda: "office" in page.here.cards)


def test_while_a_model_loads_each_pc_tells_how_far_it_is(open_models, qtbot: QtBot):
    page = open_models("preparing")
    card = page.here.cards["Phi-4-mini-instruct-int4-ov"]
    qtbot.waitUntil(lambda: "Loading: 1 of 3 PCs are ready" in words_in(card))
    words = words_in(card)
    assert "idle-1 layers 0–11 · ready on its GPU" in words
    assert "lagoon layers 12–23 · prepares them for its device 8 s" in words
    assert "attic layers 24–31 · fetches its layers: 410 of 640 MB 17 s" in words


def test_without_a_node_nothing_is_claimed(open_models, qtbot: QtBot):
    page = open_models("queue", "pool")
    page._state.bridge._process.kill()
    qtbot.waitUntil(lambda: not page.here.cards)
    assert not page.adding.isVisible()
    assert not page.elsewhere.isVisible()


def test_who_waits_for_the_hub_hears_that_nobody_asks_it_any_more(open_models, qtbot: QtBot):
    page = open_models("silent")
    search(page, qtbot, "qwen")
    assert page.add.hub.words.text() == "Asking the Hugging Face Hub …"
    page._state.bridge._process.kill()
    qtbot.waitUntil(lambda: "engine ended. Ask again." in page.add.hub.words.text())


def test_what_nobody_could_do_at_the_moment_is_not_lost_in_silence(open_models, qtbot: QtBot):
    page = open_models()
    page._state.bridge.stop()
    page.add.wanted.emit(AddModel("/data/my-model"))
    assert "does not run at the moment. Try it again" in words_in(page)


def test_every_control_has_a_name_and_its_turn(open_models, qtbot: QtBot):
    page = open_models("queue", "pool", "large")
    search(page, qtbot, "qwen")
    qtbot.waitUntil(lambda: len(page.add.hub.rows.shown) == 3)
    controls = [found for found in page.findChildren(QAbstractButton) if found.isVisible() and takes_focus(found)]
    assert all(control.accessibleName() or control.text() for control in controls)
    named = [control.accessibleName() for control in controls if control.text() in ("Pause", "Cancel", "Chat", "More")]
    assert len(set(named)) == len(named), "each says of which model it is"
    page.jump.setFocus()
    reached = set()
    for _ in range(len(controls) + 10):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.add(QApplication.focusWidget())
    assert {control for control in controls if control.isEnabled()} <= reached


def test_nothing_is_cut_in_the_smallest_window(open_models, qtbot: QtBot):
    page = open_models("queue", "pool", "large")
    page.window().resize(*SMALLEST)
    qtbot.waitUntil(lambda: page.window().width() == SMALLEST[0])
    rows = (*page.adding.shown, *page.elsewhere.shown, *(card.row for card in page.here.cards.values()))
    qtbot.waitUntil(lambda: page.widget().width() <= page.viewport().width())
    qtbot.waitUntil(lambda: all(row.height() >= row.heightForWidth(row.width()) for row in rows))


def test_no_words_are_cut_however_wide_the_window_is(open_models, qtbot: QtBot):
    page = open_models("queue", "pool", "large")
    qtbot.waitUntil(lambda: bool(page.elsewhere.shown))
    for width in range(SMALLEST[0], 1300, 37):
        page.window().resize(width, SMALLEST[1])
        qtbot.waitUntil(lambda: not cut_words(page))
