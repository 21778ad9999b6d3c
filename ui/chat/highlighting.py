"""Which words of a block of code are keywords, texts, comments: Pygments says it, in slices that no frame waits for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QDeadlineTimer, QObject, QTimer, Signal

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Kind = Literal["keyword", "text", "comment", "number", "name", "added", "removed"]

SLICE_MS: Final = 4
"""Longest time for one slice: a frame has 16, and the transcript may be drawn in the same."""

REST_MS: Final = 2
"""Between two slices the window does what else there is."""

LONGEST: Final = 100_000
"""Characters of a block beyond which it stays as it is: nobody reads that here."""

KNOWN_LANGUAGES: Final = 64
"""Of which the rules are kept."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A run of characters of one kind."""

    start: int
    length: int
    kind: Kind


class Highlighting(QObject):
    """Reads one text at a time, from the beginning again with each `begin`."""

    read = Signal(list)
    """The marks of the whole text, by their order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._marks: Iterator[Mark] = iter(())
        self._found: list[Mark] = []
        self._next_slice = QTimer(self, singleShot=True, interval=REST_MS)
        self._next_slice.timeout.connect(self._read_on)

    @property
    def busy(self) -> bool:
        """Whether a text is being read."""
        return self._next_slice.isActive()

    def begin(self, code: str, language: str) -> None:
        """Read `code`; what was begun before is dropped."""
        self._found = []
        self._marks = marks(code, language)
        self._next_slice.start()

    def _read_on(self) -> None:
        deadline = QDeadlineTimer(SLICE_MS)
        for mark in self._marks:
            self._found.append(mark)
            if deadline.hasExpired():
                self._next_slice.start()
                return
        self.read.emit(self._found)


def marks(code: str, language: str) -> Iterator[Mark]:
    """What is to be marked in `code`; nothing where the language is not known. The first call takes a moment: Pygments
    is imported, and the rules of the language are compiled."""
    lexer = _lexer(language.lower()) if len(code) <= LONGEST else None
    if lexer is None:
        return
    for start, token, text in lexer.get_tokens_unprocessed(code):
        kind = _kind(str(token))
        if kind and text.strip():
            yield Mark(start, len(text), kind)


@lru_cache(KNOWN_LANGUAGES)
def _lexer(language: str) -> Lexer | None:
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name  # not before there is code: the window should open first
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


_KINDS: Final[tuple[tuple[str, Kind], ...]] = (
    ("Token.Comment", "comment"),
    ("Token.Literal.String", "text"),
    ("Token.Literal.Number", "number"),
    ("Token.Literal.Date", "number"),
    ("Token.Keyword", "keyword"),
    ("Token.Operator.Word", "keyword"),
    ("Token.Name.Tag", "keyword"),
    ("Token.Name.Function", "name"),
    ("Token.Name.Class", "name"),
    ("Token.Name.Decorator", "name"),
    ("Token.Name.Attribute", "name"),
    ("Token.Name.Builtin", "name"),
    ("Token.Generic.Inserted", "added"),
    ("Token.Generic.Deleted", "removed"),
    ("Token.Generic.Heading", "name"),
)


@lru_cache(512)
def _kind(token: str) -> Kind | None:
    return next((kind for prefix, kind in _KINDS if token.startswith(prefix)), None)
