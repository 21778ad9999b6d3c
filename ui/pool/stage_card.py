"""A PC of the chain as a card: its name, its layers and device, memory used of lent, and how long a step takes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QVBoxLayout

from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.pool.chain import ChainPc
from idlepool.ui.pool.chain_words import (
    back_words,
    described,
    doing_words,
    layer_words,
    memory_words,
    name_words,
    step_words,
)
from idlepool.ui.pool.stage_colours import stage_colour
from idlepool.ui.theme import plain_tooltip, styled

MARGIN = 12
SWATCH_HEIGHT = 4
PERCENT = 100


class StageCard(QFrame):
    """Reached by the keyboard, and read out as a whole. `number`: its place in the chain, from 0."""

    def __init__(self, number: int) -> None:
        super().__init__()
        styled(self, "stage")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.number = number
        self.swatch = QFrame()
        self.swatch.setFixedHeight(SWATCH_HEIGHT)
        self.swatch.setAutoFillBackground(True)
        self.name = styled(ElidedLabel(Qt.TextElideMode.ElideMiddle), "headline")
        self.layers, self.doing = ElidedLabel(), styled(ElidedLabel(), "muted")
        self.memory, self.step = QLabel(), QLabel()
        self.back = styled(ElidedLabel(Qt.TextElideMode.ElideMiddle), "muted")
        self.bar = QProgressBar()
        self.bar.setRange(0, PERCENT)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(4)
        column.addWidget(self.swatch)
        for line in (self.name, self.layers, self.doing):
            column.addWidget(line)
        column.addSpacing(4)
        column.addWidget(self.bar)
        column.addWidget(self.memory)
        column.addWidget(self.step)
        column.addWidget(self.back)
        column.addStretch(1)
        for label in (self.memory, self.step):
            label.setTextFormat(Qt.TextFormat.PlainText)
        palette = self.swatch.palette()
        palette.setColor(self.swatch.backgroundRole(), stage_colour(number))
        self.swatch.setPalette(palette)

    def show_pc(self, pc: ChainPc, following: str, first: str = "") -> None:
        """Bring it up to date; `following`: the name of the next PC, empty for the last one, for which `first` is that
        of the first PC, where that is another one."""
        self.name.show_text(name_words(pc))
        self.layers.show_text(layer_words(pc))
        self.doing.show_text(doing_words(pc))
        self.memory.setText(memory_words(pc))
        self.step.setText(step_words(pc))
        self.back.show_text(back_words(pc, first) if first else "")
        self.back.setVisible(bool(first and pc.link_ms))
        share = pc.fetched if pc.phase == "fetching" else pc.memory_bytes / pc.lent_bytes if pc.lent_bytes else 0.0
        self.bar.setValue(round(PERCENT * min(share, 1.0)))
        self.setAccessibleName(name_words(pc))
        self.setAccessibleDescription(described(pc, following, first))
        self.setToolTip(plain_tooltip(f"{name_words(pc)}: {described(pc, following, first)}"))
