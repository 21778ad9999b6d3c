"""Memory that a stage holds and does not need, given back to the system.

OpenVINO maps the weights file and makes packed copies of the weights at the first inference. The pages it read stay in
the process beside the copies, so that a stage takes its weights twice; they can be read from the file again.

MB resident on Linux, the starter model in its paged form after a prompt of 512 tokens, one column a stage:

    stages            1       2           3
    weights         139    84   84     66   37   66
    kept twice      505   280  343    233  236  296
    given back      366   223  256    194  192  227

Of each some 80 are Python and OpenVINO and 40 the graph of the whole model; the last stage has its logits besides.
"""

from __future__ import annotations

import ctypes
import logging
import mmap
import os
import sys
from collections.abc import Iterator
from pathlib import Path

log = logging.getLogger("idlepool.stage")


def give_back(mapped: Path) -> None:
    """Give back the pages of the mapped file `mapped` and what the allocator keeps for later.

    What is needed after all comes back by itself, from the system's cache or from the file.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for first, last in _regions(mapped.resolve()):
            if libc.madvise(first, last - first, mmap.MADV_DONTNEED):
                log.info("pages of %s could not be given back: error %d", mapped.name, ctypes.get_errno())
        if hasattr(libc, "malloc_trim"):  # glibc only
            libc.malloc_trim(0)
    elif sys.platform == "win32":
        # Takes everything out of the working set; what is in use comes back with a soft page fault each.
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.K32EmptyWorkingSet.argtypes = [ctypes.c_void_p]
        if not kernel.K32EmptyWorkingSet(kernel.GetCurrentProcess()):
            log.info("the working set could not be emptied: error %d", ctypes.get_last_error())
    # macOS does not charge clean pages of a file to the process.


def _regions(file: Path) -> Iterator[tuple[int, int]]:
    """Addresses `[first, last)` at which the file is mapped read-only, so that no page can be lost. See proc(5)."""
    for line in os.fsdecode(Path("/proc/self/maps").read_bytes()).splitlines():
        addresses, permissions, *others = line.split(maxsplit=5)
        if others[-1] == str(file) and "w" not in permissions:
            first, last = addresses.split("-")
            yield int(first, 16), int(last, 16)
