"""One node, and one window, for each data folder: also where the disk takes nothing more."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from small_disk import fill, small_disk

from idlepool.engine.errors import StorageError
from idlepool.engine.pool.folder_lock import AlreadyRunning, folder_lock

HOLD = """
import sys
from pathlib import Path
from idlepool.engine.pool.folder_lock import folder_lock
with folder_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_is_told_who_holds_it_and_gets_it_afterwards(tmp_path):
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(AlreadyRunning, match=f"process {holder.pid}"), folder_lock(tmp_path):
            pass
        holder.kill()
    with folder_lock(tmp_path):
        assert str(os.getpid()) in (tmp_path / "node.lock").read_text()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StorageError), folder_lock(tmp_path / "file" / "home"):
        pass


def test_a_full_disk_keeps_nobody_out(tmp_path):
    with small_disk(tmp_path / "disk", "64k") as disk:
        (disk / "node.lock").touch()
        fill(disk)
        with folder_lock(disk):
            pass
