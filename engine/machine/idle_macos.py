"""Idle time on macOS: the property HIDIdleTime of IOHIDSystem, in nanoseconds.

Not run on hardware; from the headers of IOKit and CoreFoundation.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_FRAMEWORKS = "/System/Library/Frameworks"
_UTF8 = 0x08000100  # kCFStringEncodingUTF8
_SINT64 = 4  # kCFNumberSInt64Type


class HidSystem:
    """See IdleSource."""

    def seconds(self) -> float | None:
        """None: there is no such property, as where nobody can log on."""
        return _hid_idle_seconds() if sys.platform == "darwin" else None


def _hid_idle_seconds() -> float | None:
    kit, foundation = _libraries()
    service = kit.IOServiceGetMatchingService(0, kit.IOServiceMatching(b"IOHIDSystem"))
    if not service:
        return None
    key = foundation.CFStringCreateWithCString(None, b"HIDIdleTime", _UTF8)
    number = kit.IORegistryEntryCreateCFProperty(service, key, None, 0)
    foundation.CFRelease(key)
    kit.IOObjectRelease(ctypes.c_uint32(service))
    if not number:
        return None
    nanoseconds = ctypes.c_int64()
    known = foundation.CFNumberGetValue(number, _SINT64, ctypes.byref(nanoseconds))
    foundation.CFRelease(number)
    return nanoseconds.value / 1e9 if known else None


@cache
def _libraries() -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """IOKit and CoreFoundation, told which of their values are pointers: ctypes takes them for 32 bits otherwise."""
    kit = ctypes.CDLL(f"{_FRAMEWORKS}/IOKit.framework/IOKit")
    foundation = ctypes.CDLL(f"{_FRAMEWORKS}/CoreFoundation.framework/CoreFoundation")
    pointer, number = ctypes.c_void_p, ctypes.c_uint32
    kit.IOServiceMatching.restype = pointer
    kit.IOServiceMatching.argtypes = [ctypes.c_char_p]
    kit.IOServiceGetMatchingService.restype = number
    kit.IOServiceGetMatchingService.argtypes = [number, pointer]
    kit.IORegistryEntryCreateCFProperty.restype = pointer
    kit.IORegistryEntryCreateCFProperty.argtypes = [number, pointer, pointer, number]
    foundation.CFStringCreateWithCString.restype = pointer
    foundation.CFStringCreateWithCString.argtypes = [pointer, ctypes.c_char_p, number]
    foundation.CFNumberGetValue.restype = ctypes.c_bool
    foundation.CFNumberGetValue.argtypes = [pointer, ctypes.c_long, pointer]
    foundation.CFRelease.argtypes = [pointer]
    return kit, foundation
