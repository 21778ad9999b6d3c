"""What a model thought before it answered: one line that can be unfolded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from idlepool.ui.chat.parts import Thought
from idlepool.ui.chat.text_view import TextView
from idlepool.ui.theme import styled

if TYPE_CHECKING:
    from idlepool.ui.chat.message_text import MessageText

INDENT: Final = 14
"""Of the line beside the thoughts and the space after it."""


@dataclass(frozen=True, slots=True)
class ThoughtState:
    """How somebody saw thoughts last."""

    unfolded: bool = False
    seconds: int = 0
    """For how long the model was seen thinking; 0: it was not seen."""


class ThoughtView(QFrame):
    """Shows one `Thought` part. Its text is made by `make_text` when somebody wants to see it."""

    resized = Signal()
    """It was folded or unfolded."""

    def __init__(self, make_text: Callable[[], MessageText]) -> None:
        super().__init__()
        self._bar = styled(QFrame(), "thoughts")
        self._bar.hide()
        self._inner = QVBoxLayout(self._bar)
        self._inner.setContentsMargins(INDENT - 2, 0, 0, 0)
        self._make_text = make_text
        self._text: MessageText | None = None
        self._thought = Thought("")
        self._limit = 0
        self._watch = QElapsedTimer()
        self._seconds = 0
        self._words = ""
        self.toggle = styled(QToolButton(), "thought")
        self.toggle.setCheckable(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.toggled.connect(self._unfold)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignLeft)
        self._name_toggle()

    @property
    def state(self) -> ThoughtState:
        """As they are seen now."""
        return ThoughtState(self.toggle.isChecked(), self._seconds)

    def restore(self, state: ThoughtState) -> None:
        """Show them as they were seen."""
        self._seconds = state.seconds
        self.show_part(self._thought)
        self.toggle.setChecked(state.unfolded)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What the tab key stops at, in its order."""
        return self.toggle, *(self._text.controls if self._text and self.toggle.isChecked() else ())

    @property
    def text_views(self) -> tuple[TextView, ...]:
        """What can be selected."""
        return self._text.text_views if self._text and self.toggle.isChecked() else ()

    def show_part(self, thought: Thought) -> None:
        """Show that the model thinks, or for how long it did where that was seen."""
        self._thought = thought
        if not thought.closed and not self._watch.isValid():
            self._watch.start()
        elif self._watch.isValid():
            self._seconds = max(1, round(self._watch.elapsed() / 1000))
            self._watch.invalidate()
        if not thought.closed:
            self._words = self.tr("Thinking …")
        elif self._seconds:
            self._words = self.tr("Thought for {seconds} s").format(seconds=self._seconds)
        else:
            self._words = self.tr("Thoughts")
        self._name_toggle()
        if self.toggle.isChecked():
            self._show_text()

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        self._limit = limit
        if self._text:
            self._text.fit(limit - INDENT)
            self._inner.activate()

    def _unfold(self, unfolded: bool) -> None:
        if unfolded:
            self._show_text()
        self._bar.setVisible(unfolded)
        self._name_toggle()
        self.resized.emit()

    def _show_text(self) -> None:
        if self._text is None:
            self._text = self._make_text()
            self._text.setAccessibleName(self.tr("Thoughts"))
            self._text.fit(max(0, self._limit - INDENT))
            self._inner.addWidget(self._text)
        self._text.show_text(self._thought.source)
        self._inner.activate()  # by itself it would tell of the new size only in a later turn of the event loop

    def _name_toggle(self) -> None:
        unfolded = self.toggle.isChecked()
        self.toggle.setText(self._words)
        self.toggle.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
        action = self.tr("Hide the thoughts") if unfolded else self.tr("Show the thoughts")
        self.toggle.setToolTip(action)
        self.toggle.setAccessibleName(f"{self._words}: {action}")
