"""The pictures of the README: pages of a PC that lends meanwhile."""

from __future__ import annotations

from shots.chat_shots import ANSWERS, shot
from shots.shot import Shot, wait_until

from idlepool.ui.main_window import MainWindow

SIZE = ((1280, 800),)
LENDS = ("--play", "tray", "lending")


def show_models(window: MainWindow) -> None:
    """The queue on top."""
    window.show_page(window.models_page)
    wait_until(lambda: bool(window.state.adding))


SHOTS = [
    shot("readme-chat", *list(ANSWERS)[:2], node=LENDS, sizes=SIZE),
    Shot("readme-models", show_models, (*LENDS, "models", "queue"), SIZE),
]
