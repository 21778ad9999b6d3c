"""The tree of a conversation's messages: alternatives side by side, and the leaf that says which of them are shown."""

from __future__ import annotations

import sqlite3
from typing import Final

from idlepool.ui.history import rows
from idlepool.ui.history.values import Message, MessageState, Role

# The order is never the clock's: a child has a larger number than its parent, a newer alternative than an older one.
_PATH: Final = f"""
WITH RECURSIVE above (id, parent) AS (
  SELECT id, parent FROM messages WHERE id = (SELECT leaf FROM conversations WHERE id = ?)
  UNION ALL
  SELECT messages.id, messages.parent FROM messages JOIN above ON messages.id = above.parent
)
SELECT {rows.MESSAGE} FROM messages WHERE id IN (SELECT id FROM above) ORDER BY id
"""
_NEWEST_BELOW: Final = """
WITH RECURSIVE below (id) AS (
  SELECT ? UNION ALL SELECT messages.id FROM messages JOIN below ON messages.parent = below.id
)
SELECT max(id) FROM below
"""
_SIBLINGS: Final = """
SELECT other.id FROM messages AS one JOIN messages AS other
  ON other.conversation = one.conversation AND other.parent IS one.parent
WHERE one.id = ? ORDER BY other.id
"""
_TOUCH: Final = """
UPDATE conversations SET changed_ms = :now,
  sequence = max(:now, (SELECT max(sequence) FROM conversations) + 1) WHERE id = :id
"""
"""A clock that was put back moves nothing down, and one that was ahead nothing up for good."""


def path(database: sqlite3.Connection, conversation: int) -> list[Message]:
    """What is shown of a conversation, from its first question on."""
    return [rows.message(row) for row in database.execute(_PATH, (conversation,))]


def siblings(database: sqlite3.Connection, message: int) -> tuple[int, ...]:
    """A message and its alternatives, oldest first."""
    return tuple(row[0] for row in database.execute(_SIBLINGS, (message,)))


def choose(database: sqlite3.Connection, message: int) -> None:
    """Show the newest of the branches that go through a message."""
    newest = database.execute(_NEWEST_BELOW, (message,)).fetchone()[0]
    sql = "UPDATE conversations SET leaf = ? WHERE id = (SELECT conversation FROM messages WHERE id = ?)"
    database.execute(sql, (newest, message))


def add(database: sqlite3.Connection, message: Message) -> int:
    """Write a message (its id does not matter), show it, and return its id."""
    sql = f"INSERT INTO messages ({rows.MESSAGE}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    values = (message.parent, message.role, rows.clean(message.text), message.state, rows.clean(message.detail))
    figures = rows.encoded(message.figures)
    done = database.execute(sql, (message.conversation, *values, figures, message.model, message.created_ms))
    assert done.lastrowid is not None
    database.execute("UPDATE conversations SET leaf = ? WHERE id = ?", (done.lastrowid, message.conversation))
    return done.lastrowid


def name_after(database: sqlite3.Connection, conversation: int, question: str, *, model: str) -> None:
    """Call a conversation by its first question, if nobody named it; and remember who answered last."""
    sql = "UPDATE conversations SET title = ? WHERE id = ? AND title = '' AND NOT named"
    database.execute(sql, (rows.title_of(question), conversation))
    database.execute("UPDATE conversations SET model = ? WHERE id = ? AND ? <> ''", (model, conversation, model))


def touch(database: sqlite3.Connection, conversation: int) -> None:
    """Move a conversation to the top of its part of the list."""
    database.execute(_TOUCH, {"id": conversation, "now": rows.now_ms()})


def new_message(
    conversation: int, parent: int | None, role: Role, text: str, *, model: str, state: MessageState
) -> Message:
    """A message that has no number yet."""
    return Message(0, conversation, parent, role, text, state, "", None, model, rows.now_ms())
