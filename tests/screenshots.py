"""Show the window in each of its states, in both themes, two scales and two sizes, and save what it looks like.

    python -m tests.screenshots FOLDER [--only NAME] [--scale 1|2]

Needs a display (Xvfb will do). A scale is fixed when Qt starts, so each one is drawn by a process of its own. Each view
has its pictures in a file of tests/shots.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

TESTS = Path(__file__).parent
sys.path[:0] = [str(TESTS), str(TESTS / "ui")]  # tests are no package: what they share is imported by its plain name

from shots.chat_shots import ANSWERS  # noqa: E402
from shots.shot import SETTLE_MS, Shot, wait_until  # noqa: E402

from idlepool.ui.bridge import Bridge  # noqa: E402
from idlepool.ui.language import LANGUAGES, speak  # noqa: E402
from idlepool.ui.main_window import MainWindow  # noqa: E402
from idlepool.ui.pool.pairing_dialog import PairingDialog  # noqa: E402
from idlepool.ui.theme import draw_in, follow_system  # noqa: E402

NODE = TESTS / "ui" / "scripted_node.py"
SCALES = ("1", "2")


def all_shots() -> list[Shot]:
    """Of every file of tests/shots that has some."""
    modules = [importlib.import_module(f"shots.{file.stem}") for file in sorted((TESTS / "shots").glob("*_shots.py"))]
    return [shot for module in modules for shot in module.SHOTS]


def main() -> None:
    """Draw every state at every scale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="pictures whose name begins so")
    parser.add_argument("--scale", choices=SCALES, help="this one only")
    parser.add_argument("--language", default="en", choices=LANGUAGES, help="that the window speaks")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if "QT_SCALE_FACTOR" in os.environ:
        draw(options.folder, options.only, options.language)
        return
    command = [sys.executable, "-m", "tests.screenshots", str(options.folder), "--only", options.only]
    command += ["--language", options.language]
    for scale in [options.scale] if options.scale else SCALES:
        subprocess.run(command, check=True, env=os.environ | {"QT_SCALE_FACTOR": scale})


def draw(folder: Path, only: str, language: str) -> None:
    """Draw every state in both themes at the scale of this process."""
    application = QApplication([])
    speak(application, language)
    follow_system(application)
    scale = os.environ["QT_SCALE_FACTOR"]
    for scheme in (Qt.ColorScheme.Light, Qt.ColorScheme.Dark):
        draw_in(application, scheme)
        for shot in all_shots():
            if shot.name.startswith(only):
                for size in shot.sizes:
                    with shown(shot.node, size) as window:
                        pictured = shot.act(window) or window
                        QTest.qWait(2 * SETTLE_MS)
                        size_name = "x".join(map(str, size))
                        pictured.grab().save(
                            str(folder / f"{shot.name}-{scheme.name.lower()}-{size_name}-{scale}x.png")
                        )


@contextmanager
def shown(arguments: tuple[str, ...], size: tuple[int, int]) -> Iterator[MainWindow]:
    """A window served by the scripted node."""
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder, "answers.json")
        answers.write_text(json.dumps(ANSWERS), "utf-8")
        bridge = Bridge([sys.executable, str(NODE), "--answers", str(answers), *arguments])
        window = MainWindow(bridge)
        dialog = PairingDialog(bridge, window)
        dialog.available.connect(window.chat.header.show_pairing)
        window.chat.header.pair_requested.connect(dialog.bring_up)
        window.resize(*size)
        window.show()
        bridge.start()
        wait_until(lambda: window.state.ready is not None)
        wait_until(lambda: "--states" not in arguments or bool(window.state.peers))  # they are told a little later
        QTest.qWait(SETTLE_MS)
        yield window
        bridge.stop()
        window.deleteLater()


if __name__ == "__main__":
    main()
