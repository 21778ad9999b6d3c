"""Takes out of what the node wrote everything that is nobody else's business: only shapes that are known to be harmless
stay, and of those only what names nobody."""

from __future__ import annotations

import contextlib
import re
import sysconfig
from collections.abc import Collection
from pathlib import Path
from typing import Final

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
            r"“[^”]*”|\"[^\"]*\"|'[^']*'|`[^`]*`",  # whatever somebody typed or called something
            r"\b\w+://\S+",
            r"\S+@\S+",
            r"(?:[A-Za-z]:|~)?[\\/]\S*",  # a path
            r"\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b",
            r"\[?[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,}\]?(?::\d+)?",
            r"\b[2-9A-Z]{4}-[2-9A-Z]{4}\b",  # a pairing code
            r"\b[0-9a-fA-F]{8,}\b",
            r"\b[\w-]{20,}\b",  # a key, or a name nobody needs
            r"\b\w+\.(?:local|lan|home|internal|com|net|org|de)\b",
        )
    )
)

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
    return _NAMED.sub(LEFT_OUT, words)


def _code_file(path: str) -> str:
    """A file of a program, from the folder on that all its files lie in; of any other file nothing."""
    for root in _ROOTS:
        with contextlib.suppress(ValueError):
            return Path(path).relative_to(root).as_posix()
    return LEFT_OUT
