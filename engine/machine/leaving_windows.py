"""Sleep, shut-down and log-off on Windows: what is broadcast to every window, and so to a hidden one of ours.

Not run on hardware; from Microsoft's documentation of winuser.h. PCs with Modern Standby may not tell programs at all.
"""

from __future__ import annotations

import ctypes
import sys
import threading

from idlepool.engine.machine.leaving import OnLeaving

_WM_QUIT, _WM_END_SESSION, _WM_POWER_BROADCAST = 0x12, 0x16, 0x218
_SUSPEND, _RESUME, _RESUME_AUTOMATIC = 0x4, 0x7, 0x12  # PBT_APM*


def meaning(message: int, parameter: int) -> bool | None:
    """True: the PC, or the session, is about to end; False: it is back, or stays after all; None: something else."""
    if message == _WM_POWER_BROADCAST:
        return {_SUSPEND: True, _RESUME: False, _RESUME_AUTOMATIC: False}.get(parameter)
    return bool(parameter) if message == _WM_END_SESSION else None


class HiddenWindow:
    """See LeavingNotices. The window and its messages belong to one thread."""

    def __init__(self, on_leaving: OnLeaving) -> None:
        self._on_leaving = on_leaving
        self._thread = threading.Thread(target=self._run, name="hidden window", daemon=True)

    def start(self) -> None:
        """See LeavingNotices."""
        self._thread.start()

    def stop(self) -> None:
        """See LeavingNotices."""
        if sys.platform == "win32":
            ctypes.windll.user32.PostThreadMessageW(self._thread.native_id or 0, _WM_QUIT, 0, 0)
            self._thread.join(1.0)

    if sys.platform == "win32":

        def _run(self) -> None:
            user = ctypes.WinDLL("user32")
            user.DefWindowProcW.argtypes = [wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM]
            user.DefWindowProcW.restype = ctypes.c_ssize_t

            def take(window: int, message: int, word: int, rest: int) -> int:
                if (leaves := meaning(message, word)) is not None:
                    self._on_leaving(leaves)
                return int(user.DefWindowProcW(window, message, word, rest))

            procedure = _Procedure(take)
            kind = _WindowClass(procedure=procedure, name="IdlepoolNotices")
            user.RegisterClassW(ctypes.byref(kind))
            user.CreateWindowExW.restype = wintypes.HWND
            user.CreateWindowExW(0, kind.name, kind.name, 0, 0, 0, 0, 0, None, None, None, None)
            message = wintypes.MSG()
            while user.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
                user.DispatchMessageW(ctypes.byref(message))

    else:

        def _run(self) -> None:
            """Nothing is told elsewhere."""


if sys.platform == "win32":
    from ctypes import wintypes

    _Procedure = ctypes.WINFUNCTYPE(ctypes.c_ssize_t, wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM)

    class _WindowClass(ctypes.Structure):
        """WNDCLASSW"""

        _fields_ = (
            ("style", wintypes.UINT),
            ("procedure", _Procedure),
            ("class_bytes", ctypes.c_int),
            ("window_bytes", ctypes.c_int),
            ("instance", wintypes.HINSTANCE),
            ("icon", wintypes.HICON),
            ("cursor", wintypes.HANDLE),
            ("background", wintypes.HBRUSH),
            ("menu", wintypes.LPCWSTR),
            ("name", wintypes.LPCWSTR),
        )
