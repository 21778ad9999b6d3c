"""The file that a command draws its plot into: checked before the work that takes minutes, written after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from idlepool.app.terminal_chat import say
from idlepool.engine.errors import StorageError


def check_plot(path: Path | None) -> None:
    """Raise StorageError where no plot could be written there; None: none is wanted."""
    if path is not None and not path.absolute().parent.is_dir():
        raise StorageError(str(path), "there is no such folder")
    if path is not None and path.suffix.lower() != ".png":
        raise StorageError(str(path), "the plot is a PNG, and its name must end so")


def write_plot(path: Path, draw: Callable[[Path], bool]) -> None:
    """Draw it and say where it is. `draw` returns whether that worked.

    Raises:
        StorageError: it did not.
    """
    if not draw(path):
        raise StorageError(str(path), "no PNG could be written there")
    say(f"The plot is in {path}.")
