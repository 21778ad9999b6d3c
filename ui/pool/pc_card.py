"""A PC of the pool on the pool page: its state and why, what it has and holds, and whether plans may use it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from idlepool.ui.pool.pc_list import PcRow
from idlepool.ui.pool.pc_view import PcView
from idlepool.ui.settings.switch import Switch
from idlepool.ui.theme import styled


class PcCard(PcRow):
    """`button` removes it from the pool; None: it is this PC, which takes part in all its plans."""

    used_changed = Signal(bool)
    """The owner of this PC wants plans to use it, or not."""

    def __init__(self, pc: PcView, button: QPushButton | None) -> None:
        super().__init__()
        self.button = button
        styled(self.name, "headline")
        self.facts = QLabel(wordWrap=True)
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.addWidget(self.facts)
        self.switch: Switch | None = None
        if button is not None:
            self._add_choices(pc, button)

    def _add_choices(self, pc: PcView, button: QPushButton) -> None:
        self.switch = Switch()
        self.switch.setAccessibleName(self.tr("Use {name} for models that this PC runs").format(name=pc.name))
        self.switch.clicked.connect(self.used_changed)
        self._meaning = styled(QLabel(wordWrap=True), "muted")
        line = QHBoxLayout()
        line.setContentsMargins(0, 8, 0, 4)
        line.setSpacing(8)
        line.addWidget(self.switch)
        line.addWidget(self._meaning, 1)
        line.addWidget(button)
        self.words.addLayout(line)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """In the order of the keyboard."""
        return (self.switch, self.button) if self.switch is not None and self.button is not None else ()

    def show_pc(self, pc: PcView) -> None:
        """Bring the card up to date."""
        super().show_pc(pc)
        self.facts.setText("\n".join(pc.facts))
        self.facts.setVisible(bool(pc.facts))
        self.setAccessibleDescription("\n".join(filter(None, (pc.detail, *pc.facts))))
        if self.switch is not None:
            self.switch.setChecked(not pc.left_out)
            self._meaning.setText(self.tr("Left out of my plans") if pc.left_out else self.tr("Used in my plans"))
