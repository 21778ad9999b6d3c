"""A models page for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from idlepool.ui.main_window import MainWindow
from idlepool.ui.models.models_page import ModelsPage


@pytest.fixture
def open_models(open_window: Callable[..., MainWindow], qtbot: QtBot) -> Callable[..., ModelsPage]:
    """`open_models(*words)`: the page of a window whose scripted node plays `models` and these."""

    def open_it(*words: str) -> ModelsPage:
        window = open_window("--play", "models", *words)
        window.show_page(window.models_page)
        qtbot.waitUntil(lambda: bool(window.state.catalogue) and window.state.model_details is not None)
        qtbot.waitUntil(lambda: len(window.state.plans) >= len(window.state.models))
        return window.models_page

    return open_it
