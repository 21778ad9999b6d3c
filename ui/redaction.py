"""Takes out of what the node wrote everything that is nobody else's business: only shapes that are known to be harmless
stay, and in those only numbers and the words of this program itself, so that no list of names has to be complete."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sysconfig
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from idlepool.ui.engine_words import FILE, Pattern

LEFT_OUT: Final = "…"

_OURS: Final = re.compile(r"(?P<topic>idlepool(?:\.\w+)*): (?P<words>.*)")
_FRAME: Final = re.compile(r'\s*File "(?P<file>[^"]*)", line (?P<line>\d+)(?:,)? in (?P<name>[\w<>.]+)')
_ERROR: Final = re.compile(r"(?P<kind>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Group))\b.*")
_FATAL: Final = re.compile(
    r"(?:Traceback \(most recent call last\):|Fatal Python error: [A-Z][a-z ]{3,40}|Segmentation fault)"
)

_NAMED: Final = re.compile(
    "|".join(
        (
            r"“[^”]*”|„[^“”]*[“”]|‘[^’]*’|‚[^‘’]*[‘’]|«[^»]*»|»[^«]*«|\"[^\"]*\"|'[^']*'|`[^`]*`",  # a name, or typed
            r"\b\w+://\S+",
            r"\S+@\S+",
            r"(?<!kB)(?<!MB)(?<!GB)(?:[A-Za-z]:|~)?[\\/]\S*",  # a path, and not so much a second
            r"\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b",
            r"\[?[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,}\]?(?::\d+)?",
            r"\b[2-9A-Z]{4}-[2-9A-Z]{4}\b",  # a pairing code
            r"\b[0-9a-fA-F]{8,}\b",
            r"\b[\w-]{20,}\b",  # a key, or a name nobody needs
            r"\b\w+\.(?:local|lan|home|internal|com|net|org|de)\b",
        )
    )
)

_NUMBER: Final = re.compile(r"\d{1,9}(?:[.,]\d{1,6})*(?:[smhx%]|ms|[kMGT]?B(?:/s)?)?")
_KIND: Final = re.compile(r"[A-Z]\w*(?:Error|Exception|Closed|Refused)(?:OK)?")
_PIECE: Final = re.compile(r"\w[\w.,%/-]*")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LOGGED: Final = """
ahead answer answers asked broke by cache close code compositor converted device devices drafter driver ended error exit
failed fetched first from GB gone goodbye guests heard hello here hosts idle kB kept killed last layers left link linked
links load loaded lost made MB measured met mDNS model models more nobody of on over pipeline process protocol refused
s said session signal stage stages started steps stop stopped stored system took warm while
"""
"""Words of the log that no sentence of the engine has."""

_ROOTS: Final = (Path(__file__).parents[1], Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("stdlib")))


def redacted(text: str, names: Collection[str]) -> list[str]:
    """The lines of what the node wrote, without anything that is private. `names`: of PCs, models, people, folders."""
    lines: list[str] = []
    for line in text.splitlines():
        kept = _line(line, names)
        if kept or not lines or lines[-1] != LEFT_OUT:
            lines.append(kept or LEFT_OUT)
    return lines


def _line(line: str, names: Collection[str]) -> str:
    """What stays of a line; empty: nothing."""
    if found := _FRAME.match(line):
        return f"  File {_code_file(found['file'])}, line {found['line']}"
    if found := _FATAL.fullmatch(line.strip()):
        return line.strip()
    if found := _OURS.fullmatch(line):
        return f"{found['topic']}: {_without(found['words'], names)}"
    if found := _ERROR.fullmatch(line):
        return f"{found['kind'].rsplit('.', 1)[-1]}: {LEFT_OUT}"
    return ""


def _without(words: str, names: Collection[str]) -> str:
    for name in sorted(filter(None, names), key=len, reverse=True):
        words = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", LEFT_OUT, words, flags=re.IGNORECASE)
    kept = _PIECE.sub(lambda piece: _own(piece.group()), _NAMED.sub(LEFT_OUT, words))
    return re.sub(rf"{LEFT_OUT}(?:[^\w\[(]*{LEFT_OUT})+", LEFT_OUT, kept)


def _own(piece: str) -> str:
    """A word or a number as it stands, if it says nothing of anybody."""
    core = piece.rstrip(".,-/")
    if _NUMBER.fullmatch(core) or _KIND.fullmatch(core):
        return piece
    words = _WORD.findall(core)
    known = words and "_" not in core and not any(map(str.isdigit, core))
    if known and all(word.casefold() in _vocabulary() for word in words):
        return piece
    return LEFT_OUT + piece[len(core) :]


@cache
def _vocabulary() -> frozenset[str]:
    """The words of all sentences of the engine, of its log, and of the systems' errors."""
    sentences = msgspec.json.decode(FILE.read_bytes(), type=tuple[Pattern, ...])
    texts = [re.sub(r"{\w+}", " ", sentence.text) for sentence in sentences]
    texts += [os.strerror(code) for code in errno.errorcode]
    return frozenset(word.casefold() for text in (*texts, _LOGGED) for word in _WORD.findall(text))


def _code_file(path: str) -> str:
    """A file of a program, from the folder on that all its files lie in; of any other file nothing."""
    for root in _ROOTS:
        with contextlib.suppress(ValueError):
            return Path(path).relative_to(root).as_posix()
    return LEFT_OUT
