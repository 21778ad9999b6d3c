"""A real disk that is soon full."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_BLOCK = b"x" * 4096


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A new folder is a disk of so many bytes ("24m") for as long as the block runs; skips the test where it cannot."""
    folder.mkdir()
    mounted = sys.platform == "linux" and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "idlepool-test", str(folder)], check=False, capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount a disk (root on Linux)")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path) -> None:
    """Leave not a byte."""
    with (disk / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError, match="No space left"):
        while True:
            filler.write(_BLOCK)
