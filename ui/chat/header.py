"""The head of the chat page: which model answers, who is in the pool, and what a conversation begins with."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QPushButton, QStyledItemDelegate, QWidget

from idlepool.engine.events import ModelInfo, PeerInfo
from idlepool.ui.icon_button import IconButton
from idlepool.ui.pool.pc_view import pool_lines, pool_words
from idlepool.ui.shortcuts import keys_of
from idlepool.ui.theme import plain_tooltip, styled


class Header(QFrame):
    """The model, the pool, and the buttons: to pair, where the node can, for settings, and for a new conversation.

    The pool's label is a button too: it leads to the list of the PCs, which is where pairing is.
    """

    model_chosen = Signal(str)
    new_conversation = Signal()
    settings_requested = Signal()
    pair_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._here: tuple[str, ...] = ()
        self._elsewhere: dict[str, str] = {}
        self._offered: tuple[tuple[str, str], ...] = ()
        self._wanted = ""
        self.models = ModelChoice()
        self.models.setItemDelegate(QStyledItemDelegate(self.models))  # the default one ignores the style sheet
        self.models.setAccessibleName(self.tr("Model"))
        self.models.setToolTip(self.tr("The model that answers"))
        self.models.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.models.currentIndexChanged.connect(self._on_chosen)
        self.pool = styled(QPushButton(), "pool")
        self.pool.setEnabled(False)
        self.pool.clicked.connect(self.pair_requested)
        self.fresh = IconButton(
            "plus",
            self.tr("New conversation"),
            hint=self.tr("Begin a new conversation ({keys})").format(keys=keys_of("new conversation")),
        )
        self.fresh.clicked.connect(self.new_conversation)
        self.settings = IconButton(
            "sliders",
            self.tr("Settings of this conversation"),
            hint=self.tr("Settings of this conversation ({keys})").format(keys=keys_of("conversation settings")),
        )
        self.settings.clicked.connect(self.settings_requested)
        self.pair = QPushButton(self.tr("Pair PCs …"))
        self.pair.setToolTip(self.tr("Take another PC into the pool, or out of it"))
        self.pair.clicked.connect(self.pair_requested)
        self.pair.hide()
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 16, 8)
        row.setSpacing(10)
        row.addWidget(self.models)
        row.addWidget(self.pool)
        row.addStretch(1)
        row.addWidget(self.pair)
        row.addWidget(self.settings)
        row.addWidget(self.fresh)
        self.show_models(())
        self.show_starting()

    @property
    def model(self) -> str:
        """Name of the chosen model; empty where there is none."""
        return self._offered[self.models.currentIndex()][0] if self._offered else ""

    def choose(self, model: str) -> None:
        """Have this model answer, if it is offered."""
        names = [name for name, _ in self._offered]
        if model in names:
            self.models.setCurrentIndex(names.index(model))

    def prefer(self, model: str) -> None:
        """Choose a model, now or as soon as it is offered; one that never is changes nothing."""
        self._wanted = model
        names = [name for name, _ in self._offered]
        if model in names:
            self.models.setCurrentIndex(names.index(model))

    def _on_chosen(self, _at: int) -> None:
        self._wanted = self.model
        self.model_chosen.emit(self.model)

    def set_locked(self, locked: bool) -> None:
        """Whether the choice of the model rests, as it does while an answer comes."""
        self.models.setEnabled(bool(self._offered) and not locked)

    def show_models(self, models: tuple[ModelInfo, ...]) -> None:
        """Offer these models; the chosen one stays chosen if it is among them."""
        self._here = tuple(model.name for model in models)
        self._offer()

    def _offer(self) -> None:
        """The models that are here, and those that other PCs answer about."""
        words = self.tr("{model} (on {pc})")
        elsewhere = {name: pc for name, pc in self._elsewhere.items() if name not in self._here}
        offered = tuple((name, name) for name in self._here)
        offered += tuple((name, words.format(model=name, pc=pc)) for name, pc in elsewhere.items())
        if offered == self._offered and self.models.count():
            return  # or a list that is open would close
        chosen = self.model
        self.models.blockSignals(True)
        self.models.clear()
        self._offered = offered
        self.models.setEnabled(bool(offered))
        self.models.addItems([shown for _, shown in offered] or [self.tr("No model")])
        names = [name for name, _ in offered]
        wanted = self._wanted if self._wanted in names else chosen
        self.models.setCurrentIndex(names.index(wanted) if wanted in names else 0)
        self.models.blockSignals(False)
        if self.model != chosen:
            self.model_chosen.emit(self.model)

    def show_pool(self, peers: tuple[PeerInfo, ...]) -> str:
        """Show who is in the pool, and return that in words."""
        words = pool_words(peers)
        self.pool.setText(words)
        self.pool.setAccessibleName(self.tr("PCs of this pool: {words}").format(words=words))
        self.pool.setToolTip(plain_tooltip(pool_lines(peers)))
        whole = {model.name: peer.name for peer in peers if peer.lends for model in peer.whole}
        self._elsewhere = whole | {name: peer.name for peer in peers for name in peer.running}
        self._offer()
        self._fit()
        return words

    def show_pairing(self) -> None:
        """The node can pair."""
        self.pool.setEnabled(True)
        self.pair.show()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out in a narrow window what can be seen elsewhere."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The tray tells the size of the pool too: the model's name needs the room more."""
        others = [widget for widget in (self.models, self.pair, self.settings, self.fresh) if not widget.isHidden()]
        margins = self._row.contentsMargins()
        taken = sum(widget.sizeHint().width() + self._row.spacing() for widget in (*others, self.pool))
        self.pool.setVisible(taken + margins.left() + margins.right() <= self.width())

    def show_starting(self) -> None:
        """The node does not listen yet."""
        self._show_no_pool(self.tr("Starting …"))

    def show_stopped(self) -> None:
        """There is no node."""
        self._show_no_pool(self.tr("Not running"))

    def _show_no_pool(self, words: str) -> None:
        self.pool.setText(words)
        self.pool.setAccessibleName(words)
        self.pool.setToolTip("")
        self._fit()


class ModelChoice(QComboBox):
    """As wide as the chosen names need, and narrower where the window is."""

    def minimumSizeHint(self) -> QSize:
        """Any width will do. (Qt would keep the width of the first names it ever saw.)"""
        return QSize(0, self.sizeHint().height())
