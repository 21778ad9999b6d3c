"""The line at the bottom of the sidebar: what this PC does now and why. A click opens the menu of the tray."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from idlepool.ui.app_icon import status_icon
from idlepool.ui.app_menu import AppMenu, Requests
from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.pc_status import StatusWatch
from idlepool.ui.theme import plain_tooltip, styled

ICON: Final = 20
NARROW: Final = 96
"""Pixels below which there is no room for words."""


class LendingStatus(QPushButton):
    """An icon, the state and its reason; in a narrow sidebar the icon alone."""

    def __init__(self, watch: StatusWatch, requests: Requests) -> None:
        super().__init__()
        styled(self, "status")
        self._watch = watch
        self.menu_of_app = AppMenu(watch, requests)
        self._icon = QLabel()
        self.words = ElidedLabel()
        self.reason = styled(ElidedLabel(), "muted")
        self._lines = QWidget()
        self._build()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open_menu)
        watch.changed.connect(self._show)
        self._show()

    def open_menu(self) -> None:
        """Show the menu above the line."""
        menu = self.menu_of_app
        menu.popup(self.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def sizeHint(self) -> QSize:
        """As high as its two lines."""
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the icon."""
        margins = self._row.contentsMargins()
        return QSize(ICON + margins.left() + margins.right(), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the words out where there is no room for them."""
        super().resizeEvent(event)
        self._lines.setVisible(self.width() >= NARROW)

    def _build(self) -> None:
        lines = QVBoxLayout(self._lines)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addWidget(self.words)
        lines.addWidget(self.reason)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(8, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self._lines, 1)
        for part in (self._icon, self._lines, self.words, self.reason):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def _show(self) -> None:
        status = self._watch.now
        self._icon.setPixmap(status_icon(status.kind).pixmap(QSize(ICON, ICON), self.devicePixelRatioF()))
        self.words.show_text(status.words)
        self.reason.show_text(status.reason)
        self.reason.setVisible(bool(status.reason))
        told = f"{status.words}: {status.reason}" if status.reason else status.words
        self.setToolTip(plain_tooltip(told))
        self.setAccessibleName(told)
        self.setAccessibleDescription(self.tr("Opens the menu of lending"))
        self.updateGeometry()
