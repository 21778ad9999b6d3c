"""Processes that compute ask for huge pages, and leave alone what somebody chose for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from idlepool.engine.pool.huge_pages import TUNABLES, VARIABLE, with_huge_pages

linux = pytest.mark.skipif(sys.platform != "linux", reason="a setting of glibc")

ALLOCATE = """
import ctypes, re
blocks = [ctypes.create_string_buffer(b"x" * 2**20) for _ in range(64)]
print(re.search(r"AnonHugePages: *(\\d+)", open("/proc/self/smaps_rollup").read()).group(1))
"""


@linux
def test_what_was_chosen_stays() -> None:
    assert with_huge_pages({VARIABLE: "glibc.malloc.hugetlb=0"}) == {VARIABLE: "glibc.malloc.hugetlb=0"}
    assert with_huge_pages({VARIABLE: "glibc.malloc.check=1"}) == {VARIABLE: f"glibc.malloc.check=1:{TUNABLES}"}
    assert with_huge_pages({"A": "b"}) == {"A": "b", VARIABLE: TUNABLES}
    assert with_huge_pages(with_huge_pages({})) == with_huge_pages({})


@linux
def test_a_process_gets_them() -> None:
    """Pieces of a mebibyte, as weights of a small model are, lie on huge pages where the system has any."""
    if "[never]" in Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text("ascii"):
        pytest.skip("this system gives no huge pages")
    command = [sys.executable, "-c", ALLOCATE]
    found = subprocess.run(command, env=with_huge_pages(os.environ), capture_output=True, check=True, text=True)
    assert int(found.stdout) >= 32 * 1024
