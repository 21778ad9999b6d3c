"""What a start of the program costs: the window brings nothing heavy, and one that does not open is told."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from idlepool.app.bench import startup

HEAVY = (
    "openvino",
    "openvino_genai",
    "numpy",
    "websockets",
    "zeroconf",
    "cryptography",
    "keyring",
    "pygments",
    "psutil",
    "gguf",
    "huggingface_hub",
)
"""What only the node needs, or only the end of an answer."""

PROGRAM = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer, QCoreApplication
from idlepool.app import launch, main
from idlepool.app.bench.startup import _Stopwatch
from idlepool.ui import application

main.make_parser()
seen = _Stopwatch()
application.run(["true"], folder=Path(sys.argv[1]), other_starts=seen)
print(json.dumps([len(seen.times), sorted(name for name in sys.modules if "." not in name)]))
"""


def test_a_process_that_opens_the_window_imports_nothing_heavy(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    (tmp_path / "window.json").write_text('{"first_run_done": true}')
    done = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, check=True, timeout=100)
    times, modules = json.loads(done.stdout)
    assert times == 2, "it was painted, and took a letter"
    assert "PySide6" in modules
    assert [name for name in HEAVY if name in modules] == []


@pytest.mark.skipif(sys.platform != "linux", reason="Windows and macOS always have a display")
def test_a_window_that_does_not_open_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(startup.NoWindow, match="no display"):
        startup.measure(starts=1)
