"""What the user is told of how much of a conversation the model can hold: before it is full, and when it was."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QFrame, QVBoxLayout, QWidget

from idlepool.engine.events import NEARLY_FULL, AnswerStarted, Overflow
from idlepool.ui.fitted_label import FittedLabel
from idlepool.ui.numbers import whole

MARGIN_X = 14


class ContextNotice(QFrame):
    """A warning above the composer once the conversation is nearly full, and the choice of what happens then."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._dropped = 0
        self._sentence = FittedLabel()
        self.slide = QCheckBox(self.tr("If full, leave out the oldest messages"))
        self.slide.setChecked(True)
        self.slide.setToolTip(self.tr("Otherwise a question that does not fit is refused"))
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN_X, 8, MARGIN_X, 8)
        column.setSpacing(4)
        column.addWidget(self._sentence)
        column.addWidget(self.slide)
        self.hide()

    @property
    def overflow(self) -> Overflow:
        """What happens to a conversation that does not fit."""
        return "slide" if self.slide.isChecked() else "reject"

    def tell_dropped(self, event: AnswerStarted) -> str:
        """Hear what the model will see; returns what is worth telling of that, once for each time it changes."""
        before, self._dropped = self._dropped, event.dropped_messages
        if self._dropped in (0, before):
            return ""
        return self.tr(
            "The model no longer sees the oldest {count} messages: the whole conversation has {tokens} tokens, "
            "and {context} is all it can hold, its answer included."
        ).format(
            count=self._dropped,
            tokens=whole(event.prompt_tokens + event.dropped_tokens),
            context=whole(event.context),
        )

    def show_fill(self, used: int, context: int) -> None:
        """Warn where the conversation has nearly all of the tokens that fit; `context` 0: not known."""
        warn = context > 0 and used >= NEARLY_FULL * context
        if warn:
            self._sentence.show_text(
                self.tr("This conversation fills {tokens} of the {context} tokens that the model can hold.").format(
                    tokens=whole(used), context=whole(context)
                )
            )
        self.setVisible(warn)

    def reset(self) -> None:
        """Another conversation begins."""
        self._dropped = 0
        self.hide()

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        self._sentence.fit(limit - 2 * MARGIN_X)
