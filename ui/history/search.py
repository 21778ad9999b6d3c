"""The full-text search over titles and messages, newest first."""

from __future__ import annotations

import sqlite3
from typing import Final

from idlepool.ui.history import rows
from idlepool.ui.history.values import Found
from idlepool.ui.history.words import MARK, MARK_END, match_expression, pieces

SNIPPET_WORDS: Final = 16

_COLUMNS: Final = ", ".join(f"conversations.{name}" for name in rows.ENTRY.split(", "))

# In the order in which they are joined: rows leave the index newest first, and no more of them than are wanted. To ask
# the index for one row at a time would cost as much each time as to ask for all.
_TITLES: Final = f"""
SELECT {_COLUMNS}, NULL, highlight(title_search, 0, '{MARK}', '{MARK_END}')
FROM title_search CROSS JOIN conversations ON conversations.id = title_search.rowid
WHERE title_search MATCH ? AND NOT deleted AND comes_first(conversations.id)
ORDER BY title_search.rowid DESC LIMIT ?
"""
_MESSAGES: Final = f"""
SELECT {_COLUMNS}, messages.id, snippet(search, 0, '{MARK}', '{MARK_END}', '…', {SNIPPET_WORDS})
FROM search CROSS JOIN messages ON messages.id = search.rowid
CROSS JOIN conversations ON conversations.id = messages.conversation
WHERE search MATCH ? AND NOT deleted AND comes_first(conversations.id)
ORDER BY search.rowid DESC LIMIT ?
"""


_FIRST_IN: Final = """
SELECT messages.id FROM search CROSS JOIN messages ON messages.id = search.rowid
WHERE search MATCH ? AND messages.conversation = ? ORDER BY search.rowid LIMIT 1
"""


def first_in(database: sqlite3.Connection, conversation: int, words: str) -> int | None:
    """The first message of a conversation with all the words."""
    expression = match_expression(words)
    found = database.execute(_FIRST_IN, (expression, conversation)).fetchone() if expression else None
    return int(found[0]) if found else None


def search(database: sqlite3.Connection, words: str, *, limit: int) -> list[Found]:
    """At most `limit` conversations with all the words: in their title first, then in one message, newest first."""
    expression = match_expression(words)
    if not expression:
        return []
    seen: set[int] = set()

    def comes_first(conversation: int) -> bool:
        """Of each conversation the first row is wanted, which is its newest."""
        known = len(seen)
        seen.add(conversation)
        return len(seen) > known

    database.create_function("comes_first", 1, comes_first)
    found: list[Found] = []
    for query in (_TITLES, _MESSAGES):
        for *entry, message, snippet in database.execute(query, (expression, limit - len(found))):
            found.append(Found(rows.entry(entry), message, pieces(snippet)))
    return found
