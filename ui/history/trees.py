"""A whole conversation with all its branches, read and written at once."""

from __future__ import annotations

import dataclasses
import sqlite3

from idlepool.ui.history import messages, rows
from idlepool.ui.history.values import Tree

_SELECT = "title, leaf, named, pinned, model, settings, draft, changed_ms"


def tree(database: sqlite3.Connection, conversation: int) -> Tree:
    """All of a conversation. Raises LookupError."""
    sql = f"SELECT {_SELECT} FROM conversations WHERE id = ? AND NOT deleted"
    row = database.execute(sql, (conversation,)).fetchone()
    if row is None:
        raise LookupError("This conversation is not there any more.")
    title, leaf, named, pinned, model, settings, draft, changed_ms = row
    found = database.execute(f"SELECT {rows.MESSAGE} FROM messages WHERE conversation = ? ORDER BY id", (conversation,))
    all_of_it = tuple(rows.message(one) for one in found)
    return Tree(title, all_of_it, leaf, bool(named), bool(pinned), model, rows.settings(settings), draft, changed_ms)


def add(database: sqlite3.Connection, tree: Tree, *, listed: bool = True) -> int:
    """Write a conversation with new numbers and return its own; not `listed`: it is as one that was deleted.

    Raises ValueError where it is no tree.
    """
    sql = """INSERT INTO conversations (sequence, changed_ms, deleted, title, named, pinned, model, settings, draft)
             VALUES (0, 0, ?, ?, ?, ?, ?, ?, ?) RETURNING id"""
    values = (rows.clean(tree.title), tree.named, tree.pinned, rows.clean(tree.model), rows.encoded(tree.settings))
    conversation = int(database.execute(sql, (not listed, *values, rows.clean(tree.draft))).fetchone()[0])
    numbers: dict[int | None, int | None] = {None: None}
    for message in tree.messages:
        if message.id in numbers or message.parent not in numbers:
            raise ValueError("a message comes before its parent, or twice")
        parent = numbers[message.parent]
        numbers[message.id] = messages.add(
            database, dataclasses.replace(message, conversation=conversation, parent=parent)
        )
    if tree.leaf is not None:
        if tree.leaf not in numbers:
            raise ValueError("the last message is not among the messages")
        database.execute("UPDATE conversations SET leaf = ? WHERE id = ?", (numbers[tree.leaf], conversation))
    messages.touch(database, conversation)
    return conversation
