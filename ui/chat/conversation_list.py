"""All conversations beside the chat: a new one, the search, and the list; what is done in it is done in the history."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.announcing import announce
from idlepool.ui.chat.conversation_model import ConversationModel, Row, entry_of
from idlepool.ui.chat.conversation_view import ConversationView
from idlepool.ui.chat.exchange_dialogs import ExchangeDialogs
from idlepool.ui.chat.search_field import SearchField
from idlepool.ui.chat.undo_bar import UndoBar
from idlepool.ui.history.history import History
from idlepool.ui.history.values import Found
from idlepool.ui.icon_button import IconButton
from idlepool.ui.shortcuts import keys_of
from idlepool.ui.theme import styled


class ConversationList(QWidget):
    """`chosen` brings the conversation to show, and `found` then the message of it that has the words searched for.
    `deleted` brings one that is to be shown no longer, `told` a sentence."""

    chosen = Signal(int)
    found = Signal(int)
    new_requested = Signal()
    deleted = Signal(int)
    told = Signal(str)
    left = Signal()
    """The keyboard goes back to the chat."""

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history
        self.model = ConversationModel(history, self)
        self.view = ConversationView(self.model)
        self.field = SearchField()
        self.fresh = QPushButton(self.tr("New conversation"))
        self.more = IconButton("more", self.tr("More about all conversations"))
        self.nothing = styled(QLabel(wordWrap=True), "muted")
        self.undo = UndoBar()
        self.files = ExchangeDialogs(history, self)
        self._build()
        self._connect()
        self._show_nothing()

    def _build(self) -> None:
        self.fresh.setToolTip(self.tr("Begin a new conversation ({keys})").format(keys=keys_of("new conversation")))
        self.field.setToolTip(self.tr("Search all conversations ({keys})").format(keys=keys_of("search")))
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.fresh, 1)
        top.addWidget(self.more)
        self.nothing.setContentsMargins(8, 8, 8, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.field)
        column.addWidget(self.nothing)
        column.addWidget(self.view, 1)
        column.addWidget(self.undo)
        column.addWidget(self.files.bar)

    def _connect(self) -> None:
        self.fresh.clicked.connect(self.new_requested)
        self.more.clicked.connect(self._open_menu)
        self.field.searched.connect(self._search)
        self.field.key_given.connect(self._on_key)
        self.field.left.connect(self.left)
        self.view.opened.connect(self._open)
        self.view.pin_wanted.connect(self._pin)
        self.view.export_wanted.connect(self._export)
        self.view.delete_wanted.connect(self.delete)
        self.view.edited.connect(self.reload)
        self.undo.undone.connect(self._restore)
        self.files.imported.connect(self._on_imported)
        self.files.told.connect(self.told)

    # --- what the window tells ----------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Read again what is listed; the keyboard's place stays, and a title that is being changed."""
        if self.view.editing:
            return  # `edited` will follow
        entry = self.view.entry()
        place = self.view.verticalScrollBar().value()
        self.model.reload(self.view.rows_seen)
        if entry:
            self.view.choose(entry.id)
        self.view.verticalScrollBar().setValue(place)
        self._show_nothing()

    def show_current(self, conversation: int) -> None:
        """Mark the conversation that is shown; 0: one that is not begun yet."""
        if self.view.drawn.shown != conversation:
            self.view.drawn.shown = conversation
            self.undo.hide()
        self.view.choose(conversation)
        if not conversation:
            self.view.setCurrentIndex(QModelIndex())
        self.view.viewport().update()

    def show_answering(self, conversations: frozenset[int]) -> None:
        """Mark those in which an answer is being written."""
        self.view.drawn.answering = self.model.answering = conversations
        self.view.viewport().update()

    def focus_search(self) -> None:
        """Have the user type what to search for."""
        self.field.setFocus()
        self.field.selectAll()

    # --- what the user does -------------------------------------------------------------------------------------------

    def delete(self, conversation: int) -> None:
        """Delete a conversation, and offer to bring it back."""
        title = self._title(conversation)
        row = self.model.row_of(conversation).row()
        self._history.delete(conversation)
        self.deleted.emit(conversation)
        self.reload()
        below = self.model.index(min(row, self.model.rowCount() - 1), 0)
        self.view.setCurrentIndex(below)
        if not self.view.entry():
            self.view.choose_first()
        self.undo.offer(conversation, title)

    def menu(self) -> QMenu:
        """What can be done with all of them."""
        menu = QMenu(self)
        bring = menu.addAction(self.tr("Import …"))
        bring.triggered.connect(self.files.import_some)
        bring.setEnabled(not self.files.busy)
        export = menu.addAction(self.tr("Export all …"))
        export.triggered.connect(self.files.export_all)
        export.setEnabled(not self.files.busy and self.model.rowCount() > 0)
        return menu

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _open(self, row: Row) -> None:
        entry = entry_of(row)
        if entry is None:
            return
        message = self._message_of(row) if isinstance(row, Found) else None
        if message is not None and all(shown.id != message for shown in self._history.path(entry.id)):
            self._history.choose(message)
        self.chosen.emit(entry.id)
        if message is not None:
            self.found.emit(message)

    def _message_of(self, found: Found) -> int | None:
        """Where the words stand. Those of a title most often stand in the question that it was made of, too."""
        if found.message is not None:
            return found.message
        return self._history.first_with(found.entry.id, self.model.words)

    def _search(self, words: str) -> None:
        self.model.search(words)
        if self.model.words:
            self.view.choose_first()
        else:
            self.view.choose(self.view.drawn.shown)
        self._show_nothing()
        if self.model.words:
            count = self.model.rowCount()
            announce(self.view, self.tr("%Ln conversation(s) found.", "", count) if count else self.nothing.text())

    def _on_key(self, event: QKeyEvent) -> None:
        if not self.view.entry():
            self.view.choose_first()
        self.view.keyPressEvent(event)

    def _pin(self, conversation: int, pinned: bool) -> None:
        self.undo.hide()
        self._history.pin(conversation, pinned)
        self.reload()

    def _export(self, conversation: int) -> None:
        if self.files.busy:
            self.told.emit(self.tr("Another file is being written or read. Wait for its end, or cancel it."))
        else:
            self.files.export_one(conversation, self._title(conversation))

    def _restore(self, conversation: int) -> None:
        self._history.restore(conversation)
        self.reload()
        self.view.choose(conversation)
        self.chosen.emit(conversation)

    def _on_imported(self, conversations: list[int]) -> None:
        self.field.clear()
        self.reload()
        self.told.emit(self.tr("%Ln conversation(s) imported.", "", len(conversations)))
        if conversations:
            self.view.choose(conversations[0])
            self.chosen.emit(conversations[0])

    def _show_nothing(self) -> None:
        if self.model.words:
            self.nothing.setText(self.tr("Nothing found for “{words}”.").format(words=self.model.words))
        else:
            self.nothing.setText(self.tr("What you ask appears here. It is kept on this PC only."))
        self.nothing.setVisible(self.model.rowCount() == 0)

    def _title(self, conversation: int) -> str:
        return str(self.model.row_of(conversation).data() or "")
