"""The last words of the node process, for somebody who wants to know or to report what happened."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget


def show_details(parent: QWidget, text: str) -> QDialog:
    """Open a dialog with `text` and a button that copies it."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(_tr("Details"))
    view = QPlainTextEdit(text or _tr("The engine wrote nothing."))
    view.setReadOnly(True)
    view.setAccessibleName(_tr("What the engine wrote last"))
    view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    buttons = QDialogButtonBox()
    buttons.addButton(_tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
    copy = buttons.addButton(_tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
    buttons.rejected.connect(dialog.close)
    column = QVBoxLayout(dialog)
    column.addWidget(view)
    column.addWidget(buttons)
    dialog.resize(640, 320)
    dialog.open()
    return dialog


def _tr(text: str) -> str:
    return QCoreApplication.translate("Details", text)
