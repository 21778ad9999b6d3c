"""Conversations as files: JSON with everything, and Markdown to read, which comes back as far as headings carry it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import msgspec

from idlepool.ui.history import markdown
from idlepool.ui.history.history import History
from idlepool.ui.history.values import Tree

MOST_BYTES: Final = 256 * 2**20
"""Of a file that is imported."""

Kind = Literal["json", "markdown"]


class ImportRefused(Exception):
    """A file that cannot be taken; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """The file, as JSON."""

    idlepool: Literal["conversations"] = "conversations"
    version: Literal[1] = 1
    conversations: tuple[Tree, ...]


def kind_of(path: Path) -> Kind:
    """By its ending."""
    return "json" if path.suffix.lower() == ".json" else "markdown"


def write_file(history: History, conversations: list[int], path: Path) -> None:
    """Write conversations into one file. Raises OSError, and LookupError where one is gone."""
    trees = [history.tree(number) for number in conversations]
    if kind_of(path) == "json":
        data = msgspec.json.format(msgspec.json.encode(Exported(conversations=tuple(trees))), indent=1)
    else:
        shown = ((tree, history.path(number)) for tree, number in zip(trees, conversations, strict=True))
        data = "\n".join(markdown.written(tree, messages) for tree, messages in shown).encode()
    path.write_bytes(data)


def read_file(history: History, path: Path) -> list[int]:
    """Add the conversations of a file, with new numbers, and return these; all of them or none.

    Raises OSError and ImportRefused.
    """
    translate = history.translate
    if path.stat().st_size > MOST_BYTES:
        raise ImportRefused(
            translate("History", "{file} is larger than {most} MB.").format(file=path.name, most=MOST_BYTES // 2**20)
        )
    data = path.read_bytes()
    try:
        return history.add_trees(_trees(data))
    except (ValueError, RecursionError) as error:  # of msgspec, of the text's encoding, and of what is no tree
        sentence = translate("History", "{file} holds no conversations that Idlepool exported.").format(file=path.name)
        raise ImportRefused(sentence) from error


def _trees(data: bytes) -> list[Tree]:
    if data.lstrip().startswith(b"{"):
        return list(msgspec.json.decode(data, type=Exported).conversations)
    return markdown.read(data.decode("utf-8-sig"))
