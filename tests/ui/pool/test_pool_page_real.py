"""The pool page with the node that ships and the starter model: a plan, then a chain that works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.child_process import python_module
from idlepool.ui.bridge import Bridge
from idlepool.ui.main_window import MainWindow
from idlepool.ui.preferences import Preferences

pytestmark = pytest.mark.model

PATIENCE_MS = 90_000


@pytest.fixture
def window(qtbot: QtBot, starter_store: ModelStore, tmp_path: Path) -> Iterator[MainWindow]:
    options = ["--home", str(tmp_path), "--library", str(starter_store.root), "--port", "0", "--key-file"]
    options += ["--listen", "127.0.0.1", "--lend", "always"]
    bridge = Bridge(python_module("idlepool.app", "node", "--control", "--name", "pc-1", *options))
    window = MainWindow(bridge, preferences=Preferences(tmp_path / "window"))
    qtbot.addWidget(window)
    window.show()
    bridge.start()
    yield window
    window.revival.stop()
    window.hide()
    bridge.stop()
    window.conversations.end()


def test_the_model_is_planned_then_runs_and_its_figures_are_told(window: MainWindow, qtbot: QtBot):
    page = window.pool_page
    window.show_page(page)
    qtbot.waitUntil(lambda: page.plan.picture.state == "planned", timeout=PATIENCE_MS)
    (planned,) = page.plan.picture.pcs
    assert (planned.name, planned.first, planned.last) == ("pc-1", 0, page._state.models[0].layers)
    assert 0 < planned.memory_bytes < planned.lent_bytes
    assert page.plan.prediction.text().startswith("This plan: about ")
    assert page.takes_part.words.text().startswith("Only this PC.")
    qtbot.waitUntil(lambda: "for models" in page.here.text(), timeout=PATIENCE_MS)
    window.chat.ask("Say hello.")
    qtbot.waitUntil(lambda: page.plan.picture.tokens > 0, timeout=PATIENCE_MS)
    (running,) = page.plan.picture.pcs
    assert running.phase == "ready"
    assert running.step_ms > 0
    assert 0 < running.memory_bytes < running.lent_bytes
    qtbot.waitUntil(lambda: not page.plan.picture.round_ms, timeout=PATIENCE_MS)
    assert page.plan.summary.text().startswith("Loaded, and nobody is being answered.")
    assert "written since it was loaded" in page.plan.summary.text()
