"""Huge pages for the weights: the one setting of a process that decides how fast it reads them, made before it starts.

A decode step reads every weight once. Over pages of 4 KiB, two stages of the starter model on a core each take 21 ms
for a token, over pages of 2 MiB 15, and loads of the same graph differ less. On Linux, glibc (2.35 on) asks for huge
pages where it is told to, and gets them where weights lie side by side: so all memory must come from its one heap, and
only the largest pieces from mappings of their own. (Asked for, but in pieces of less than a page: 20.5 ms; in one heap
for each thread: 18.6.) Other C libraries ignore the variable. Windows gives huge pages only to those with a privilege
that nobody has by default, macOS by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

VARIABLE = "GLIBC_TUNABLES"
TUNABLE = "glibc.malloc.hugetlb"
TUNABLES = f"{TUNABLE}=1:glibc.malloc.mmap_threshold={32 * 2**20}:glibc.malloc.arena_max=1"


def with_huge_pages(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for a process that computes; one that already says something about huge pages stays as it is."""
    result = dict(environment)
    told = result.get(VARIABLE, "")
    if sys.platform == "linux" and TUNABLE not in told:
        result[VARIABLE] = f"{told}:{TUNABLES}".lstrip(":")
    return result
