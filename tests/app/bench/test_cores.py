"""A pinned process stays on its core, and so does what it starts."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from idlepool.app.bench.cores import cores, pin

WAIT = "import sys; sys.stdin.read()"
WAIT_IN_A_CHILD = f"""
import subprocess, sys
sys.stdin.readline()
child = subprocess.Popen([sys.executable, "-c", {WAIT!r}], stdin=sys.stdin)
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.skipif(not cores(), reason="this system does not pin processes")
def test_children_stay_on_their_parents_core():
    core = cores()[-1]
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", WAIT_IN_A_CHILD], stdin=pipe, stdout=pipe) as process:
        pin(process.pid, core)
        process.stdin.write(b"\n")
        process.stdin.flush()
        child = int(process.stdout.readline())
        assert psutil.Process(process.pid).cpu_affinity() == [core]
        assert psutil.Process(child).cpu_affinity() == [core]
        process.stdin.close()


def test_without_a_core_nothing_is_pinned():
    before = cores()
    pin(psutil.Process().pid, None)
    assert cores() == before


def test_a_process_that_is_gone_already_is_no_obstacle():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    pin(process.pid, 0)
