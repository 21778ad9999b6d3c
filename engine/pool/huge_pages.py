"""Huge pages for the weights: the one setting of a process that decides how fast it reads them, made before it starts.

A decode step reads every weight once. Over pages of 4 KiB that costs the starter model 5 to 10 % and makes two loads of
the same graph differ by as much. On Linux, glibc (2.35 on) asks for huge pages where this variable tells it to; other
C libraries ignore it. Windows gives them only to those with a privilege that nobody has by default, macOS by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

VARIABLE = "GLIBC_TUNABLES"
TUNABLE = "glibc.malloc.hugetlb"


def with_huge_pages(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for a process that computes; one that already says something about huge pages stays as it is."""
    result = dict(environment)
    told = result.get(VARIABLE, "")
    if sys.platform == "linux" and TUNABLE not in told:
        result[VARIABLE] = f"{told}:{TUNABLE}=1".lstrip(":")
    return result
