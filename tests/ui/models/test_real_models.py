"""The models page with the node that ships: a model is found on a Hub, fetched, checked, mended and removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_server import REPOSITORY, HubServer, hub_with
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from idlepool.engine.commands import AddModel
from idlepool.engine.models.manifest import WEIGHTS_FILE
from idlepool.engine.models.store import ModelStore
from idlepool.engine.node_preferences import NodePreferences, SetNodePreferences
from idlepool.engine.pool.child_process import python_module
from idlepool.ui.bridge import Bridge
from idlepool.ui.main_window import MainWindow
from idlepool.ui.models.models_page import ModelsPage

PATIENCE_MS = 60_000


@pytest.fixture
def server(tiny_model: Path, monkeypatch: pytest.MonkeyPatch):
    with hub_with(tiny_model, monkeypatch) as server:
        yield server


@pytest.fixture
def page(qtbot: QtBot, server: HubServer, tmp_path: Path):
    options = ["--home", str(tmp_path), "--port", "0", "--key-file", "--listen", "127.0.0.1", "--lend", "always"]
    bridge = Bridge(python_module("idlepool.app", "node", "--control", "--name", "pc-1", *options))
    window = MainWindow(bridge)
    qtbot.addWidget(window)
    window.show()
    window.show_page(window.models_page)
    bridge.start()
    qtbot.waitUntil(lambda: bool(window.state.catalogue), timeout=PATIENCE_MS)
    yield window.models_page
    bridge.stop()


def test_a_model_comes_from_the_hub_is_mended_and_goes(page: ModelsPage, qtbot: QtBot, tmp_path: Path) -> None:
    hub = page.add.hub
    hub.field.setText(f"https://huggingface.co/{REPOSITORY}")
    hub.search()
    qtbot.waitUntil(lambda: bool(hub.rows.shown), timeout=PATIENCE_MS)
    assert "Licence: apache-2.0" in hub.rows.shown[0].facts.accessibleName()
    hub.rows.shown[0].findChild(QPushButton).click()
    qtbot.waitUntil(lambda: list(page.here.cards) == ["tiny"], timeout=PATIENCE_MS)
    card = page.here.cards["tiny"]
    assert not page.adding.isVisible()
    qtbot.waitUntil(lambda: "Fits on one PC" in card.row.verdict.text(), timeout=PATIENCE_MS)

    weights = ModelStore(tmp_path).get("tiny").folder / WEIGHTS_FILE
    good = weights.read_bytes()
    weights.write_bytes(good[:1000] + bytes([good[1000] ^ 1]) + good[1001:])
    card.verify.trigger()
    qtbot.waitUntil(lambda: card.check.mend.isVisible(), timeout=PATIENCE_MS)
    card.check.mend.click()
    qtbot.waitUntil(lambda: "every byte is right now" in card.check.words.text(), timeout=PATIENCE_MS)
    assert weights.read_bytes() == good

    card.remove.trigger()
    box = card.findChild(QMessageBox)
    next(button for button in box.buttons() if button.text() == "Remove").click()
    qtbot.waitUntil(lambda: not page.here.cards, timeout=PATIENCE_MS)
    assert "of the disk are free again" in page.notice.text()
    assert ModelStore(tmp_path).names() == ()


def test_the_limit_for_model_files_holds_for_the_hub_and_may_change_meanwhile(
    page: ModelsPage, server: HubServer, qtbot: QtBot
) -> None:
    bridge = page._state.bridge
    bridge.send(SetNodePreferences(NodePreferences(model_bytes_per_s=1)))
    bridge.send(AddModel(f"hf:{REPOSITORY}"))
    qtbot.waitUntil(lambda: bool(server.asked), timeout=PATIENCE_MS)
    page.add.hub.field.setText(REPOSITORY)
    page.add.hub.search()  # meanwhile a model that may come would be here
    qtbot.waitUntil(lambda: bool(page.add.hub.rows.shown), timeout=PATIENCE_MS)
    assert not page.here.cards
    (row,) = page.adding.shown
    assert "Fetching · 0 of" in row.facts.accessibleName()
    bridge.send(SetNodePreferences(NodePreferences()))
    qtbot.waitUntil(lambda: list(page.here.cards) == ["tiny"], timeout=PATIENCE_MS)
    assert page.notice.text() == "tiny is here now."
