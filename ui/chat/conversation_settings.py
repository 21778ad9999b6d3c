"""The settings of one conversation: what the model is told beforehand, and how freely it chooses its words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from idlepool.ui.chat.presets import applied, ready_made
from idlepool.ui.chat.sampling_form import SamplingForm
from idlepool.ui.history.history import History
from idlepool.ui.history.values import ChatSettings
from idlepool.ui.name_dialog import ask_name
from idlepool.ui.theme import styled

SIZE = (520, 600)
PROMPT_LINES = 5


class ConversationSettings(QDialog):
    """Shows settings to change; `chosen` brings them once they are to hold."""

    chosen = Signal(object)
    """ChatSettings."""

    def __init__(self, history: History, settings: ChatSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Settings of this conversation"))
        self._history = history
        self._build()
        self._show(settings)
        self._list_presets()
        self.sampling.changed.connect(self._mark_preset)
        self.prompt.textChanged.connect(self._mark_preset)
        if parent is not None:
            room = parent.window().size()
            self.resize(min(SIZE[0], room.width() - 16), min(SIZE[1], room.height() - 16))

    def _build(self) -> None:
        self.presets = QComboBox()
        self.presets.setItemDelegate(QStyledItemDelegate(self.presets))
        self.presets.setAccessibleName(self.tr("Ready-made settings"))
        # On Linux the name of a box to choose from is what is chosen in it.
        self.presets.setAccessibleDescription(self.presets.accessibleName())
        styled(self.presets, "choice")
        self.presets.activated.connect(self._use_preset)
        self.save_button = QPushButton(self.tr("Save as …"))
        self.save_button.clicked.connect(self._ask_name)
        self.delete_button = QPushButton(self.tr("Delete"))
        self.delete_button.setAccessibleName(self.tr("Delete these ready-made settings"))
        self.delete_button.clicked.connect(self._delete_preset)
        self.prompt = styled(QPlainTextEdit(), "prompt")
        self.prompt.setTabChangesFocus(True)
        self.prompt.setPlaceholderText(self.tr("For example: Answer briefly, in plain English."))
        self.prompt.setFixedHeight(PROMPT_LINES * self.prompt.fontMetrics().lineSpacing() + 16)
        self.sampling = SamplingForm()
        self.problem = styled(QLabel(wordWrap=True), "bad")
        self.problem.hide()
        self.buttons = QDialogButtonBox()
        self.buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        styled(self.buttons.addButton(self.tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole), "primary")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.presets, 1)
        row.addWidget(self.save_button)
        row.addWidget(self.delete_button)
        inner = styled(QWidget(), "column")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addSpacing(8)
        told = QLabel(self.tr("What the model is &told beforehand"))
        told.setBuddy(self.prompt)
        column.addWidget(styled(told, "headline"))
        column.addWidget(self.prompt)
        column.addSpacing(8)
        column.addWidget(styled(QLabel(self.tr("How it chooses its words")), "headline"))
        column.addWidget(self.sampling)
        column.addStretch(1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inner)
        below = QVBoxLayout()
        below.setContentsMargins(0, 0, 8, 0)
        below.addWidget(self.buttons)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 8, 16)
        outer.setSpacing(8)
        outer.addWidget(scroll, 1)
        outer.addWidget(self.problem)
        outer.addLayout(below)

    @property
    def settings(self) -> ChatSettings:
        """What is shown."""
        return self.sampling.settings(ChatSettings(system_prompt=self.prompt.toPlainText().strip()))

    def accept(self) -> None:
        """Let the settings hold, if they can."""
        self.problem.setText(self.sampling.problem)
        self.problem.setVisible(bool(self.sampling.problem))
        if not self.sampling.problem:
            self.chosen.emit(self.settings)
            super().accept()

    def save_preset(self, name: str) -> None:
        """Give what is shown a name, for other conversations."""
        if name.strip() and not self.sampling.problem:
            self._history.save_preset(name.strip(), self.settings)
            self._list_presets()

    def _show(self, settings: ChatSettings) -> None:
        self.prompt.setPlainText(settings.system_prompt)
        self.sampling.show_settings(settings)

    def _list_presets(self) -> None:
        """All of them, with the one chosen that is shown."""
        self._presets = ready_made() | self._history.presets()
        self.presets.clear()
        self.presets.addItem(self.tr("Own settings"))
        self.presets.addItems(list(self._presets))
        self._mark_preset()

    def _mark_preset(self) -> None:
        shown = self.settings if not self.sampling.problem else None
        names = [name for name, preset in self._presets.items() if shown and applied(preset, shown) == shown]
        self.presets.setCurrentIndex(1 + list(self._presets).index(names[-1]) if names else 0)
        self.delete_button.setEnabled(self.presets.currentText() in self._history.presets())

    def _use_preset(self, at: int) -> None:
        if at > 0:
            self._show(applied(list(self._presets.values())[at - 1], self.settings))

    def _ask_name(self) -> None:
        title, words, accept = self.tr("Save these settings"), self.tr("Name"), self.tr("Save")
        ask_name(self, title, words, now="", accept=accept, on_name=self.save_preset)

    def _delete_preset(self) -> None:
        self._history.delete_preset(self.presets.currentText())
        self._list_presets()
