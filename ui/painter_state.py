"""Painters and their states, for as long as a block draws and whatever happens in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget


@contextmanager
def painter_state(painter: QPainter) -> Iterator[None]:
    """Give the painter back as it was. A state that an exception leaves saved makes Qt end the process later on."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()


@contextmanager
def painting(widget: QWidget) -> Iterator[QPainter]:
    """A painter for a widget's paintEvent. One that an error keeps alive beyond that ends the process."""
    painter = QPainter(widget)
    try:
        yield painter
    finally:
        painter.end()
