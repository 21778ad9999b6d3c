"""The rows of a transcript: where each one stands, those that were never built by an estimate."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from idlepool.ui.chat.bubble import Bubble

NOTICE_GAP: Final = 16
"""Below a notice. Bubbles are parted by the tools below each, whose room is theirs also while they are hidden."""

TOP: Final = 24
BOTTOM: Final = 8

ESTIMATED_FRAME: Final = 40
"""Pixels of a bubble around its text."""

ESTIMATED_CHARACTER: Final = 0.9
"""Width of a character in average characters; Markdown has short lines too."""


KEPT_AT_END: Final = 6
"""The newest stay in any case: there the conversation goes on."""


@dataclass(frozen=True, slots=True)
class Later:
    """A bubble that is built when it comes near what is seen, and again after it went far from it."""

    make: Callable[[], Bubble]
    letters: int
    """Of its text, from which its height is guessed."""
    drop: Callable[[Bubble], None] = lambda _: None
    """Called before it goes: what of it is to come again?"""


@dataclass(slots=True, eq=False)
class Row:
    """One bubble or notice."""

    later: Later | None = None
    """None: it is built for good."""
    notice: bool = False
    widget: QWidget | None = None
    height: int = 0
    limit: int = 0
    """The width that it was fitted to or estimated for."""

    @property
    def gap(self) -> int:
        """What lies between it and the next."""
        return NOTICE_GAP if self.notice else 0

    def drop(self) -> None:
        """Remove what is built; the height stays."""
        if self.widget:
            if self.later:
                self.later.drop(cast("Bubble", self.widget))
            self.widget.hide()
            self.widget.deleteLater()
            self.widget = None

    def estimate(self, limit: int, *, character: int, line: int) -> None:
        """Guess the height at another width, from the letters or from what it was at the old width."""
        if self.limit and self.height:
            self.height = max(line, round(self.height * self.limit / limit))
        elif self.later:
            per_line = max(1.0, limit / (character * ESTIMATED_CHARACTER))
            self.height = ESTIMATED_FRAME + round(line * max(1.0, self.later.letters / per_line))
        self.limit = limit


@dataclass(slots=True)
class Rows:
    """All rows, from top to bottom. `tops` has one more entry: where a further row would begin."""

    rows: list[Row] = field(default_factory=list)
    tops: list[int] = field(default_factory=lambda: [TOP])

    @property
    def bubbles(self) -> list[Row]:
        """All but the notices."""
        return [row for row in self.rows if not row.notice]

    def place(self) -> None:
        """Find the tops anew: a height changed."""
        self.tops = [*accumulate((row.height + row.gap for row in self.rows), initial=TOP)]

    @property
    def height(self) -> int:
        """Of all rows with the margins."""
        return self.tops[-1] + BOTTOM

    def within(self, top: int, bottom: int) -> range:
        """The numbers of the rows of which something lies between two heights."""
        first = max(0, bisect_right(self.tops, top, hi=len(self.rows)) - 1)
        return range(first, bisect_left(self.tops, bottom, lo=first, hi=len(self.rows)))

    def droppable(self, near: Sequence[Row], focused: QWidget | None) -> list[Row]:
        """Those that are built, and can be built again when they are wanted: none of those that are looked at, nor the
        one that has the focus."""
        built = [row for row in self.rows[:-KEPT_AT_END] if row.later and row.widget and row not in near]
        return [row for row in built if not (focused and row.widget and row.widget.isAncestorOf(focused))]
