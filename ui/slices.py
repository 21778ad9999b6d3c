"""Long work on the window's own thread, in slices that no frame waits for: it may be given up between any two steps."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from PySide6.QtCore import QDeadlineTimer, QObject, QTimer, Signal

SLICE_MS: Final = 8
"""Half a frame; a single step may take longer."""

REST_MS: Final = 2
"""Between two slices the window does what else there is."""

Steps = Generator[tuple[int, int], None, None]
"""Yields after each step how much is done, and how much there is in all."""


class Slices(QObject):
    """Does one work at a time."""

    progressed = Signal(int, int)
    """After each slice: done, and in all."""

    ended = Signal()
    """Done, given up, or failed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: Steps | None = None
        self._next = QTimer(self, singleShot=True, interval=REST_MS)
        self._next.timeout.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether there is work that is not done."""
        return self._steps is not None

    def begin(self, steps: Steps) -> None:
        """Do this work, in place of any other. Its errors are its own."""
        self.give_up()
        self._steps = steps
        self._next.start()

    def give_up(self) -> None:
        """Close the work, which undoes itself."""
        if self._steps is not None:
            self._next.stop()
            self._steps.close()
            self._end()

    def _go_on(self) -> None:
        if self._steps is None:
            return
        deadline = QDeadlineTimer(SLICE_MS)
        try:
            progress = next(self._steps)
            while not deadline.hasExpired():
                progress = next(self._steps)
        except StopIteration:
            self._end()
            return
        except BaseException:
            self._end()
            raise
        self.progressed.emit(*progress)
        self._next.start()

    def _end(self) -> None:
        self._steps = None
        self.ended.emit()
