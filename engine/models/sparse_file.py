"""Files with holes: the full length of a model's weights, with disk space only for the parts that are written.

The one place of this package where the operating systems differ.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

_BLOCK_BYTES = 256 << 10
"""Written at once. For larger blocks Linux looks for larger pieces of free memory, and they cost twice the time."""

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _FSCTL_SET_SPARSE = 0x000900C4  # winioctl.h
    _FSCTL_SET_ZERO_DATA = 0x000980C8
    _INVALID_FILE_SIZE = 0xFFFFFFFF
    _kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel32.GetCompressedFileSizeW.argtypes = [wintypes.LPCWSTR, ctypes.POINTER(wintypes.DWORD)]
    _kernel32.GetCompressedFileSizeW.restype = wintypes.DWORD
    _kernel32.DeviceIoControl.restype = wintypes.BOOL

    def _mark_sparse(file: BinaryIO) -> None:
        """Without the mark NTFS allocates the full length. A file system without holes (FAT) refuses: then it does."""
        handle = wintypes.HANDLE(msvcrt.get_osfhandle(file.fileno()))
        returned = wintypes.DWORD()
        _kernel32.DeviceIoControl(handle, _FSCTL_SET_SPARSE, None, 0, None, 0, ctypes.byref(returned), None)

    def punch_hole(file: BinaryIO, offset: int, length: int) -> None:
        """See below."""
        handle = wintypes.HANDLE(msvcrt.get_osfhandle(file.fileno()))
        zeros = (ctypes.c_int64 * 2)(offset, offset + length)  # FILE_ZERO_DATA_INFORMATION
        returned = wintypes.DWORD()
        if not _kernel32.DeviceIoControl(
            handle, _FSCTL_SET_ZERO_DATA, zeros, ctypes.sizeof(zeros), None, 0, ctypes.byref(returned), None
        ):
            raise ctypes.WinError(ctypes.get_last_error())

    def allocated_bytes(path: Path) -> int:
        """Bytes of disk that the file takes, holes not counted."""
        high = wintypes.DWORD()
        low = int(_kernel32.GetCompressedFileSizeW(str(path), ctypes.byref(high)))
        if low == _INVALID_FILE_SIZE and (code := ctypes.get_last_error()):
            raise ctypes.WinError(code)
        return (high.value << 32) + low

else:
    import ctypes
    import os

    _KEEP_SIZE, _PUNCH_HOLE = 0x01, 0x02  # linux/falloc.h
    _F_PUNCHHOLE = 99  # sys/fcntl.h of macOS

    def _fallocate(descriptor: int, mode: int, offset: int, length: int) -> int:
        library = ctypes.CDLL(None, use_errno=True)
        return int(library.fallocate(descriptor, mode, ctypes.c_int64(offset), ctypes.c_int64(length)))

    def _punch_hole_on_macos(file: BinaryIO, offset: int, length: int) -> None:
        """Whole blocks only, or it is refused: what lies in blocks that others share stays allocated."""
        import fcntl
        import struct

        block = os.fstatvfs(file.fileno()).f_bsize
        first, last = -(-offset // block) * block, (offset + length) // block * block
        if first < last:
            fcntl.fcntl(file.fileno(), _F_PUNCHHOLE, struct.pack("=IIqq", 0, 0, first, last - first))

    def _mark_sparse(file: BinaryIO) -> None:
        """Other file systems leave holes unasked."""

    def punch_hole(file: BinaryIO, offset: int, length: int) -> None:
        """Give the disk space of bytes `[offset, offset + length)` of an open sparse file back; they become zeros.

        Raises:
            OSError: the file system cannot do that, or (Windows) a process has the file mapped into its memory.
        """
        if sys.platform == "darwin":
            _punch_hole_on_macos(file, offset, length)
        elif _fallocate(file.fileno(), _KEEP_SIZE | _PUNCH_HOLE, offset, length):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))

    def allocated_bytes(path: Path) -> int:
        """Bytes of disk that the file takes, holes not counted."""
        return path.stat().st_blocks * 512  # the unit of st_blocks, whatever the block size (POSIX sys/stat.h)


def create_sparse(path: Path, length: int) -> None:
    """Make (or empty) a file of `length` bytes that are all hole.

    Raises:
        OSError: as opening and truncating do.
    """
    with path.open("wb") as file:
        _mark_sparse(file)
        file.truncate(length)


def write_at(file: BinaryIO, offset: int, data: bytes | memoryview) -> None:
    """Fill bytes `[offset, offset + len(data))` of an open sparse file; other processes see them at once."""
    file.seek(offset)
    view = memoryview(data)
    for start in range(0, len(view), _BLOCK_BYTES):
        file.write(view[start : start + _BLOCK_BYTES])
    file.flush()
