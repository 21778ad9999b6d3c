"""Files of the owner's choices that mean nothing any more: another name keeps them from being written over."""

from __future__ import annotations

import itertools
from pathlib import Path


def put_aside(path: Path) -> Path:
    """Rename a file, or what stands in its place, to `<name>.broken`, or the first `<name>.broken-2` and so on that is
    free; returns the new path. Raises OSError."""
    names = itertools.chain([f"{path.name}.broken"], (f"{path.name}.broken-{number}" for number in itertools.count(2)))
    aside = next(free for name in names if not (free := path.with_name(name)).exists())
    path.replace(aside)
    return aside
