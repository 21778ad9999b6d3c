"""Showing parts of a view, and the widgets of a stack."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget


def show_part(part: QWidget, shown: bool) -> None:
    """Show or hide a part, also one that has not got its place yet: Qt would open a window for that one."""
    if shown and part.parentWidget() is None:
        part.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)  # it is shown with its parent
    else:
        part.setVisible(shown)


def replace_widget(stack: QStackedWidget, number: int, widget: QWidget) -> None:
    """Put another widget at a place of a stack, which shows the same place as before."""
    shown, before = stack.currentIndex(), stack.widget(number)
    stack.insertWidget(number, widget)
    if before is not None:
        stack.removeWidget(before)
        before.deleteLater()
    stack.setCurrentIndex(shown)
