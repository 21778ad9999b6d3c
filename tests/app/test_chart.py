"""The axis of a chart ends at a round figure, and a bar and a line stand where their figures are."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtGui import QImage

from idlepool.app.chart import COLOURS, LEFT, RIGHT, TOP, Panel, below, round_top

DRAW = """
import sys
from pathlib import Path
from PySide6.QtCore import QRectF
from idlepool.app.chart import Curve, Panel, draw_chart
ticks = [(0.0, "0"), (6.0, "6"), (10.0, "10")]
bars = Panel("", [Curve("none", []), Curve("bars", [(0, 8), (5, 4), (10, 0)], bars=True)], ticks, highest=10.0)
print(draw_chart([(QRectF(0, 0, 600, 400), bars)], Path(sys.argv[1])))
"""


@pytest.mark.parametrize(("value", "top"), [(0.0, 1), (1.0, 1), (61.0, 75), (101.0, 150), (285.0, 300), (999.0, 1000)])
def test_the_axis_ends_at_a_round_figure_above_the_curves(value, top):
    assert round_top(value) == top


def test_bars_reach_to_the_next_place_and_as_high_as_their_figures(tmp_path):
    path = tmp_path / "chart.png"
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
    command = [sys.executable, "-c", DRAW, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(400, 600) & 0xFFFFFF
    coloured = pixels == int(COLOURS[1].removeprefix("#"), 16)
    inner = coloured[TOP : 400 - below(Panel("", [None, None])), LEFT : 600 - RIGHT]
    heights = inner.sum(axis=0) / len(inner)
    half = len(heights) // 2
    assert heights[10 : half - 10] == pytest.approx(0.8, abs=0.02)
    assert heights[half + 10 : -10] == pytest.approx(0.4, abs=0.02)
