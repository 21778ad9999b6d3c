"""The settings of a conversation."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QInputDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.conversation_settings import ConversationSettings
from idlepool.ui.history.history import History
from idlepool.ui.history.values import ChatSettings

NOTHING_SET = ChatSettings()
ALL_SET = ChatSettings("Be brief.", 0.7, 0.85, 40, 0.05, 1.1, 1234567890123456789, 256)


@pytest.fixture
def history() -> History:
    return History(None)


def opened(history: History, qtbot: QtBot, settings: ChatSettings) -> ConversationSettings:
    dialog = ConversationSettings(history, settings)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def save(dialog: ConversationSettings) -> None:
    role = QDialogButtonBox.ButtonRole.AcceptRole
    next(button for button in dialog.buttons.buttons() if dialog.buttons.buttonRole(button) == role).click()


@pytest.mark.parametrize("settings", [NOTHING_SET, ALL_SET, ChatSettings(temperature=0.0, top_k=0, seed=0)])
def test_what_is_shown_is_what_is_set(history: History, qtbot: QtBot, settings: ChatSettings):
    dialog = opened(history, qtbot, settings)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        save(dialog)
    assert chosen.args == [settings]


def test_what_holds_while_nothing_is_set_is_said(history: History, qtbot: QtBot):
    dialog = opened(history, qtbot, NOTHING_SET)
    fields = dialog.sampling.fields
    assert fields["temperature"].text() == "Default (0.3)"
    assert fields["top_k"].text() == "Default (off)"


@pytest.mark.parametrize(
    ("name", "below", "above"),
    [("temperature", "0.20", "0.40"), ("max_tokens", "1,008", "1,040"), ("repetition_penalty", "0.95", "1.05")],
)
def test_the_arrows_begin_at_the_default(history: History, qtbot: QtBot, name: str, below: str, above: str):
    dialog = opened(history, qtbot, NOTHING_SET)
    field = dialog.sampling.fields[name]
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.text() == above
    field.setValue(field.minimum())
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert field.text() == below


def test_settings_are_saved_under_a_name(history: History, qtbot: QtBot):
    dialog = opened(history, qtbot, ALL_SET)
    dialog.save_button.click()
    name = dialog.findChild(QInputDialog)
    name.findChild(QLineEdit).setText("Long and brief")
    name.accept()
    assert "Long and brief" in history.presets()
    assert dialog.presets.currentText() == "Long and brief"


def test_ready_made_settings_leave_what_the_model_is_told(history: History, qtbot: QtBot):
    dialog = opened(history, qtbot, ALL_SET)
    assert dialog.presets.currentText() == "Own settings"
    at = dialog.presets.findText("Creative")
    dialog.presets.setCurrentIndex(at)
    dialog.presets.activated.emit(at)
    assert dialog.settings == ChatSettings("Be brief.", temperature=0.9, top_p=0.95, min_p=0.05)
    assert dialog.presets.currentText() == "Creative"
    dialog.sampling.fields["top_k"].setValue(3)
    assert dialog.presets.currentText() == "Own settings"


def test_settings_are_given_a_name_for_other_conversations(history: History, qtbot: QtBot):
    dialog = opened(history, qtbot, ALL_SET)
    dialog.save_preset("  Mine ")
    assert dialog.presets.currentText() == "Mine"
    other = opened(history, qtbot, NOTHING_SET)
    at = other.presets.findText("Mine")
    other.presets.activated.emit(at)
    assert other.settings == ALL_SET
    assert other.delete_button.isEnabled()
    other.delete_button.click()
    assert other.presets.findText("Mine") == -1
    assert not other.delete_button.isEnabled()


def test_a_seed_that_is_too_large_is_told_and_not_taken(history: History, qtbot: QtBot):
    dialog = opened(history, qtbot, NOTHING_SET)
    dialog.sampling.seed.setText("9" * 19)
    with qtbot.assertNotEmitted(dialog.chosen):
        save(dialog)
    assert dialog.isVisible()
    assert "at most 9223372036854775807" in dialog.problem.text()


def test_every_field_is_named_by_its_label(history: History, qtbot: QtBot):
    dialog = opened(history, qtbot, NOTHING_SET)
    buddies = {label.buddy() for label in dialog.findChildren(QLabel)}
    for field in (*dialog.sampling.fields.values(), dialog.sampling.seed):
        assert field in buddies
        assert field.accessibleName()
