"""What the sidebar has no room for in a narrow window: it slides over the page, and goes when it was used."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from idlepool.ui.escape import claims_escape
from idlepool.ui.theme import styled

MARGIN = 8


class Drawer(QFrame):
    """Lies over its window beside the rail, with the keyboard in it. Esc, a click elsewhere and Tab out of it close it;
    with Esc the keyboard is where it was opened from."""

    closed = Signal()

    def __init__(self, beside: QWidget, opener: QWidget) -> None:
        super().__init__(beside.window())
        styled(self, "drawer")
        self._beside = beside
        self._opener = opener
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus)
        self.hide()

    def take(self, content: QWidget) -> None:
        """Hold this."""
        self._column.addWidget(content)
        content.show()

    def open(self, width: int) -> None:
        """Be in sight, as wide as that or as the window has room for."""
        window, left = self._beside.window(), self._beside.width()
        self.setGeometry(QRect(left, 0, min(width, window.width() - left), window.height()))
        self.show()
        self.raise_()
        if first := next(self._stops(), None):
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def shut(self) -> None:
        """Be out of sight; the keyboard is on what opens it again, if it was in here."""
        focused = QApplication.focusWidget()
        if focused is not None and self.isAncestorOf(focused):
            self._opener.setFocus(Qt.FocusReason.TabFocusReason)
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.shut()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Esc is for the drawer while it is open, not for the window's shortcut of that key."""
        return claims_escape(event) or super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Look out for what is done elsewhere."""
        super().showEvent(event)
        if application := QApplication.instance():
            application.installEventFilter(self)

    def hideEvent(self, event: QHideEvent) -> None:
        """And no longer."""
        super().hideEvent(event)
        if application := QApplication.instance():
            application.removeEventFilter(self)
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close at a click into the same window that is neither here nor in the rail, and with Esc in the rail."""
        if isinstance(watched, QWidget):
            if event.type() == QEvent.Type.MouseButtonPress and self._elsewhere(watched):
                self.hide()
            elif self._beside.isAncestorOf(watched):
                if claims_escape(event):
                    return True
                if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
                    self.hide()
                    return True
        return super().eventFilter(watched, event)

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isVisible() and self._elsewhere(now):
            self.hide()

    def _stops(self) -> Iterator[QWidget]:
        """Where the tab key stops in here, in its order."""
        widget: QWidget | None = self.nextInFocusChain()
        while widget is not None and widget is not self:
            takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled()
            if takes and self.isAncestorOf(widget) and widget.isVisibleTo(self):
                yield widget
            widget = widget.nextInFocusChain()

    def _elsewhere(self, widget: QWidget) -> bool:
        ours = any(part is widget or part.isAncestorOf(widget) for part in (self, self._beside))
        return widget.window() is self.window() and not ours
