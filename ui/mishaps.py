"""An exception of the window that nobody caught: it is told as a trouble, with details, and the window goes on.

Qt cannot pass on an exception that leaves a slot or an event handler: PySide hands it to `sys.excepthook`.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal

from idlepool.ui.details import show_details
from idlepool.ui.main_window import MainWindow

log = logging.getLogger("idlepool.window")

_LAST: Final = ("last_exc", "last_type", "last_value", "last_traceback")
"""Where Python keeps the last exception, and with it all that its functions held: a painter, perhaps, whose widget Qt
deletes next."""


class Mishaps(QObject):
    """From `install` to `uninstall` each exception is told once for each place in the code where it came from."""

    _happened = Signal(str)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._known: set[str] = set()
        self._before = sys.excepthook
        # Queued: it may have happened in the middle of a picture that is being painted.
        self._happened.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take what nobody catches from now on."""
        self._before = sys.excepthook
        sys.excepthook = self._take

    def uninstall(self) -> None:
        """Leave it to who took it before."""
        sys.excepthook = self._before

    def _take(self, kind: type[BaseException], error: BaseException, stack: TracebackType | None) -> None:
        if not issubclass(kind, Exception):
            self._before(kind, error, stack)
            return
        for name in _LAST:
            vars(sys).pop(name, None)
        where = described(kind, stack)
        if where not in self._known:
            self._known.add(where)
            log.error("nobody caught an exception: %s", where)
            self._happened.emit(where)

    def _tell(self, where: str) -> None:
        window = self._window
        banner = window.banners.add(
            self.tr("Something went wrong in this window."),
            self.tr("Idlepool goes on. If something does not work now, quit it and start it again."),
        )
        banner.add_action(self.tr("Details"), lambda: show_details(window, f"{where}\n\n{window.reports.text()}"))


def described(kind: type[BaseException], stack: TracebackType | None) -> str:
    """What happened and where, innermost last; without the exception's own words, which may be of a conversation."""
    frames = traceback.extract_tb(stack)
    lines = [f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}" for frame in frames]
    return "\n".join((kind.__name__, *lines))
