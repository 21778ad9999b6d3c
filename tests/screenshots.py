"""Show the window in each of its states, in both themes, two scales and two widths, and save what it looks like.

    python tests/screenshots.py FOLDER

Needs a display (Xvfb will do). A scale is fixed when Qt starts, so each one is drawn by a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QSettings, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from idlepool.ui.bridge import Bridge
from idlepool.ui.chat_window import ChatWindow
from idlepool.ui.pairing_dialog import PairingDialog
from idlepool.ui.theme import draw_in, follow_system

NODE = Path(__file__).parent / "ui" / "scripted_node.py"
SCALES = ("1", "2")
SETTLE_MS = 150

RAINBOW = """A rainbow needs **sunlight** and *raindrops*. Three things happen in each drop:

1. The light is **refracted** as it enters.
2. It is reflected at the back of the drop.
3. It is refracted again as it leaves, each colour at its own angle.

That is why you always see it with the sun behind you. See [the article](https://en.wikipedia.org/wiki/Rainbow).
"""

COMPARISON = """## Three ways to sort

| Method | Average | Worst | Stable |
|---|---:|---:|:---:|
| Merge sort | n log n | n log n | yes |
| Quicksort | n log n | n² | no |
| Insertion sort | n² | n² | yes |

A short one in `Python`:

```python
def quicksort(items: list[int]) -> list[int]:
    if len(items) <= 1:
        return items
    pivot, *rest = items
    smaller = [item for item in rest if item < pivot]
    larger = [item for item in rest if item >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(larger)  # a comment that is long enough to reach the edge
```

> Premature optimisation is the root of all evil.

- [x] Measure first
- [ ] Then decide
  - and measure again
"""

LANGUAGES = """Here it is 🎉

- Japanese: こんにちは、世界。お元気ですか？
- Chinese: 你好，世界！今天天气很好。
- Korean: 안녕하세요, 세계!
- Emoji: 🌧️ 🏙️ 👩‍💻 🇯🇵 👍🏽

### And a last word

The tags <b>are shown</b> as they were written, and a very long word breaks:
Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.
"""

ANSWERS = {
    "Explain how a rainbow forms.": RAINBOW,
    "Compare three ways to sort a list,\nwith a table and an example.": COMPARISON,
    "Say hello in other languages 🌍": LANGUAGES,
    "What is the capital of Japan?": "The capital of Japan is Tokyo.",
    "hold on: why is the sky blue?": RAINBOW.replace("rainbow", "blue sky")[:210],
    "pause while you explain rainbows": "A rainbow needs **sunlight** and *raindrops*. Three things happen in each",
    "fail while you explain rainbows": "A rainbow needs **sunlight** and *raindrops*. Three things happen in each",
}

State = tuple[str, list[str], list[str], tuple[int, int]]
STATES: list[State] = [
    ("empty", [], [], (900, 680)),
    ("no-model", ["--no-model", "--pcs", "1"], [], (900, 680)),
    ("downloading", ["--no-model", "--download", "hang"], ["<starter>"], (900, 680)),
    ("preparing", [], ["prepare the pool, please"], (900, 680)),
    ("streaming", [], ["What is the capital of Japan?", "hold on: why is the sky blue?"], (900, 680)),
    ("long", [], list(ANSWERS)[:3], (900, 1300)),
    ("scrolled", [], [*list(ANSWERS)[:3], "<up>"], (900, 680)),
    ("failed", [], ["What is the capital of Japan?", "fail while you explain rainbows"], (900, 680)),
    ("paused", [], ["What is the capital of Japan?", "pause while you explain rainbows"], (900, 680)),
    ("trouble", [], ["break a disk", "die"], (900, 680)),
    ("writing", [], ["What is the capital of Japan?", "<write>"], (900, 680)),
    ("queued", [], ["What is the capital of Japan?", "queue behind the others"], (900, 680)),
    ("full", [], ["What is the capital of Japan?", "full to the brim"], (900, 680)),
    ("slid", [], ["What is the capital of Japan?", "slide along, please", "end of the story"], (900, 680)),
    ("narrow-full", [], ["slide along, please", "full to the brim"], (420, 560)),
    ("wide", [], list(ANSWERS)[:2], (1600, 900)),
    ("narrow", [], list(ANSWERS)[:2], (480, 680)),
    ("narrow-empty", [], [], (420, 480)),
    ("narrow-failed", [], ["fail while you explain rainbows"], (480, 680)),
    ("can-pair", ["--pairs", "idle-1"], [], (900, 680)),
    ("states", ["--states"], ["What is the capital of Japan?", "join the others"], (1280, 800)),
    ("states-low", ["--states"], ["notice this, please"], (900, 600)),
    ("states-elsewhere", ["--states", "--no-model"], ["join the others"], (900, 600)),
    ("narrow-can-pair", ["--pairs", "idle-1", "--pcs", "1"], [], (420, 480)),
]

MEMBERS = ["--pairs", "idle-1", "idle-2", "A PC whose owner gave it a name that does not fit into any row", "lagoon"]
PAIRING: list[State] = [
    ("pairing-alone", ["--pairs", "idle-1"], [], (560, 620)),
    ("pairing-members", [*MEMBERS, "harbour", "attic"], [], (560, 620)),
    ("pairing-remove", MEMBERS, ["remove"], (560, 620)),
    ("pairing-code", ["--pairs", "idle-1"], ["show"], (560, 620)),
    ("pairing-wrong", ["--pairs", "idle-1", "--pairing", "wrong"], ["show"], (560, 620)),
    ("pairing-void", ["--pairs", "idle-1", "--pairing", "void"], ["show"], (560, 620)),
    ("pairing-type", ["--pairs", "idle-1"], ["type"], (560, 620)),
    ("pairing-busy", ["--pairs", "idle-1"], ["type", "H7MP3XQ9"], (560, 620)),
    ("pairing-refused", ["--pairs", "idle-1"], ["type", "W7MP3XQ9"], (560, 620)),
    ("pairing-done", ["--pairs", "idle-1"], ["type", "K7MP3XQ9"], (560, 620)),
    ("pairing-states", ["--states"], [], (560, 620)),
    ("pairing-strangers", ["--states"], ["end"], (560, 620)),
    ("pairing-stranger", ["--states"], ["pair"], (560, 620)),
    ("pairing-small", MEMBERS, [], (380, 400)),
    ("pairing-small-states", ["--states"], ["end"], (380, 400)),
    ("pairing-tall-states", ["--states"], [], (900, 1100)),
    ("pairing-small-code", ["--pairs", "idle-1", "--pairing", "wrong"], ["show"], (380, 400)),
]


def main() -> None:
    """Draw every state at every scale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="states whose name begins so")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if "QT_SCALE_FACTOR" in os.environ:
        draw(options.folder, options.only)
        return
    for scale in SCALES:
        subprocess.run([sys.executable, *sys.argv], check=True, env=os.environ | {"QT_SCALE_FACTOR": scale})


def draw(folder: Path, only: str) -> None:
    """Draw every state in both themes at the scale of this process."""
    application = QApplication([])
    follow_system(application)
    scale = os.environ["QT_SCALE_FACTOR"]
    for scheme in (Qt.ColorScheme.Light, Qt.ColorScheme.Dark):
        draw_in(application, scheme)
        for name, arguments, steps, size in STATES:
            if name.startswith(only):
                with shown(arguments, size) as window:
                    for step in steps:
                        act(window, step)
                    QTest.qWait(SETTLE_MS)
                    window.grab().save(str(folder / f"{name}-{scheme.name.lower()}-{scale}x.png"))
        for name, arguments, steps, size in PAIRING:
            if name.startswith(only):
                with shown(arguments, (900, 680)) as window:
                    picture = pair(window, steps, size)
                    picture.save(str(folder / f"{name}-{scheme.name.lower()}-{scale}x.png"))


@contextmanager
def shown(arguments: list[str], size: tuple[int, int]) -> Iterator[ChatWindow]:
    """A window served by the scripted node."""
    with tempfile.TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)  # nothing was told before
        answers = Path(folder, "answers.json")
        answers.write_text(json.dumps(ANSWERS), "utf-8")
        bridge = Bridge([sys.executable, str(NODE), "--answers", str(answers), *arguments])
        window = ChatWindow(bridge)
        dialog = PairingDialog(bridge, window)
        dialog.available.connect(window.header.show_pairing)
        window.header.pair_requested.connect(dialog.bring_up)
        window.resize(*size)
        window.show()
        bridge.start()
        wait_until(lambda: "Starting" not in window.header.pool.text())
        QTest.qWait(SETTLE_MS)
        yield window
        bridge.stop()
        window.deleteLater()


def act(window: ChatWindow, step: str) -> None:
    """Do one thing that a user would do, and let the window come to rest."""
    if step == "<starter>":
        window.welcome.first_model.button.click()
    elif step == "<up>":
        window.transcript.verticalScrollBar().setValue(window.transcript.verticalScrollBar().maximum() // 3)
    elif step == "<write>":
        window.composer.field.setPlainText("\n".join(f"Line {n} of a longer message" for n in range(1, 9)))
    else:
        window.ask(step)
        if not step.startswith(("hold", "prepare", "queue")):
            wait_until(lambda: "Answering" not in window.state_words)
    QTest.qWait(SETTLE_MS)


def pair(window: ChatWindow, steps: list[str], size: tuple[int, int]) -> QPixmap:
    """Open the pairing dialog, do what a user would do in it, and return its picture, or that of its question."""
    window.header.pair.click()
    dialog = window.findChild(PairingDialog)
    assert dialog is not None
    dialog.resize(*size)
    for step in steps:
        if step == "show":
            dialog.start.show_code.click()
        elif step == "type":
            dialog.start.type_code.click()
        elif step == "end":
            dialog.start.pcs.verticalScrollBar().setValue(dialog.start.pcs.verticalScrollBar().maximum())
        elif step == "pair":
            next(b for b in dialog.findChildren(QPushButton) if b.accessibleName().startswith("Pair with")).click()
        elif step == "remove":
            next(b for b in dialog.findChildren(QPushButton) if "lagoon" in b.accessibleName()).click()
        else:
            QTest.keyClicks(dialog.typed.field, step)
            dialog.typed.pair.click()
        QTest.qWait(SETTLE_MS)
    QTest.qWait(SETTLE_MS)
    box = dialog.findChild(QMessageBox)
    return (box or dialog).grab()


def wait_until(condition: Callable[[], bool]) -> None:
    """Let the window work until the condition holds, at most ten seconds."""
    deadline = QDeadlineTimer(10_000)
    while not condition() and not deadline.hasExpired():
        QTest.qWait(10)


if __name__ == "__main__":
    main()
