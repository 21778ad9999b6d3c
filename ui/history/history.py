"""The conversations of this user, kept in one file: what the chat page and its list read and write."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Connection as Database
from typing import Final

from idlepool.ui.history import erasing, messages, rows, trees
from idlepool.ui.history.search import first_in, search
from idlepool.ui.history.store import Store
from idlepool.ui.history.trouble import Reason, Translate, untranslated
from idlepool.ui.history.values import (
    ChatSettings,
    Conversation,
    Entry,
    Figures,
    Found,
    Message,
    MessageState,
    Role,
    Tree,
)

FILE: Final = "conversations.db"

_LISTED: Final = "deleted = 0 AND (leaf IS NOT NULL OR draft <> '' OR named)"
"""One in which nothing was said, typed or named is none yet."""


class History:
    """Never raises because of the disk: `problem` says what is wrong, and all goes on in memory until it is right.

    Without a folder nothing is kept. `on_problem` is called with each problem, and with an empty sentence after it.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        on_problem: Callable[[str], object] = lambda _: None,
        translate: Translate = untranslated,
    ) -> None:
        self.on_problem = on_problem
        self.translate = translate
        self._tidying = False
        path = folder and folder / FILE
        self._store = Store(path, on_problem=lambda sentence: self.on_problem(sentence), translate=translate)

    @property
    def problem(self) -> str:
        """A sentence on what is wrong with the file; empty: nothing."""
        return self._store.problem

    @property
    def reason(self) -> Reason | None:
        """The kind of problem."""
        return self._store.reason

    @property
    def waiting(self) -> int:
        """Number of changes that the disk has not taken yet."""
        return self._store.waiting

    def retry(self) -> bool:
        """Try to write what waits; whether nothing waits any more. Call it now and then while there is a problem."""
        return self._store.retry()

    def close(self) -> None:
        """Write what waits, if that is possible, and let go of the file."""
        self._store.close()

    # --- the list -----------------------------------------------------------------------------------------------------

    def conversations(self, *, limit: int, offset: int = 0) -> list[Entry]:
        """The pinned ones first, then the one that was changed last."""
        sql = f"SELECT {rows.ENTRY} FROM conversations WHERE {_LISTED} ORDER BY pinned DESC, sequence DESC"
        return [rows.entry(row) for row in self._store.read(f"{sql} LIMIT ? OFFSET ?", limit, offset)]

    def search(self, words: str, *, limit: int) -> list[Found]:
        """Conversations in whose title, or in one message of which, all the words stand or begin."""
        return self._store.run(lambda database: search(database, words, limit=limit))

    def first_with(self, conversation_id: int, words: str) -> int | None:
        """The first message of a conversation in which all the words stand or begin."""
        return self._store.run(lambda database: first_in(database, conversation_id, words))

    def create(self, *, model: str = "", settings: ChatSettings | None = None) -> Conversation:
        """Begin a conversation. The list has it as soon as something was asked, typed or named in it."""
        sql = "INSERT INTO conversations (sequence, changed_ms, model, settings) VALUES (0, 0, ?, ?) RETURNING id"
        kept = rows.encoded(settings or ChatSettings())

        def write(database: Database) -> int:
            number = int(database.execute(sql, (model, kept)).fetchone()[0])
            messages.touch(database, number)
            return number

        return self.open(self._store.change(write))

    def open(self, conversation_id: int) -> Conversation:
        """A conversation that is not deleted. Raises LookupError."""
        sql = f"SELECT {rows.CONVERSATION} FROM conversations WHERE id = ? AND NOT deleted"
        for row in self._store.read(sql, conversation_id):
            return rows.conversation(row)
        raise LookupError("This conversation is not there any more.")

    def rename(self, conversation_id: int, title: str) -> None:
        """Give a title that stays; an empty one: the first words of the first question again."""
        named = " ".join(rows.clean(title).split())
        first = "SELECT text FROM messages WHERE conversation = ? AND parent IS NULL ORDER BY id LIMIT 1"
        questions = [] if named else self._store.read(first, conversation_id)
        shown = named or rows.title_of(questions[0][0] if questions else "")
        self._update("title = ?, named = ?", conversation_id, shown, bool(named))

    def pin(self, conversation_id: int, pinned: bool) -> None:
        """Keep a conversation at the top of the list, or no longer."""
        self._update("pinned = ?", conversation_id, pinned)

    def delete(self, conversation_id: int) -> None:
        """Take a conversation out of the list; `restore` brings it back until `purge_deleted`."""
        self._update("deleted = 1", conversation_id)

    def restore(self, *conversations: int) -> None:
        """Bring deleted conversations back, all at once."""
        sql = "UPDATE conversations SET deleted = 0 WHERE id = ?"
        self._store.change(lambda database: database.executemany(sql, ((number,) for number in conversations)))

    def purge_deleted(self) -> None:
        """Erase what was deleted, and what was begun without a word. Its words leave the index with `tidy`."""
        self._tidying = False
        self._store.change(lambda database: erasing.purge(database, _LISTED))

    def tidy(self) -> bool:
        """Take some of the words that were erased out of the index; whether more are in there. Takes milliseconds."""
        more = self._store.change(lambda database: erasing.tidy(database, again=self._tidying))
        self._tidying = more
        return more

    # --- the messages -------------------------------------------------------------------------------------------------

    def path(self, conversation_id: int) -> list[Message]:
        """What is shown of a conversation, from its first question on."""
        return self._store.run(lambda database: messages.path(database, conversation_id))

    def siblings(self, message_id: int) -> tuple[int, ...]:
        """A message and its alternatives, oldest first."""
        return self._store.run(lambda database: messages.siblings(database, message_id))

    def choose(self, message_id: int) -> None:
        """Show the newest of the branches that go through a message."""
        self._store.change(lambda database: messages.choose(database, message_id))

    def message(self, message_id: int) -> Message:
        """One message. Raises LookupError."""
        for row in self._store.read(f"SELECT {rows.MESSAGE} FROM messages WHERE id = ?", message_id):
            return rows.message(row)
        raise LookupError("This message is not there any more.")

    def add_message(
        self,
        conversation_id: int,
        parent: int | None,
        role: Role,
        text: str,
        *,
        model: str = "",
        state: MessageState = "done",
    ) -> Message:
        """Write a message below its parent (None: the beginning) and show it. Raises LookupError."""
        message = messages.new_message(conversation_id, parent, role, text, model=model, state=state)

        def write(database: Database) -> int:
            number = messages.add(database, message)
            messages.touch(database, conversation_id)
            messages.name_after(database, conversation_id, text if role == "user" else "", model=model)
            return number

        return dataclasses.replace(message, id=self._store.change(write))

    def update_message(
        self,
        message_id: int,
        *,
        text: str | None = None,
        state: MessageState | None = None,
        detail: str | None = None,
        figures: Figures | None = None,
    ) -> None:
        """Change what is given. Quick enough to be called with each second of a growing answer."""
        values = (text and rows.clean(text), state, detail and rows.clean(detail), rows.encoded(figures), message_id)
        sql = """UPDATE messages SET text = coalesce(?, text), state = coalesce(?, state),
                 detail = coalesce(?, detail), figures = coalesce(?, figures) WHERE id = ?"""
        self._store.change(lambda database: database.execute(sql, values))

    def tree(self, conversation_id: int) -> Tree:
        """All of a conversation. Raises LookupError."""
        return self._store.run(lambda database: trees.tree(database, conversation_id))

    def add_trees(self, found: Sequence[Tree]) -> list[int]:
        """Write conversations with new numbers, the first at the top of the list; all of them or none.

        Raises ValueError where the messages of one do not make a tree.
        """
        numbers = self._store.change(lambda database: [trees.add(database, tree) for tree in reversed(found)])
        return numbers[::-1]

    def add_unlisted(self, found: Tree) -> int:
        """Write a conversation with a new number as if it was deleted: `restore` brings it into the list.

        Raises ValueError where its messages do not make a tree.
        """
        return self._store.change(lambda database: trees.add(database, found, listed=False))

    # --- beside the messages ------------------------------------------------------------------------------------------

    def save_draft(self, conversation_id: int, text: str) -> None:
        """Keep what was typed and not sent; empty: nothing."""
        self._update("draft = ?", conversation_id, rows.clean(text))

    def save_settings(self, conversation_id: int, settings: ChatSettings) -> None:
        """Keep how a conversation is answered."""
        self._update("settings = ?", conversation_id, rows.encoded(settings))

    def presets(self) -> dict[str, ChatSettings]:
        """Settings that were given a name, by it."""
        found = self._store.read("SELECT name, settings FROM presets ORDER BY id")
        return {name: rows.settings(column) for name, column in sorted(found, key=lambda row: row[0].casefold())}

    def save_preset(self, name: str, settings: ChatSettings) -> None:
        """Give settings a name; one that has it already is replaced."""
        values = (rows.clean(name), rows.encoded(settings))

        def write(database: Database) -> None:
            database.execute("DELETE FROM presets WHERE name = ?", values[:1])
            database.execute("INSERT INTO presets (name, settings) VALUES (?, ?)", values)

        self._store.change(write)

    def delete_preset(self, name: str) -> None:
        """Forget a preset; one that is not there is no error."""
        self._store.change(lambda database: database.execute("DELETE FROM presets WHERE name = ?", (name,)))

    def _update(self, assignments: str, conversation: int, *values: object) -> None:
        sql = f"UPDATE conversations SET {assignments} WHERE id = ?"
        self._store.change(lambda database: database.execute(sql, (*values, conversation)))
