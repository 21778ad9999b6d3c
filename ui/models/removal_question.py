"""Asks before something goes that took long to come."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def ask_removal(
    parent: QWidget, question: str, consequence: str, *, keep: str, remove: str, on_remove: Callable[[], object]
) -> None:
    """Open the question above `parent`. `keep` and `remove` are on its buttons; Enter and Esc keep."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)  # names come from other PCs
    box.setText(question)
    box.setInformativeText(consequence)
    box.setDefaultButton(box.addButton(keep, QMessageBox.ButtonRole.RejectRole))
    box.addButton(remove, QMessageBox.ButtonRole.DestructiveRole).clicked.connect(lambda: on_remove())
    box.open()
