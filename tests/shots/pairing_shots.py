"""The pairing dialog on each of its pages."""

from __future__ import annotations

from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget
from shots.shot import SETTLE_MS, SIZES, Shot

from idlepool.ui.main_window import MainWindow
from idlepool.ui.pool.pairing_dialog import PairingDialog


def act(window: MainWindow, steps: tuple[str, ...], size: tuple[int, int] | None) -> QWidget:
    """Open the dialog and do what a user would do in it; the dialog, or its question."""
    window.chat.header.pair.click()
    dialog = window.findChild(PairingDialog)
    assert dialog is not None
    if size is not None:
        dialog.resize(*size)
    for step in steps:
        if step == "show":
            dialog.start.show_code.click()
        elif step == "type":
            dialog.start.type_code.click()
        elif step == "end":
            dialog.start.pcs.verticalScrollBar().setValue(dialog.start.pcs.verticalScrollBar().maximum())
        elif step == "pair":
            dialog.start.pcs.strangers.buttons[0].click()
        elif step == "remove":
            next(b for b in dialog.findChildren(QPushButton) if "lagoon" in b.accessibleName()).click()
        else:
            QTest.keyClicks(dialog.typed.field, step)
            dialog.typed.pair.click()
        QTest.qWait(SETTLE_MS)
    return dialog.findChild(QMessageBox) or dialog


def shot(name: str, *steps: str, node: tuple[str, ...], size: tuple[int, int] | None = None) -> Shot:
    """The dialog as large as it opens, or of a size."""
    return Shot(name, partial(act, steps=steps, size=size), node, SIZES if size is None else SIZES[1:])


ALONE = ("--pairs", "idle-1")
MEMBERS = ("--pairs", "idle-1", "idle-2", "A PC whose owner gave it a name that does not fit into any row", "lagoon")
SHOTS = [
    shot("pairing-alone", node=ALONE),
    shot("pairing-members", node=(*MEMBERS, "harbour", "attic")),
    shot("pairing-remove", "remove", node=MEMBERS),
    shot("pairing-code", "show", node=ALONE),
    shot("pairing-wrong", "show", node=(*ALONE, "--pairing", "wrong")),
    shot("pairing-void", "show", node=(*ALONE, "--pairing", "void")),
    shot("pairing-type", "type", node=ALONE),
    shot("pairing-busy", "type", "H7MP3XQ9", node=ALONE),
    shot("pairing-refused", "type", "W7MP3XQ9", node=ALONE),
    shot("pairing-done", "type", "K7MP3XQ9", node=ALONE),
    shot("pairing-states", node=("--states",)),
    shot("pairing-strangers", "end", node=("--states",)),
    shot("pairing-stranger", "pair", node=("--states",)),
    shot("pairing-small", node=MEMBERS, size=(380, 400)),
    shot("pairing-small-states", "end", node=("--states",), size=(380, 400)),
    shot("pairing-tall-states", node=("--states",), size=(900, 1100)),
    shot("pairing-small-code", "show", node=(*ALONE, "--pairing", "wrong"), size=(380, 400)),
]
