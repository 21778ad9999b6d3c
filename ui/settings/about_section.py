"""Which version this is, where it keeps what it keeps, whose work it stands on, and a report for whoever helps."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.settings.licences import licences
from idlepool.ui.settings.rows import Card, Section, SettingRow
from idlepool.ui.theme import styled


class AboutSection(Section):
    """`report_requested` wants the report, which is shown before it is copied."""

    report_requested = Signal()

    def __init__(self, folder: Path | None) -> None:
        super().__init__(QCoreApplication.translate("AboutSection", "About and trouble"))
        self.report = QPushButton(self.tr("Copy a report …"))
        self.report.clicked.connect(self.report_requested)
        self.licences = QPushButton(self.tr("Show …"))
        self.licences.setAccessibleName(self.tr("Show the licences"))
        self.licences.clicked.connect(self._show_licences)
        self.open = QPushButton(self.tr("Open"))
        self.open.setAccessibleName(self.tr("Open the data folder"))
        self.open.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))))
        report = self.tr("For whoever helps you. It holds no questions, answers, keys or names, and you see it first.")
        rows = [SettingRow(self.tr("Something does not work"), self.report, hint=report)]
        if folder is not None:
            rows.append(SettingRow(self.tr("Data folder"), self.open, hint=str(folder)))
        free = self.tr("Idlepool is free software (Apache 2.0) and builds on the work of others.")
        rows.append(SettingRow(self.tr("Licences"), self.licences, hint=free))
        self.version = SettingRow(
            "Idlepool", QWidget(), hint=self.tr("Version {number}").format(number=version("idlepool"))
        )
        self.version.control.hide()
        self.add(Card(self.version, *rows))

    def _show_licences(self) -> None:
        dialog = QDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Licences"))
        view = styled(QPlainTextEdit("\n".join(licences()), readOnly=True), "report")
        view.setAccessibleName(self.tr("Programs that Idlepool builds on, with their licences"))
        view.setTabChangesFocus(True)
        buttons = QDialogButtonBox()
        buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(dialog.close)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(16, 16, 16, 16)
        column.addWidget(view)
        column.addWidget(buttons)
        dialog.resize(520, 420)
        dialog.open()
