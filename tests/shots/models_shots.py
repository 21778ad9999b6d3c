"""The models page: what is here, what is on its way, what the Hub has, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget
from scripted_models import CODER_SOURCE
from shots.shot import SETTLE_MS, SIZES, Shot, wait_until

from idlepool.ui.main_window import MainWindow
from idlepool.ui.models.models_page import ModelsPage

NARROW = ((420, 480),)
TALL = ((1280, 1500),)


def act(window: MainWindow, steps: tuple[Callable[[ModelsPage], object], ...]) -> QWidget | None:
    """Do what a user would do; the window, or the dialog that opens."""
    page = window.models_page
    window.show_page(page)
    wait_until(lambda: window.state.model_details is not None and bool(window.state.catalogue))
    wait_until(lambda: len(window.state.plans) >= len(window.state.models))
    for step in steps:
        QTest.qWait(SETTLE_MS)
        step(page)
        QTest.qWait(SETTLE_MS)
    return window.findChild(QMessageBox)


def shot(
    name: str,
    *steps: Callable[[ModelsPage], object],
    play: tuple[str, ...] = (),
    sizes: tuple[tuple[int, int], ...] = SIZES,
) -> Shot:
    return Shot(f"models-{name}", partial(act, steps=steps), ("--play", "models", *play), sizes)


def search(words: str) -> Callable[[ModelsPage], object]:
    def type_in(page: ModelsPage) -> None:
        page.show_adding()
        page.add.hub.field.setText(words)
        page.add.hub.search()

    return type_in


def look_up(page: ModelsPage) -> None:
    page.add.hub.rows.shown[0].findChild(QPushButton).click()


def check(page: ModelsPage) -> None:
    page.here.cards["starter"].verify.trigger()


def remove(page: ModelsPage) -> None:
    page.here.cards["starter"].remove.trigger()


def cancel(page: ModelsPage) -> None:
    page.adding.rows[CODER_SOURCE].cancel.click()


def end(page: ModelsPage) -> None:
    page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())


SHOTS = [
    shot("here"),
    shot("all", play=("pool", "large", "queue"), sizes=TALL),
    shot("pool", play=("pool", "large")),
    shot("queue", play=("queue",)),
    shot("stalled", play=("stalled",)),
    shot("cancel", cancel, play=("queue",)),
    shot("preparing", play=("preparing",)),
    shot("hub", search("qwen coder"), look_up),
    shot("offline", search("qwen coder"), play=("offline",)),
    shot("checked", check, play=("wrong",)),
    shot("damaged", play=("damaged",)),
    shot("remove", remove),
    shot("empty", play=("empty",)),
    shot("full", end, play=("empty", "full")),
    shot("narrow", play=("queue", "pool"), sizes=NARROW),
    shot("narrow-end", search("qwen coder"), sizes=NARROW),
]
