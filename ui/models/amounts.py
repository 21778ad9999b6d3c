"""Bytes, speeds and times as people write them, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

_STEPS = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
_SMALL = 10
"""Below that a size has a decimal place."""


def size_words(count: int) -> str:
    """Bytes, in the unit that leaves one to three digits: "141 MB", "4.1 GB"."""
    for step, unit in _STEPS:
        if count >= step:
            value = count / step
            return f"{QLocale().toString(value, 'f', 1 if value < _SMALL else 0)} {unit}"
    return _tr("{count} bytes").format(count=count)


def share_words(done: int, total: int) -> str:
    """So many bytes of all, with the unit once where it is the same: "1.2 of 4.1 GB"."""
    number, _, unit = size_words(done).rpartition(" ")
    whole = size_words(total)
    here = number if whole.endswith(f" {unit}") or not done else f"{number} {unit}"
    return _tr("{done} of {total}").format(done=here, total=whole)


def speed_words(bytes_per_s: int) -> str:
    """Bytes a second."""
    return _tr("{size}/s").format(size=size_words(bytes_per_s))


def left_words(seconds: int) -> str:
    """The time that something still takes, as roughly as it is known."""
    minutes = -(-seconds // 60)
    if seconds < 60:
        return _tr("less than a minute left")
    if minutes < 60:
        return _tr("about {minutes} min left").format(minutes=minutes)
    return _tr("about {hours} h {minutes} min left").format(hours=minutes // 60, minutes=minutes % 60)


def tokens_words(count: int) -> str:
    """A context: tokens, with the language's separators."""
    return _tr("context of {count} tokens").format(count=QLocale().toString(count))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Amounts", text)
