"""The scrolling column of bubbles: it follows the newest text unless the user scrolled up to read."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from idlepool.ui.bubble import AnswerBubble, Bubble, QuestionBubble
from idlepool.ui.fitted_label import FittedLabel
from idlepool.ui.theme import column_width, styled

BUBBLE_SHARE: Final = 0.78
"""A bubble is at most this share of the column,"""

NARROW_SHARE: Final = 0.92
"""and this one where the column has fewer average characters than"""

NARROW_CHARACTERS: Final = 80

MARGIN: Final = 16


class Transcript(QScrollArea):
    """Bubbles, oldest first: questions to the right, answers to the left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bubbles: list[Bubble] = []
        self._notices: list[FittedLabel] = []
        self._following = True
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self._column = styled(QWidget(), "column")
        self._rows = QVBoxLayout(self._column)
        self._rows.setSpacing(14)
        self._rows.addStretch(1)
        self.setWidget(self._column)
        self.jump = styled(QPushButton(self.tr("↓ Jump to newest"), self), "jump")
        self.jump.hide()
        self.jump.clicked.connect(self.follow)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_grown)

    def add_question(self, question: str) -> None:
        """Echo a question; the transcript follows the newest again."""
        self._add(QuestionBubble(question), Qt.AlignmentFlag.AlignRight)
        self.follow()

    def add_answer(self) -> AnswerBubble:
        """Add an answer without text yet."""
        bubble = AnswerBubble()
        self._add(bubble, Qt.AlignmentFlag.AlignLeft)
        return bubble

    def add_notice(self, text: str) -> None:
        """Say something about the conversation itself, above the newest bubble."""
        notice = styled(FittedLabel(), "muted")
        notice.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        notice.fit(self._limit())
        self._notices.append(notice)
        self._rows.insertWidget(max(0, self._rows.count() - 2), notice, 0, Qt.AlignmentFlag.AlignHCenter)
        notice.show_text(text)

    def clear(self) -> None:
        """Remove every bubble and notice."""
        for row in (*self.bubbles, *self._notices):
            self._rows.removeWidget(row)
            row.deleteLater()
        self.bubbles.clear()
        self._notices.clear()
        self.follow()

    def follow(self) -> None:
        """Go to the newest text and stay with it."""
        self._following = True
        self.jump.hide()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the bubbles to the new width."""
        super().resizeEvent(event)
        self._rows.setContentsMargins(*self._margins())
        limit = self._limit()
        for bubble in self.bubbles:
            bubble.fit(limit)
        for notice in self._notices:
            notice.fit(limit)
        self._place_jump()

    def _add(self, bubble: Bubble, side: Qt.AlignmentFlag) -> None:
        before = self.bubbles[-1].controls[-1] if self.bubbles else self.jump
        bubble.fit(self._limit())
        self.bubbles.append(bubble)
        self._rows.insertWidget(self._rows.count() - 1, bubble, 0, side)
        for control in bubble.controls:
            QWidget.setTabOrder(before, control)
            before = control

    def _column_width(self) -> int:
        return column_width(self, self.width() - 2 * MARGIN)

    def _margins(self) -> tuple[int, int, int, int]:
        side = (self.width() - self._column_width()) // 2
        bar = self.width() - self.viewport().width()
        return side, 20, max(4, side - bar), 20

    def _limit(self) -> int:
        width = self._column_width()
        narrow = width < NARROW_CHARACTERS * self.fontMetrics().averageCharWidth()
        return int(width * (NARROW_SHARE if narrow else BUBBLE_SHARE))

    def _place_jump(self) -> None:
        size = self.jump.sizeHint()
        view = self.viewport().geometry()
        self.jump.setGeometry(
            view.center().x() - size.width() // 2, view.bottom() - size.height() - 10, size.width(), size.height()
        )

    def _on_scrolled(self, value: int) -> None:
        # A line's height of tolerance: a wheel notch that ends just short of the bottom still means "at the bottom".
        self._following = value >= self.verticalScrollBar().maximum() - self.fontMetrics().height()
        self.jump.setVisible(not self._following)

    def _on_grown(self, _minimum: int, maximum: int) -> None:
        if self._following:
            self.verticalScrollBar().setValue(maximum)
        self._place_jump()
        self.jump.setVisible(not self._following)
