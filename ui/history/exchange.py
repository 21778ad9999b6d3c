"""Conversations as files: JSON with everything, and Markdown to read, which comes back as far as headings carry it.

Both ways are generators: whoever has a window to keep alive takes some steps at a time, and may close one early.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

from idlepool.ui.history import markdown
from idlepool.ui.history.history import History
from idlepool.ui.history.values import Tree

MOST_BYTES: Final = 256 * 2**20
"""Of a file that is imported."""

BLOCK_BYTES: Final = 2**20
"""Of it that are read in one step."""

Kind = Literal["json", "markdown"]

Progress = tuple[int, int]
"""Conversations that are done, and all; zeros: not known yet."""


class ImportRefused(Exception):
    """A file that cannot be taken; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """The file, as JSON; each of the conversations is a Tree."""

    idlepool: Literal["conversations"] = "conversations"
    version: Literal[1] = 1
    conversations: tuple[msgspec.Raw, ...]


_BEFORE: Final = msgspec.json.encode(Exported(conversations=())).removesuffix(b"]}")
_FRAMES: Final[dict[Kind, tuple[bytes, bytes, bytes]]] = {
    "json": (_BEFORE + b"\n", b",\n", b"\n]}\n"),
    "markdown": (b"", b"\n", b""),
}
"""What stands before the conversations, between two, and after them."""


def kind_of(path: Path) -> Kind:
    """By its ending."""
    return "json" if path.suffix.lower() == ".json" else "markdown"


def write_file(history: History, conversations: Sequence[int], path: Path) -> Generator[Progress, None, int]:
    """Write conversations into one file, one a step, and return how many; those that are gone meanwhile are left out.

    Until all are written, a file of this name stays what it was. Raises OSError, and LookupError where none is left.
    """
    target = Path(os.path.realpath(path))  # what a link leads to is replaced, not the link
    staged = target.with_name(f".idlepool-{secrets.token_hex(4)}")
    try:
        written = yield from _write(history, conversations, staged, kind_of(path))
        staged.replace(target)
    finally:
        with contextlib.suppress(OSError):
            staged.unlink(missing_ok=True)
    return written


def read_file(history: History, path: Path) -> Generator[Progress, None, list[int]]:
    """Add the conversations of a file, one a step, with new numbers, and return these; all of them or none.

    Raises OSError and ImportRefused.
    """
    translate = history.translate
    if path.stat().st_size > MOST_BYTES:
        raise ImportRefused(
            translate("History", "{file} is larger than {most} MB.").format(file=path.name, most=MOST_BYTES // 2**20)
        )
    numbers: list[int] = []
    try:
        trees = _trees((yield from _read(path)))
        for tree in reversed(trees):  # so that the first is at the top of the list
            numbers.append(history.add_unlisted(tree()))
            yield len(numbers), len(trees)
    except (ValueError, RecursionError) as error:  # of msgspec, of the text's encoding, and of what is no tree
        sentence = translate("History", "{file} holds no conversations that Idlepool exported.").format(file=path.name)
        raise ImportRefused(sentence) from error
    history.restore(*numbers)
    return numbers[::-1]


def _write(history: History, conversations: Sequence[int], path: Path, kind: Kind) -> Generator[Progress, None, int]:
    before, between, after = _FRAMES[kind]
    written = 0
    with path.open("xb") as file:
        for number, conversation in enumerate(conversations, start=1):
            with contextlib.suppress(LookupError):
                text = _text_of(history, conversation, kind)
                file.write((between if written else before) + text)
                written += 1
            yield number, len(conversations)
        if not written:
            raise LookupError("None of these conversations is there any more.")
        file.write(after)
    return written


def _text_of(history: History, conversation: int, kind: Kind) -> bytes:
    tree = history.tree(conversation)
    if kind == "json":
        return msgspec.json.format(msgspec.json.encode(tree), indent=1)
    return markdown.written(tree, history.path(conversation)).encode()


def _read(path: Path) -> Generator[Progress, None, bytes]:
    data = bytearray()
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            data += block
            yield 0, 0
    return bytes(data)


def _trees(data: bytes) -> list[Callable[[], Tree]]:
    """What reads each of the conversations. Raises ValueError and RecursionError, as that does."""
    if data.lstrip().startswith(b"{"):
        found = msgspec.json.decode(data, type=Exported).conversations
        return [lambda raw=raw: msgspec.json.decode(raw, type=Tree) for raw in found]  # type: ignore[misc]
    documents = markdown.documents(data.decode("utf-8-sig"))
    return [lambda text=text: markdown.tree(text) for text in documents]  # type: ignore[misc]
