"""A window that asks one long question of the scripted node and writes how much of the answer it has, until it dies.

A line each time: milliseconds, and the characters that came so far.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from idlepool.engine.events import AnswerText, Event
from idlepool.ui.bridge import Bridge
from idlepool.ui.main_window import MainWindow
from idlepool.ui.preferences import Preferences


def main(folder: Path, question: str) -> None:
    application = QApplication([])
    bridge = Bridge([sys.executable, str(Path(__file__).with_name("scripted_node.py"))])
    window = MainWindow(bridge, preferences=Preferences(folder))
    window.show()
    came = 0

    def tell(event: Event) -> None:
        nonlocal came
        if isinstance(event, AnswerText):
            came += len(event.text)
            sys.stdout.write(f"{time.monotonic_ns() // 1_000_000} {came}\n")
            sys.stdout.flush()

    bridge.received.connect(tell)
    window.state.models_changed.connect(lambda: window.chat.ask(question))
    bridge.start()
    application.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
