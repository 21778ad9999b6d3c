"""Keeps the mouse wheel for scrolling: over a control that has no focus it would change what nobody meant to change."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QWidget


class WheelGuard(QObject):
    """Watches the controls inside `page` that a wheel changes."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        for kind in (QAbstractSlider, QAbstractSpinBox, QComboBox):
            for control in page.findChildren(kind):
                if not isinstance(control, QScrollBar):
                    control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                    control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave a wheel over a control without focus to the page."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)
