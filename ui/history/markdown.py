"""A conversation as Markdown: a head of a few lines, then a heading for each question and answer that is shown.

A line of a text that would read as one of these gets a backslash in front, and loses it on the way back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from idlepool.ui.history.values import Message, Role, Tree

HEAD: Final = "idlepool-conversation: 1"

_HEADINGS: Final[dict[Role, str]] = {"user": "Question", "assistant": "Answer"}
_ROLES: Final[dict[str, Role]] = {heading: role for role, heading in _HEADINGS.items()}
_OURS: Final = rf"(?:## (?:Question|Answer)\b|{HEAD}$)"
_TO_ESCAPE: Final = re.compile(rf"^(?=\\*{_OURS})", re.MULTILINE)
_ESCAPED: Final = re.compile(rf"^\\(?=\\*{_OURS})", re.MULTILINE)
_BEGINNING: Final = re.compile(rf"^---\n{HEAD}\n", re.MULTILINE)
_HEADING: Final = re.compile(r"^## (Question|Answer)(?: \((.*)\))?$", re.MULTILINE)


def written(tree: Tree, shown: Iterable[Message]) -> str:
    """The messages that are shown, and of the rest the title, the model and the time of the last change."""
    changed = datetime.fromtimestamp(tree.changed_ms / 1000, UTC).isoformat(timespec="seconds")
    head = f"---\n{HEAD}\ntitle: {tree.title}\nmodel: {tree.model}\nchanged: {changed}\n---\n"
    return head + "".join(_section(message) for message in shown)


def documents(text: str) -> list[str]:
    """The conversations of a file, each for `tree`. Raises ValueError where there is none."""
    before, *found = _BEGINNING.split(text.replace("\r\n", "\n"))
    if before.strip() or not found:
        raise ValueError("not the beginning of a conversation")
    return found


def tree(document: str) -> Tree:
    """One of them. Raises ValueError where it is not whole."""
    head, mark, body = document.partition("\n---\n")
    if not mark:
        raise ValueError("the head does not end")
    fields = dict(line.partition(": ")[::2] for line in head.split("\n"))
    before, *parts = _HEADING.split(body)
    if before.strip():
        raise ValueError("text before the first heading")
    messages = tuple(
        _message(number, role=_ROLES[heading], model=model or "", text=text)
        for number, (heading, model, text) in enumerate(zip(*[iter(parts)] * 3, strict=True), start=1)
    )
    title = fields.get("title", "").strip()
    return Tree(title, messages, named=bool(title), model=fields.get("model", "").strip())


def _section(message: Message) -> str:
    model = f" ({message.model})" if message.model else ""
    return f"\n## {_HEADINGS[message.role]}{model}\n\n{_TO_ESCAPE.sub(_BACKSLASH, message.text.strip())}\n"


_BACKSLASH: Final = r"\\"
"""One, as a replacement is written."""


def _message(number: int, *, role: Role, model: str, text: str) -> Message:
    parent = number - 1 or None
    return Message(number, 0, parent, role, _ESCAPED.sub("", text.strip()), "done", "", None, model, 0)
