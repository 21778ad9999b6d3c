"""A drawing that fails leaves the painter as it was."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from idlepool.ui.painter_state import painter_state


def test_what_fails_in_the_middle_gives_the_painter_back():
    picture = QImage(4, 4, QImage.Format.Format_ARGB32)
    painter = QPainter(picture)
    painter.setPen(QColor("#102030"))
    with pytest.raises(ZeroDivisionError), painter_state(painter):
        painter.setPen(QColor("#ffffff"))
        raise ZeroDivisionError
    assert painter.pen().color() == QColor("#102030")
    assert painter.end()
