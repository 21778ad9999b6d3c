"""Another language at once: another window goes on with the same node, and nothing of what was there is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QSystemTrayIcon
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from idlepool.ui.bridge import Bridge
from idlepool.ui.language import speak
from idlepool.ui.preferences import Preferences
from idlepool.ui.presence import Presence

Begin = Callable[..., Presence]


@pytest.fixture
def begin(
    qtbot: QtBot, qapp: QApplication, node_command: list[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Begin]:
    """What is on the desktop, in English, with a window that is shown and a node that is ready."""
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    begun: list[Presence] = []

    def begin_it(*node: str, folder: Path | None = None) -> Presence:
        bridge = Bridge([*node_command, *node])
        preferences = Preferences(folder)
        preferences.chosen.language = "en"
        presence = Presence(qapp, bridge, preferences, title="Idlepool")
        begun.append(presence)
        presence.window.show()
        bridge.start()
        qtbot.waitUntil(lambda: presence.window.state.ready is not None)
        return presence

    yield begin_it
    for presence in begun:
        presence.end()
        presence.window.deleteLater()
    speak(qapp, "en")


def choose(presence: Presence, language: str) -> None:
    box: QComboBox = presence.window.settings_page.look.language
    number = ["", "en", "de"].index(language)
    box.setCurrentIndex(number)
    box.activated.emit(number)


def pages(presence: Presence) -> list[str]:
    return [button.accessibleName() for button in presence.window.sidebar.buttons.buttons()]


def node_of(presence: Presence) -> int:
    return int(presence.bridge._process.processId())


def answered(presence: Presence) -> bool:
    path = presence.window.chat.session.path
    return bool(path) and path[-1].state == "done"


@pytest.mark.parametrize("kept", [True, False], ids=["on a disk", "in memory"])
def test_a_language_is_spoken_at_once_and_all_is_there(begin: Begin, qtbot: QtBot, tmp_path: Path, kept: bool):
    presence = begin("--play", "tray", "lending", "--pairs", "idle-1", "lagoon", folder=tmp_path if kept else None)
    window, node = presence.window, node_of(presence)
    qtbot.waitUntil(lambda: bool(window.state.hosted) and len(window.state.members) == 2)
    window.chat.ask("tell me")
    qtbot.waitUntil(lambda: answered(presence))
    window.chat.composer.field.setPlainText("half a thought")
    window.show_page(window.settings_page)
    window.resize(700, 560)
    choose(presence, "de")
    qtbot.waitUntil(lambda: presence.window is not window)
    fresh = presence.window
    assert pages(presence) == ["Chat", "Pool", "Modelle", "Einstellungen"]
    assert fresh.isVisible()
    assert not (isValid(window) and window.isVisible())
    assert (fresh.width(), fresh.height()) == (700, 560)
    assert fresh.pages.currentWidget() is fresh.settings_page
    assert [message.text for message in fresh.chat.session.path] == ["tell me", "TELL ME"]
    assert fresh.chat.composer.field.toPlainText() == "half a thought"
    assert node_of(presence) == node
    assert fresh.watch.now.words == "Verleiht an 2 PCs"
    assert len(fresh.state.members) == 2
    fresh.chat.ask("and now")
    qtbot.waitUntil(lambda: len(fresh.chat.session.path) == 4 and answered(presence))


def test_a_trouble_that_is_in_sight_is_told_in_the_new_language(begin: Begin, qtbot: QtBot):
    presence = begin("--refuse", "runs")

    def told() -> list[str]:
        return [banner.sentence for banner in presence.window.banners.shown]

    qtbot.waitUntil(lambda: "/data could not be written: Read-only file system." in told())
    for language, words in (("de", "/data konnte nicht"), ("en", "/data could not be written"), ("de", "/data konnte")):
        before = presence.window
        choose(presence, language)
        qtbot.waitUntil(lambda before=before: presence.window is not before)
        assert any(sentence.startswith(words) for sentence in told())


def test_an_answer_that_comes_is_waited_for(begin: Begin, qtbot: QtBot):
    presence = begin()
    window = presence.window
    window.chat.ask("hold on")
    qtbot.waitUntil(lambda: bool(window.chat.session.path[-1].text) or window.chat.session.busy)
    choose(presence, "de")
    looked = presence._soon.timeout
    for _ in range(2):
        with qtbot.waitSignal(looked):
            pass
    assert presence.window is window
    window.chat.stop()
    qtbot.waitUntil(lambda: presence.window is not window)
    assert [message.role for message in presence.window.chat.session.path] == ["user", "assistant"]


def test_who_changes_his_mind_meanwhile_keeps_his_window(begin: Begin, qtbot: QtBot):
    presence = begin()
    window = presence.window
    window.chat.ask("hold on")
    choose(presence, "de")
    choose(presence, "en")
    window.chat.stop()
    qtbot.waitUntil(lambda: not window.chat.session.busy)
    assert not presence._soon.isActive()
    assert presence.window is window


def test_the_new_window_sees_to_the_node(begin: Begin, qtbot: QtBot):
    presence = begin()
    window = presence.window
    gone: list[bool] = []
    window.destroyed.connect(lambda: gone.append(True))
    choose(presence, "de")
    qtbot.waitUntil(lambda: bool(gone))
    psutil.Process(node_of(presence)).kill()
    fresh = presence.window

    def told() -> str:
        return " ".join(label.text() for label in fresh.banners.findChildren(QLabel))

    qtbot.waitUntil(lambda: "Maschine" in told() or "Idlepool" in told())
    qtbot.waitUntil(lambda: fresh.state.ready is not None)
    choose(presence, "en")
    qtbot.waitUntil(lambda: presence.window is not fresh)
    assert pages(presence) == ["Chat", "Pool", "Models", "Settings"]
