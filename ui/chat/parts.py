"""Parts a Markdown text into what is shown by widgets of their own: prose, tables, code and thoughts.

A text that grows is read on from its last block: what stands before that one can no longer change (CommonMark 0.31,
appendix "A parsing strategy": a block that was closed is never opened again).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from idlepool.ui.chat.markdown_blocks import Block, blocks, ends_in_code

PROSE_CHARACTERS: Final = 1000
"""Prose of at least so much is closed with its block: of a growing text about as much is laid out anew."""

OPENING: Final = "<think>"
CLOSING: Final = "</think>"

_OPENS: Final = re.compile(r"\A\s*<think>|^<think>", re.MULTILINE)
_CLOSES_ALONE: Final = re.compile(r"^</think>", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown of some paragraphs, lists, headings and quotations."""

    source: str


@dataclass(frozen=True, slots=True)
class Table:
    """Markdown of a table."""

    source: str


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code, without its fences."""

    text: str
    language: str = ""
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Thought:
    """What a model thought before it answered; Markdown as well."""

    source: str
    closed: bool = True


Part = Prose | Table | Code | Thought
Placed = tuple[Part, int | None]
"""A part, and the characters after which reading can go on; None: it or a part before it may still change."""


class Reader:
    """Reads one text that grows."""

    def __init__(self) -> None:
        self._finished: list[Part] = []
        self._read = ""
        """The beginning of the text that the finished parts were made from."""

    def read(self, source: str) -> tuple[Part, ...]:
        """The parts of `source`: the same, whether it was read before in any number of steps or not at all."""
        text = _prepared(source)
        if not text.startswith(self._read):
            self._finished, self._read = [], ""
        growing: list[Part] = []
        for part, end in _parts(text, len(self._read)):
            growing.append(part)
            if end is not None:
                self._finished += growing
                self._read = text[:end]
                growing = []
        return (*self._finished, *growing)


def split(source: str) -> tuple[Part, ...]:
    """The parts of a text at once."""
    return Reader().read(source)


def without_thoughts(source: str) -> str:
    """The answer proper, as Markdown."""
    text = _prepared(source)
    kept: list[str] = []
    position = 0
    while thought := _next_thought(text, position):
        kept.append(text[position : thought.begin])
        position = thought.end
    return "".join((*kept, text[position:])).strip()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a thought stands with its tags, [begin, end)."""

    begin: int
    end: int
    thought: Thought


def _prepared(source: str) -> str:
    text = source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source
    last = text[text.rfind("\n") + 1 :].strip()
    if last and OPENING.startswith(last) and last != OPENING:
        text = text[: text.rfind("\n") + 1]  # a tag that is just being written
    # Some chat templates write the opening tag into the prompt: the answer has only the closing one.
    alone = _CLOSES_ALONE.search(text) if CLOSING in text else None
    if alone and OPENING not in text[: alone.start()] and not ends_in_code(text[: alone.start()]):
        return OPENING + text
    return text


def _next_thought(text: str, start: int) -> _Place | None:
    for opening in _OPENS.finditer(text, start):
        if not ends_in_code(text[start : opening.start()]):
            end = text.find(CLOSING, opening.end())
            closed = end >= 0
            inner = text[opening.end() : end if closed else len(text)].strip()
            return _Place(opening.start(), end + len(CLOSING) if closed else len(text), Thought(inner, closed))
    return None


def _parts(text: str, start: int) -> Iterator[Placed]:
    while start < len(text):
        place = _next_thought(text, start)
        stop = place.begin if place else len(text)
        yield from _markdown_parts(text[start:stop], start, complete=place is not None)
        if place is None:
            return
        yield place.thought, place.end if place.thought.closed else None
        start = place.end


def _markdown_parts(text: str, offset: int, *, complete: bool) -> Iterator[Placed]:
    """Join blocks of prose to parts of some length; `offset` is where `text` begins in the whole."""
    found = list(blocks(text))
    sure = len(text) if complete else _sure_end(text, found)
    prose = ""
    for block in found:
        if block.kind == "prose":
            prose += block.text
            if len(prose) < PROSE_CHARACTERS:
                continue
        if prose.strip():
            yield Prose(prose.strip("\n")), _sure(block.end, sure, offset) if block.kind == "prose" else None
            prose = ""
        if block.kind != "prose":
            yield _set_apart(block), _sure(block.end, sure, offset)
    if prose.strip():
        yield Prose(prose.strip("\n")), None


def _sure_end(text: str, found: Sequence[Block]) -> int:
    """The end of the last block that no further text can change: not the last one, nor the one before it where an
    unfinished line seems to end that ("#" ends a paragraph, "#1" goes on with it)."""
    ends = [block.end for block in found if block.end is not None]
    unsure = 1 if text.endswith("\n") else 2
    return ends[-1 - unsure] if len(ends) > unsure else 0


def _sure(end: int | None, sure: int, offset: int) -> int | None:
    return offset + end if end is not None and end <= sure else None


def _set_apart(block: Block) -> Table | Code:
    if block.kind == "table":
        return Table(block.text.strip("\n"))
    return Code(block.text, block.language, block.closed)
