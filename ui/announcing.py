"""Has a screen reader say what happens where the focus is not: news that others see at a glance."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QWidget


def announcing() -> bool:
    """Whether somebody listens: assistive technology runs, and one of our windows has the keyboard. Who works in
    another program is not interrupted."""
    return QAccessible.isActive() and QApplication.activeWindow() is not None


def announce(about: QWidget, words: str, *, urgent: bool = False) -> None:
    """Have `words` said: after what is being said now, or at once where it is `urgent`, as a trouble is."""
    if words and announcing():
        event = QAccessibleAnnouncementEvent(about, words)
        politeness = QAccessible.AnnouncementPoliteness
        event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
        QAccessible.updateAccessibility(event)
