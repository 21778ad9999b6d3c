"""A selection that goes on from one text of a message to the next."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QMenu

from idlepool.ui.chat.text_view import TextView

_MOVE = QTextCursor.MoveOperation
_KEEP = QTextCursor.MoveMode.KeepAnchor


class JointSelection(QObject):
    """Watches the texts that it is given: what is selected by dragging, "select all" and "copy" concern all of them."""

    def __init__(self, views: Callable[[], Sequence[TextView]], parent: QObject) -> None:
        super().__init__(parent)
        self._views = views
        self._origin: TextView | None = None

    def watch(self, view: TextView) -> None:
        """Let `view` take part."""
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def text(self) -> str:
        """What is selected, as plain text: what is pasted elsewhere should not bring this window's colours along."""
        return "\n".join(filter(None, (view.selected_text for view in self._views())))

    def copy(self) -> None:
        """Put what is selected on the clipboard."""
        if text := self.text():
            QGuiApplication.clipboard().setText(text)

    def select_all(self) -> None:
        """Select the whole message."""
        for view in self._views():
            view.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Extend the selection beyond the text that it began in."""
        if isinstance(event, QMouseEvent):
            if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
                self._begin(watched)
            if event.type() == QEvent.Type.MouseMove and event.buttons() & Qt.MouseButton.LeftButton:
                return self._drag(event.globalPosition().toPoint())
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        elif isinstance(event, QContextMenuEvent):
            self._show_menu(watched, event)
            return True
        return False

    def _press(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            return False
        return True

    def _show_menu(self, watched: QObject, event: QContextMenuEvent) -> None:
        view = next(view for view in self._views() if watched in (view, view.viewport()))
        menu = QMenu(view)
        menu.addAction(self.tr("Copy"), self.copy).setEnabled(bool(self.text()))
        menu.addAction(self.tr("Select all"), self.select_all)
        if link := view.anchorAt(view.viewport().mapFromGlobal(event.globalPos())):
            menu.addAction(self.tr("Copy the link"), lambda: QGuiApplication.clipboard().setText(link))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())

    def _begin(self, watched: QObject) -> None:
        self._origin = next((view for view in self._views() if watched is view.viewport()), None)
        for view in self._views():
            if view is not self._origin:
                _deselect(view)

    def _drag(self, place: QPoint) -> bool:
        """Select up to `place` on the screen; False where the text does that itself."""
        views = self._views()
        origin = self._origin
        if origin is None or origin not in views:
            return False
        target = min(views, key=lambda view: _distance(view, place))
        first, last = sorted((views.index(origin), views.index(target)))
        for number, view in enumerate(views):
            if not first <= number <= last:
                _deselect(view)
            elif first < number < last:
                view.selectAll()
        if target is origin:
            return False
        onward = views.index(target) == last
        cursor = origin.textCursor()
        cursor.setPosition(cursor.anchor())
        cursor.movePosition(_MOVE.End if onward else _MOVE.Start, _KEEP)
        origin.setTextCursor(cursor)
        end = target.cursorForPosition(target.viewport().mapFromGlobal(place)).position()
        cursor = target.textCursor()
        cursor.movePosition(_MOVE.Start if onward else _MOVE.End)
        cursor.setPosition(end, _KEEP)
        target.setTextCursor(cursor)
        return True


def _deselect(view: TextView) -> None:
    cursor = view.textCursor()
    if cursor.hasSelection():
        cursor.clearSelection()
        view.setTextCursor(cursor)


def _distance(view: TextView, place: QPoint) -> int:
    top = view.mapToGlobal(QPoint(0, 0)).y()
    return max(top - place.y(), place.y() - top - view.height(), 0)
