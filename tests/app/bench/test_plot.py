"""The plot is a picture with a point for each figure, drawn where no display is."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtGui import QImage

from idlepool.app.bench.plot import by_delay, by_users
from idlepool.app.chart import COLOURS


def row(users, everything, delay_ms, speed, *, kind="", reproducible=False):
    return {
        "users": users,
        "everything": everything,
        "delay_ms": delay_ms,
        "kind": kind,
        "reproducible": reproducible,
        "tokens_per_second": speed,
    }


FOUND = {
    "rows": [
        row(1, False, 0, 90.0),
        row(1, False, 0, 80.0, reproducible=True),
        row(2, False, 0, 160.0),
        row(1, True, 0, 120.0),
        row(1, True, 0, 150.0, kind="list"),
        row(2, True, 0, 220.0),
        row(1, False, 100, 4.6),
        row(1, True, 100, 9.0),
        row(2, True, 100, 18.0),
    ],
    "genai_tokens_per_second": 110.0,
}


def test_each_curve_has_its_rows_only():
    assert [curve.points for curve in by_delay(FOUND)] == [
        [(0.0, 90.0), (100.0, 4.6)],
        [(0.0, 120.0), (100.0, 9.0)],
        [(0.0, 220.0), (100.0, 18.0)],
    ]
    assert [curve.points for curve in by_users(FOUND)] == [
        [(1.0, 90.0), (2.0, 160.0)],
        [(1.0, 120.0), (2.0, 220.0)],
        [(1.0, 80.0)],
        [(1.0, 110.0)],
    ]


DRAW = """
import json, sys
from pathlib import Path
from idlepool.app.bench.plot import draw
print(draw(json.loads(sys.argv[1]), Path(sys.argv[2])))
"""


@pytest.mark.parametrize("folder", ["", "missing"])
def test_it_is_drawn_in_a_process_without_a_display(tmp_path, folder):
    path = tmp_path / folder / "plot.png"
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
    command = [sys.executable, "-c", DRAW, json.dumps(FOUND), str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(not folder)
    if not folder:
        image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
        colours = set(np.unique(np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF).tolist())
        assert {int(colour.removeprefix("#"), 16) for colour in COLOURS} <= colours
