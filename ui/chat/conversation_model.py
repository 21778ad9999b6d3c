"""The rows of the conversation list: headings with conversations below them, read page by page, or what was found."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from datetime import datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from idlepool.ui.history.history import History
from idlepool.ui.history.sections import Section, in_sections
from idlepool.ui.history.values import Entry, Found

PAGE: Final = 100
MOST_FOUND: Final = 50

ROW: Final = Qt.ItemDataRole.UserRole
"""The Section, Entry or Found itself."""

Row = Section | Entry | Found
Index = QModelIndex | QPersistentModelIndex
TOP: Final = QModelIndex()


class ConversationModel(QAbstractListModel):
    """Reads from the history what is looked at; `reload` reads that again."""

    def __init__(self, history: History, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._entries: list[Entry] = []
        self._rows: list[Row] = []
        self._more = False
        self.words = ""
        """What is searched for; empty: nothing, and all are listed."""
        self.answering: frozenset[int] = frozenset()
        """Those in which an answer is being written."""
        self.reload()

    def reload(self, seen: int = 0) -> None:
        """Read again the rows that were `seen` and a page more; whoever scrolls on has the rest read again."""
        self.beginResetModel()
        if self.words:
            self._rows, self._more = list(self._history.search(self.words, limit=MOST_FOUND)), False
        else:
            wanted = seen + PAGE
            self._entries = self._history.conversations(limit=wanted)
            self._rows, self._more = self._in_rows(), len(self._entries) == wanted
        self.endResetModel()

    def search(self, words: str) -> None:
        """Show what has these words; none: all."""
        if words.strip() != self.words:
            self.words = words.strip()
            self.reload()

    def row_of(self, conversation: int) -> QModelIndex:
        """Where a conversation stands; invalid: it was not read, or is not there."""
        at = (number for number, row in enumerate(self._rows) if entry_of(row, conversation))
        return self.index(next(at, -1), 0)

    # --- as Qt asks for it --------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = TOP) -> int:
        """Rows that were read."""
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:
        """Whether there may be more than was read."""
        return self._more and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        """Read the next page."""
        page = self._history.conversations(limit=PAGE, offset=len(self._entries))
        self._entries += page
        self._more = len(page) == PAGE
        before, after = self._rows, self._in_rows()
        if after[: len(before)] != before:  # an older one changed what is known of the times of the newer
            self.beginResetModel()
            self._rows = after
            self.endResetModel()
        elif page:
            self.beginInsertRows(parent if isinstance(parent, QModelIndex) else TOP, len(before), len(after) - 1)
            self._rows = after
            self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's own
        """The row itself, its text, and what a screen reader says of it."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.UserRole:
                return row
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return self.text(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Give a conversation another title."""
        entry = entry_of(self._rows[index.row()]) if index.isValid() else None
        if entry is None or role != Qt.ItemDataRole.EditRole:
            return False
        if str(value).strip() != self.text(entry):
            self._history.rename(entry.id, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings can be neither chosen nor renamed."""
        if not index.isValid() or isinstance(self._rows[index.row()], Section):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    # --- words --------------------------------------------------------------------------------------------------------

    def text(self, row: Row) -> str:
        """What is written in a row."""
        if isinstance(row, Section):
            return self._heading(row)
        return (row.entry if isinstance(row, Found) else row).title or self.tr("New conversation")

    def _heading(self, section: Section) -> str:
        return {
            Section.PINNED: self.tr("Pinned"),
            Section.TODAY: self.tr("Today"),
            Section.YESTERDAY: self.tr("Yesterday"),
            Section.WEEK: self.tr("Previous 7 days"),
            Section.OLDER: self.tr("Older"),
        }[section]

    def _spoken(self, row: Row) -> str:
        entry = entry_of(row)
        if isinstance(row, Found) and row.message is not None:
            snippet = "".join(piece.text for piece in row.snippet)
            return self.tr("{title}: {snippet}").format(title=self.text(row), snippet=snippet)
        words = self.text(row)
        if entry and entry.pinned:
            words = self.tr("{title}, pinned").format(title=words)
        if entry and entry.id in self.answering:
            words = self.tr("{title}, is being answered").format(title=words)
        return words

    def _in_rows(self) -> list[Row]:
        rows: list[Row] = []
        for section, entries in in_sections(self._entries, datetime.now().astimezone()):
            rows += [section, *entries]
        return rows


def entry_of(row: Row, conversation: int | None = None) -> Entry | None:
    """The conversation of a row, or of a row of this conversation."""
    entry = row.entry if isinstance(row, Found) else row
    if isinstance(entry, Section) or conversation not in (None, entry.id):
        return None
    return entry
