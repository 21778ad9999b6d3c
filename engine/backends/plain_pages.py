"""Memory on ordinary pages, each of which takes room only once it is written: for what is large and mostly empty.

A stage process has its heap on huge pages (see pool/huge_pages). A cache there would take two mebibytes for the first
token of each layer; for 30 layers that is more than the weights of some models.
"""

from __future__ import annotations

import mmap
import sys
from typing import Any

import numpy as np
import numpy.typing as npt


def plain_pages(size: int) -> npt.NDArray[Any]:
    """`[size]` bytes, all zero, freed with the array."""
    if sys.platform == "win32":
        return np.frombuffer(mmap.mmap(-1, size), np.uint8)
    return np.frombuffer(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), np.uint8)
