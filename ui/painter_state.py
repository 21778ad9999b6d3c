"""A painter's state for as long as a block draws, whatever happens in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QPainter


@contextmanager
def painter_state(painter: QPainter) -> Iterator[None]:
    """Give the painter back as it was. A state that an exception leaves saved makes Qt end the process later on."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()
