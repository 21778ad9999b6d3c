"""The list itself: conversations to open, rename, pin, export and delete, by mouse and by keyboard."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QListView, QMenu, QToolTip, QWidget

from idlepool.ui.chat.conversation_delegate import ConversationDelegate, more_rect
from idlepool.ui.chat.conversation_model import ROW, ConversationModel, Row, entry_of
from idlepool.ui.history.values import Entry
from idlepool.ui.theme import plain_tooltip, styled


class ConversationView(QListView):
    """`opened` brings the Entry or Found that was clicked, or that Enter was pressed on."""

    opened = Signal(object)
    pin_wanted = Signal(int, bool)
    export_wanted = Signal(int)
    delete_wanted = Signal(int)
    edited = Signal()

    def __init__(self, model: ConversationModel) -> None:
        super().__init__()
        styled(self, "conversations")
        self._model = model
        self.setModel(model)
        self.drawn = ConversationDelegate(self)
        self.setItemDelegate(self.drawn)
        self.setAccessibleName(self.tr("Conversations"))
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.clicked.connect(self._open)

    @property
    def editing(self) -> bool:
        """A title is being changed."""
        return self.state() == QAbstractItemView.State.EditingState

    @property
    def rows_seen(self) -> int:
        """Number of rows from the first one to the last in sight."""
        below = self.indexAt(self.viewport().rect().bottomLeft() + QPoint(1, 0))
        at_the_end = self.verticalScrollBar().value() == self.verticalScrollBar().maximum()
        return below.row() + 1 if below.isValid() else self._model.rowCount() * at_the_end

    def entry(self, index: QModelIndex | None = None) -> Entry | None:
        """The conversation of a row, or of the chosen one."""
        index = self.currentIndex() if index is None else index
        return entry_of(index.data(ROW)) if index.isValid() else None

    def choose(self, conversation: int) -> None:
        """Put the keyboard's place on a conversation."""
        index = self._model.row_of(conversation)
        if index.isValid():
            self.setCurrentIndex(index)

    def choose_first(self) -> None:
        """Put it on the first conversation."""
        rows = (self._model.index(number, 0) for number in range(self._model.rowCount()))
        self.setCurrentIndex(next((index for index in rows if self.entry(index)), QModelIndex()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, also on a Mac, F2 renames, Del deletes; the arrows are Qt's."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        elif event.key() == Qt.Key.Key_F2:
            self.edit(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and (entry := self.entry()):
            self.delete_wanted.emit(entry.id)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The three dots open the menu; everything else of a row is the conversation."""
        where = event.position().toPoint()
        index = self.indexAt(where)
        if event.button() == Qt.MouseButton.LeftButton and more_rect(self.visualRect(index)).contains(where):
            self._open_menu(index, self._beside(index))
        else:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row below the mouse, or of the chosen one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        self._open_menu(index, self._beside(index) if by_key else event.globalPos())

    def viewportEvent(self, event: object) -> bool:
        """A title that is cut is whole in the tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QHelpEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            text = str(index.data()) if self.entry(index) else ""
            QToolTip.showText(event.globalPos(), plain_tooltip(text), self)
            return True
        return super().viewportEvent(event)  # type: ignore[arg-type]

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """The title was changed, or not."""
        super().closeEditor(editor, hint)
        self.edited.emit()

    def menu_of(self, index: QModelIndex) -> QMenu | None:
        """What can be done with the conversation of a row; none: it is a heading."""
        entry = self.entry(index)
        if entry is None:
            return None
        menu = QMenu(self)
        row: Row = index.data(ROW)
        self._add(menu, self.tr("Open")).triggered.connect(lambda: self.opened.emit(row))
        rename = self._add(menu, self.tr("Rename"), "F2")
        rename.triggered.connect(lambda: self.edit(self._model.row_of(entry.id)))
        pin = self._add(menu, self.tr("Unpin") if entry.pinned else self.tr("Pin"))
        pin.triggered.connect(lambda: self.pin_wanted.emit(entry.id, not entry.pinned))
        self._add(menu, self.tr("Export …")).triggered.connect(lambda: self.export_wanted.emit(entry.id))
        menu.addSeparator()
        self._add(menu, self.tr("Delete"), "Del").triggered.connect(lambda: self.delete_wanted.emit(entry.id))
        return menu

    def _add(self, menu: QMenu, words: str, keys: str = "") -> QAction:
        action = menu.addAction(words)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # only shown: keyPressEvent acts on it
        return action

    def _open(self, index: QModelIndex) -> None:
        if self.entry(index):
            self.opened.emit(index.data(ROW))

    def _open_menu(self, index: QModelIndex, where: QPoint) -> None:
        menu = self.menu_of(index)
        if menu is not None:
            self.setCurrentIndex(index)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(where)

    def _beside(self, index: QModelIndex) -> QPoint:
        return self.viewport().mapToGlobal(more_rect(self.visualRect(index)).bottomLeft())
