"""Every module can be imported on Windows: what only POSIX has is hidden from our modules, and each is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

IMPORTER = ROOT / "tests" / "tools" / "import_as_on_windows.py"


def module_names() -> list[str]:
    files = (file for folder in ("app", "engine", "ui") for file in sorted((ROOT / folder).rglob("*.py")))
    parts = (file.relative_to(ROOT).with_suffix("").parts for file in files if file.name != "__main__.py")
    return [".".join(("idlepool", *names)).removesuffix(".__init__") for names in parts]


def import_all(names: list[str], path: Path | None = None) -> dict[str, str]:
    """Import in a process of its own; return the failures by module."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    command = [sys.executable, str(IMPORTER)]
    done = subprocess.run(command, input=json.dumps(names), env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_every_module_can_be_imported_on_windows() -> None:
    names = module_names()
    assert "idlepool.engine.types" in names
    assert import_all(names) == {}


@pytest.mark.parametrize(
    "code",
    [
        "import fcntl",
        "from resource import getrusage",
        "import os\nfork = os.fork",
        "from os import setsid",
        "import os.path, signal\nasked = {signal.SIGTERM: 1, signal.SIGKILL: 2}",
        "import signal\n\ndef end(number: int = signal.SIGKILL) -> None: ...",
    ],
)
def test_a_posix_only_module_is_found(tmp_path: Path, code: str) -> None:
    package = tmp_path / "idlepool" / "strange"
    package.mkdir(parents=True)
    (package / "fine.py").write_text("import os, signal\nfrom os import path\nstop = signal.SIGTERM, os.path is path\n")
    (package / "posix_only.py").write_text(code)
    failed = import_all(["idlepool.strange.fine", "idlepool.strange.posix_only"], tmp_path)
    assert list(failed) == ["idlepool.strange.posix_only"]
