"""The scrolling column of bubbles: it follows the newest text unless the user scrolled up to read.

A long conversation is not drawn as a whole. `add(Later(make, letters, drop))` adds a bubble that `make` builds when it
comes near what is seen, and that is dropped again when it is far away: what it shows must come out of `make` each time.
`bubble_at(number)` builds it at once. `add_question` and `add_answer` add bubbles that stay.
"""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget

from idlepool.ui.chat.bubble import AnswerBubble, Bubble, QuestionBubble
from idlepool.ui.chat.column import Column, size_of
from idlepool.ui.chat.rows import Later, Row, Rows
from idlepool.ui.fitted_label import FittedLabel
from idlepool.ui.theme import column_width, styled, theme_news

__all__ = ["MARGIN", "Later", "Transcript"]

BUBBLE_SHARE: Final = 0.78
"""A bubble is at most this share of the column,"""

NARROW_SHARE: Final = 0.92
"""and this one where the column has fewer average characters than"""

NARROW_CHARACTERS: Final = 80

MARGIN: Final = 16
SMALLEST: Final = 80
"""Pixels of a bubble, also while the window has no size yet."""

KEPT: Final = 20
"""So many bubbles stay built; beyond, those that are far from what is seen are dropped."""

BUDGET_MS: Final = 10
"""Of each turn of the event loop, for bubbles that come near: half a frame remains for all else."""


class Transcript(QScrollArea):
    """Bubbles, oldest first: questions to the right, answers to the left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = Rows()
        self._following, self._arranging = True, False
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(1)  # it gives its room to banners before they are cut
        self.setAccessibleName(self.tr("Conversation"))
        self._column = styled(Column(), "column")
        self._column.changed.connect(self._arrange)
        self.setWidget(self._column)
        self._arrange_soon = QTimer(self, singleShot=True, interval=0)
        self._arrange_soon.timeout.connect(self._arrange)
        self._tend_soon = QTimer(self, singleShot=True, interval=0)
        self._tend_soon.timeout.connect(self._tend)
        self.jump = styled(QPushButton(self.tr("↓ Jump to newest"), self), "jump")
        self.jump.hide()
        self.jump.clicked.connect(self.follow)
        theme_news.changing.connect(self._drop_unseen)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_grown)

    # --- what is in it -----------------------------------------------------------------------------------------------

    @property
    def bubbles(self) -> list[Bubble]:
        """Those that are built, oldest first."""
        return [row.widget for row in self._rows.rows if isinstance(row.widget, Bubble)]

    def add(self, later: Later) -> None:
        """Add a bubble that is built as soon as it is near what is seen."""
        self._rows.rows.append(Row(later))
        self._arrange_soon.start()

    def bubble_at(self, number: int) -> Bubble:
        """The bubble of this number, counted from 0 and without notices; it is built if it is not."""
        row = self._rows.bubbles[number]
        if row.widget is None:
            self._make_ready(row)
            self._arrange_soon.start()
        assert isinstance(row.widget, Bubble)
        return row.widget

    def add_question(self, question: str) -> QuestionBubble:
        """Echo a question; the transcript follows the newest again."""
        bubble = QuestionBubble(question)
        self._insert(len(self._rows.rows), Row(widget=bubble))
        self.follow()
        return bubble

    def add_answer(self) -> AnswerBubble:
        """Add an answer without text yet."""
        bubble = AnswerBubble()
        self._insert(len(self._rows.rows), Row(widget=bubble))
        return bubble

    def add_notice(self, text: str) -> None:
        """Say something about the conversation itself, above the newest bubble."""
        notice = styled(FittedLabel(), "muted")
        notice.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._insert(max(0, len(self._rows.rows) - 1), Row(widget=notice, notice=True))
        notice.show_text(text)

    def clear(self) -> None:
        """Remove every bubble and notice."""
        self.truncate(0)
        self.follow()

    def truncate(self, count: int) -> None:
        """Keep only so many bubbles, the oldest, and no notice: another branch is shown below them."""
        kept = self._rows.bubbles[:count]
        for row in self._rows.rows:
            if row not in kept:
                row.drop()
        self._rows.rows = kept
        self._arrange()

    def follow(self) -> None:
        """Go to the newest text and stay with it."""
        self._following = True
        self.jump.hide()
        self._arrange()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._tend()

    def go_to(self, number: int) -> Bubble:
        """Bring the bubble of this number to the top of what is seen, and stay there."""
        bubble = self.bubble_at(number)
        self._following = False
        self._arrange()
        at = self._rows.rows.index(self._rows.bubbles[number])
        self.verticalScrollBar().setValue(self._rows.tops[at] - MARGIN)
        self._tend()
        return bubble

    # --- what Qt tells -----------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit what is seen to the new width, and the rest soon."""
        super().resizeEvent(event)
        self._arrange()
        self._tend()
        self._place_jump()

    def showEvent(self, event: QShowEvent) -> None:
        """Have at once what is seen."""
        super().showEvent(event)
        self._arrange()
        self._tend()

    def _on_scrolled(self, value: int) -> None:
        # A line's height of tolerance: a wheel notch that ends just short of the bottom still means "at the bottom".
        self._following = value >= self.verticalScrollBar().maximum() - self.fontMetrics().height()
        self.jump.setVisible(not self._following)
        if not self._arranging:
            self._tend()

    def _on_grown(self, _minimum: int, maximum: int) -> None:
        if self._following:
            self.verticalScrollBar().setValue(maximum)
        self._place_jump()
        self.jump.setVisible(not self._following)

    # --- building what is near ---------------------------------------------------------------------------------------

    def _tend(self) -> None:
        """Build what is seen at once, and what is near it as far as the time of this turn allows."""
        if not self.isVisible():
            return
        deadline, made = QDeadlineTimer(BUDGET_MS), False
        while row := self._next_to_make():
            if made and deadline.hasExpired() and row not in self._around(0):
                self._tend_soon.start()
                return
            self._make_ready(row)
            self._arrange()
            made = True
        self._drop_far()

    def _next_to_make(self) -> Row | None:
        """What is seen goes before what is near, and that before what is built but was fitted to another width."""
        limit = self._limit()
        built = [row for row in self._rows.rows if row.widget]
        wanted = (*self._around(0), *self._around(1), *built)
        return next((row for row in wanted if row.widget is None or row.limit != limit), None)

    def _around(self, views: int) -> list[Row]:
        """The rows in sight, and those up to so many heights of the view above and below."""
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        near = self._rows.within(top - views * height, top + (views + 1) * height)
        return self._rows.rows[near.start : near.stop]

    def _make_ready(self, row: Row) -> None:
        if row.widget is None and row.later:
            row.widget = row.later.make()
            row.widget.setParent(self._column)
            row.widget.show()
        row.limit = self._limit()
        if isinstance(row.widget, Bubble | FittedLabel):
            row.widget.fit(row.limit)

    def _drop_unseen(self) -> None:
        """Before a new theme, which takes time for each widget there is; what is near is built again soon."""
        near = self._around(0) if self.isVisible() else ()
        for row in self._rows.droppable(near, self.window().focusWidget()):
            bubble = row.widget
            row.drop()
            QCoreApplication.sendPostedEvents(bubble, QEvent.Type.DeferredDelete)
        self._tend_soon.start()

    def _drop_far(self) -> None:
        near = self._around(1)
        # The window's focus stays where it is also while another window is in front.
        droppable = self._rows.droppable(near, self.window().focusWidget())
        surplus = len(self.bubbles) - KEPT
        if surplus > 0:
            middle = self._rows.rows.index(near[0]) if near else 0
            droppable.sort(key=lambda row: abs(self._rows.rows.index(row) - middle), reverse=True)
            for row in droppable[:surplus]:
                row.drop()

    def _insert(self, number: int, row: Row) -> None:
        self._rows.rows.insert(number, row)
        if row.widget:
            row.widget.setParent(self._column)
            row.widget.setVisible(not row.notice)
        self._make_ready(row)
        self._arrange()

    # --- placing -----------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        """Give each bubble its place; what the user reads stays where it is."""
        self._arranging = True
        anchor = None if self._following else self._anchor()
        limit = self._limit()
        for row in self._rows.rows:
            if row.widget:
                row.height = size_of(row.widget).height()
            elif row.limit != limit:
                metrics = self.fontMetrics()
                row.estimate(limit, character=metrics.averageCharWidth(), line=metrics.lineSpacing())
        self._rows.place()
        self._column.resize(self.viewport().width(), self._rows.height)
        for row, top in zip(self._rows.rows, self._rows.tops, strict=False):
            if row.widget:
                size = size_of(row.widget)
                row.widget.setGeometry(self._left(row, size.width()), top, size.width(), size.height())
        bar = self.verticalScrollBar()
        if anchor:
            bar.setValue(self._rows.tops[self._rows.rows.index(anchor[0])] + anchor[1])
        self._arranging = False
        self._column.chain(self.jump, self.bubbles)
        if self._next_to_make():
            self._tend_soon.start()

    def _anchor(self) -> tuple[Row, int] | None:
        """A row that must not move against the view, and how far the view's top is below its own: the first that begins
        in sight, for the one above it may be an estimate."""
        top = self.verticalScrollBar().value()
        seen = [row for row in self._around(0) if row.widget or row.height]
        if not seen:
            return None
        number = self._rows.rows.index(seen[0])
        begins = number + 1 if len(seen) > 1 and self._rows.tops[number] < top else number
        return self._rows.rows[begins], top - self._rows.tops[begins]

    def _left(self, row: Row, width: int) -> int:
        left, right = self._sides()
        free = self._column.width() - left - right - width
        if row.notice:
            return left + free // 2
        return left + free if isinstance(row.widget, QuestionBubble) else left

    def _column_width(self) -> int:
        return column_width(self, self.width() - 2 * MARGIN)

    def _sides(self) -> tuple[int, int]:
        side = (self.width() - self._column_width()) // 2
        bar = self.width() - self.viewport().width()
        return side, max(4, side - bar)

    def _limit(self) -> int:
        width = self._column_width()
        narrow = width < NARROW_CHARACTERS * self.fontMetrics().averageCharWidth()
        return max(SMALLEST, int(width * (NARROW_SHARE if narrow else BUBBLE_SHARE)))

    def _place_jump(self) -> None:
        size = self.jump.sizeHint()
        view = self.viewport().geometry()
        self.jump.setGeometry(
            view.center().x() - size.width() // 2, view.bottom() - size.height() - 10, size.width(), size.height()
        )
