"""Shows a report before it is copied, for somebody who wants to know or to tell what happened."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.announcing import announce
from idlepool.ui.settings.rows import muted
from idlepool.ui.theme import styled


class DetailsDialog(QDialog):
    """The text, and a button that copies exactly what is seen."""

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Report"))
        self.view = styled(QPlainTextEdit(text, readOnly=True), "report")
        self.view.setTabChangesFocus(True)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setAccessibleName(self.tr("The report"))
        self.view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.words = muted(
            self.tr(
                "This is all that is copied. Questions, answers, keys, and the names of PCs, people and folders are"
                " left out: where one was, there is “…”."
            )
        )
        self.copy = styled(QPushButton(self.tr("Copy")), "primary")
        self.copy.clicked.connect(self._copy)
        buttons = QDialogButtonBox()
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        for widget in (self.words, self.view, buttons):
            column.addWidget(widget)
        self.resize(680, min(520, max(380, parent.height())))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.view.toPlainText())
        self.copy.setText(self.tr("Copied"))
        announce(self.copy, self.copy.text())


def show_details(parent: QWidget, text: str) -> DetailsDialog:
    """Open the dialog with a report."""
    dialog = DetailsDialog(parent, text)
    dialog.open()
    return dialog
