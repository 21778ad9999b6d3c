"""Names of models: a name is a folder's name on any system, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from idlepool.engine.errors import NameRefused

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}[A-Za-z0-9_-]|[A-Za-z0-9]")
# Windows opens devices by these names, with any suffix.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def check_name(name: str) -> None:
    """Raise NameRefused for what cannot be a model's name."""
    if not _NAME.fullmatch(name):
        raise NameRefused(name, "a name has letters, digits, dots and dashes, and at most 64 of them")
    if is_device(name):
        raise NameRefused(name, "Windows keeps that name for a device")


def is_device(name: str) -> bool:
    """Whether Windows opens a device instead of a file of that name."""
    return _DEVICE.fullmatch(name.rstrip(" .")) is not None


def leads_elsewhere(name: str) -> bool:
    """Whether a file's name is a path on some system: absolute, of a drive, or into or out of another folder."""
    return name in {"", ".", ".."} or any(character in name for character in "/\\:\0")


def name_candidates(text: str) -> Iterator[str]:
    """Names for a model that nobody named, the best first: made from `text`, then numbered."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("._-")[:48].rstrip("._-")
    if not plain or is_device(plain):
        plain = f"model-{plain}".rstrip("-")
    yield plain
    yield from (f"{plain}-{number}" for number in count(2))
