"""What the engine says in English sentences, in the language of the window.

The engine knows no language but its own. Its sentences are known as patterns (translations/sentences.json, gathered
from its sources), each with a translation under the context "Engine". A sentence is matched where it comes in, and said
anew with what stood in its fields; a field may be a sentence itself. What is not known is shown as it came.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, TypeVar

import msgspec
from PySide6.QtCore import QCoreApplication, QLocale

from idlepool.engine.events import Event, LendingChanged
from idlepool.ui.language import FOLDER

FILE: Final = FOLDER / "sentences.json"
CONTEXT: Final = "Engine"

_TOLD: Final = frozenset(
    {"sentence", "hint", "detail", "notice", "problem", "problems", "api_problem", "reason", "reasons", "missing"}
)
"""Fields of events that hold the engine's words,"""
_CODES: Final[dict[type[msgspec.Struct], str]] = {LendingChanged: "reason"}
"""and those of such a name that hold a code, which is compared."""

_FIELD: Final = re.compile(r"{(\w+)}")
_NUMBER: Final = re.compile(r"-?[\d,]+(?:\.\d+)?%?")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?]) (?=\W*[A-Z])")
_MARKS: Final = ("; ", ": ", ", ", " (")
"""Between parts that may be known though the whole is not."""
_DEEPEST: Final = 8
"""Parts of parts; a sentence of another PC may have any number of colons."""


Told = TypeVar("Told", bound=msgspec.Struct)


class Pattern(msgspec.Struct, frozen=True):
    """A sentence with {fields}; `numbers` are those that hold numbers."""

    text: str
    numbers: tuple[str, ...] = ()

    @property
    def longest(self) -> str:
        """The longest piece between its fields."""
        return max(_FIELD.split(self.text)[::2], key=len)


def in_own_language(event: Event) -> Event:
    """The event with the engine's words in the language of the window."""
    return _walked(event) if _translated() else event


def say(sentence: str, *, depth: int = 0) -> str:
    """A sentence of the engine, or several, in the language of the window; as it is where it is not known."""
    if not sentence or depth > _DEEPEST:
        return sentence
    parts = _SENTENCE_END.split(sentence)
    whole = _said(sentence, depth, sentences=len(parts))
    if whole is not None:
        return whole
    if len(parts) > 1:
        return " ".join(say(part, depth=depth + 1) for part in parts)
    return _said_in_parts(sentence, depth + 1)


def _said_in_parts(sentence: str, depth: int) -> str:
    body = sentence.removesuffix(".")
    for mark in _MARKS:
        head, found, tail = body.partition(mark)
        if found:
            return f"{say(head, depth=depth)}{mark}{say(tail, depth=depth)}{sentence[len(body) :]}"
    return sentence if body == sentence else f"{say(body, depth=depth)}."


def _said(sentence: str, depth: int, *, sentences: int) -> str | None:
    """By a pattern of so many sentences, or of one where there is one: a field does not reach over the end of one."""
    for pattern in _patterns():
        if pattern.longest in sentence and len(_SENTENCE_END.split(pattern.text)) >= min(sentences, 2):
            found = _compiled(pattern).fullmatch(sentence)
            if found:
                values = {name: _value(pattern, name, value, depth) for name, value in found.groupdict().items()}
                return _translation(pattern.text).format(**values)
    return None


def _value(pattern: Pattern, name: str, value: str, depth: int) -> str:
    if name in pattern.numbers and _NUMBER.fullmatch(value):
        return _number(value)
    words = value.strip()
    return value.replace(words, say(words, depth=depth + 1)) if words else value


def _number(english: str) -> str:
    """The same number as it is written here."""
    locale = QLocale()
    return english.translate({ord(","): locale.groupSeparator(), ord("."): locale.decimalPoint()})


def _walked(struct: Told) -> Told:
    """A copy of an event, or of what is in it, with other words in the fields that hold words of the engine."""
    if not _has_words(type(struct)):
        return struct
    fields = (name for name in struct.__struct_fields__ if _CODES.get(type(struct)) != name)
    changes = {name: _field(name, getattr(struct, name)) for name in fields}
    return msgspec.structs.replace(struct, **changes)


def _field(name: str, value: object) -> object:
    match value:
        case str() if name in _TOLD:
            return say(value)
        case tuple():
            return tuple(_field(name, part) for part in value)
        case msgspec.Struct():
            return _walked(value)
    return value


@cache
def _has_words(kind: type[msgspec.Struct]) -> bool:
    """Whether an event of this kind may hold words, itself or deeper: most of those that come often do not."""
    return _holds_words(msgspec.json.schema(kind))


def _holds_words(schema: object) -> bool:
    match schema:
        case dict():
            return bool(_TOLD & schema.get("properties", {}).keys()) or any(map(_holds_words, schema.values()))
        case list():
            return any(map(_holds_words, schema))
    return False


def _translated() -> bool:
    """Whether another language is spoken than the engine's."""
    first = _patterns()[0].text
    return _translation(first) != first


@cache
def _patterns() -> tuple[Pattern, ...]:
    """The most telling ones first."""
    found = msgspec.json.decode(FILE.read_bytes(), type=tuple[Pattern, ...])
    return tuple(sorted(found, key=lambda pattern: len(_FIELD.sub("", pattern.text)), reverse=True))


@cache
def _compiled(pattern: Pattern) -> re.Pattern[str]:
    seen: set[str] = set()
    parts = []
    for place, piece in enumerate(_FIELD.split(pattern.text)):
        if place % 2 == 0:
            parts.append(re.escape(piece.replace("{{", "{").replace("}}", "}")))
        else:
            holds = _NUMBER.pattern if piece in pattern.numbers else ".*?"
            parts.append(f"(?P={piece})" if piece in seen else f"(?P<{piece}>{holds})")
            seen.add(piece)
    return re.compile("".join(parts), re.DOTALL)


def _translation(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)
