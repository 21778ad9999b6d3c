"""A PC in the dialog that chooses a plan: whether it takes part, its layers, and its place in the order."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QSpinBox, QToolButton, QVBoxLayout, QWidget

from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.pool.chain_words import span_words
from idlepool.ui.theme import styled


class PlanRow(QFrame):
    """`first`: it is this PC, which always takes part and comes first."""

    used_changed = Signal(bool)
    count_changed = Signal(int)
    move_requested = Signal(int)
    """-1: towards the first layer."""

    def __init__(self, name: str, *, first: bool) -> None:
        super().__init__()
        styled(self, "pc")
        shown = self.tr("{name} (this PC)").format(name=name) if first else name
        self.used = styled(QCheckBox(), "bare")
        self.used.setAccessibleName(self.tr("Use {name}").format(name=shown))
        self.used.setEnabled(not first)
        self.name = styled(ElidedLabel(Qt.TextElideMode.ElideMiddle), "headline")
        self.name.show_text(shown)
        self.span = styled(QLabel(), "muted")
        self.count = QSpinBox()
        self.count.setAccessibleName(self.tr("Layers of {name}").format(name=name))
        self.count.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.count.setKeyboardTracking(False)
        self.up, self.down = QToolButton(), QToolButton()
        for button, arrow, words in (
            (self.up, Qt.ArrowType.UpArrow, self.tr("Move {name} towards the first layer")),
            (self.down, Qt.ArrowType.DownArrow, self.tr("Move {name} towards the last layer")),
        ):
            styled(button, "icon")
            button.setArrowType(arrow)
            button.setAccessibleName(words.format(name=name))
            button.setToolTip(words.format(name=name))
        self.used.clicked.connect(self.used_changed)
        self.count.valueChanged.connect(self.count_changed)
        self.up.clicked.connect(lambda: self.move_requested.emit(-1))
        self.down.clicked.connect(lambda: self.move_requested.emit(1))
        self._build()

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.name)
        words.addWidget(self.span)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(self.used)
        row.addLayout(words, 1)
        for widget in (self.count, self.up, self.down):
            row.addWidget(widget)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """In the order of the keyboard."""
        return self.used, self.count, self.up, self.down

    def show_span(self, span: tuple[int, int] | None, *, most: int, up: bool, down: bool) -> None:
        """Its layers `[first, last)`, or none; `up` and `down`: whether it can be moved."""
        self.used.setChecked(span is not None)
        with QSignalBlocker(self.count):
            self.count.setRange(1, most)
            self.count.setValue(span[1] - span[0] if span else 1)
        self.span.setText(span_words(*span) if span else self.tr("takes no part"))
        for widget in (self.count, self.up, self.down):
            widget.setVisible(span is not None)
        self.up.setEnabled(up)
        self.down.setEnabled(down)
