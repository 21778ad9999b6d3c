"""What an empty conversation shows: three questions to start with, or how to get the first model."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from idlepool.engine.events import ModelProgress, Trouble
from idlepool.ui.app_icon import app_icon
from idlepool.ui.chat.example_button import ExampleButton
from idlepool.ui.models.progress_words import fill, progress_words
from idlepool.ui.theme import retone, styled

ICON_LINES: Final = 3
"""Height of the icon in lines of text."""

WIDTH_CHARACTERS: Final = 62


class Welcome(QScrollArea):
    """Two pages: examples where a model is here, the way to the first model where none is."""

    example_chosen = Signal(str)
    starter_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(1)  # it gives its room to banners before they are cut
        self._pages = styled(QStackedWidget(), "welcome")
        self.examples = _examples()
        self._waiting = styled(_centred(self.tr("Starting …")), "muted")
        self._start = _page(
            self.tr("Ask your pool of PCs"),
            self.tr("The layers of a model are spread over the PCs of your pool, and they answer together."),
            *self.examples,
            note=self.tr("A PC that takes part in an answer could read the conversation: pair only PCs you trust."),
        )
        self.first_model = FirstModel()
        self.first_model.requested.connect(self.starter_requested)
        for page in (self._waiting, self._start, self.first_model):
            self._pages.addWidget(page)
        self.setWidget(self._pages)
        for button in self.examples:
            button.clicked.connect(partial(self._choose, button))

    def _choose(self, button: ExampleButton, _checked: bool = False) -> None:
        self.example_chosen.emit(button.words)

    def show_waiting(self, words: str) -> None:
        """There is no node to serve a question: say so, and offer nothing."""
        self._waiting.setText(words)
        self._pages.setCurrentWidget(self._waiting)

    def show_models(self, *, any_here: bool) -> None:
        """Choose the page: examples, or the way to the first model."""
        self._pages.setCurrentWidget(self._start if any_here else self.first_model)


class FirstModel(QWidget):
    """No model is here: a button that gets the starter model, then how far that is."""

    requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.button = styled(QPushButton(self.tr("Get the starter model (93 MB)")), "primary")
        self.button.clicked.connect(self._begin)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress of the model"))
        self.step = _centred("", name="muted")
        page = _page(
            self.tr("No model is here yet"),
            self.tr("The starter model is small, quick on any PC, and free to use (Apache 2.0)."),
            self.button,
            self.bar,
            self.step,
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        self.reset()

    def reset(self) -> None:
        """Offer the button again: nothing is on its way."""
        self._show_progress(False)

    def show_progress(self, progress: ModelProgress) -> None:
        """Show the step and the megabytes."""
        self._show_progress(True)
        retone(self.step, "muted")
        fill(self.bar, progress)
        self.step.setText(progress_words(progress))

    def show_failure(self, trouble: Trouble) -> None:
        """Say why it did not come, and offer the button again."""
        self.reset()
        retone(self.step, "bad")
        self.step.setText(f"{trouble.sentence} {trouble.hint}".strip())
        self.step.show()

    def _begin(self) -> None:
        self._show_progress(True)
        retone(self.step, "muted")
        self.bar.setRange(0, 0)
        self.step.setText(self.tr("Starting …"))
        self.requested.emit()

    def _show_progress(self, shown: bool) -> None:
        self.button.setVisible(not shown)
        self.bar.setVisible(shown)
        self.step.setVisible(shown)


def _examples() -> list[ExampleButton]:
    texts = (
        QCoreApplication.translate("Welcome", "What is the capital of Japan?"),
        QCoreApplication.translate("Welcome", "Write a short poem about rain in the city."),
        QCoreApplication.translate("Welcome", "Explain in three sentences how a rainbow forms."),
    )
    return [ExampleButton(text) for text in texts]


def _page(title: str, text: str, *content: QWidget, note: str = "") -> QWidget:
    """A page in the middle: icon, title, text, what is to be done, a note."""
    page = styled(QWidget(), "welcome")
    inner = styled(QWidget(), "welcome")
    inner.setMaximumWidth(WIDTH_CHARACTERS * inner.fontMetrics().averageCharWidth())
    column = QVBoxLayout(inner)
    column.setSpacing(8)
    column.addWidget(_picture())
    heading = _centred(title)
    font = heading.font()
    font.setPointSizeF(font.pointSizeF() * 1.5)
    font.setBold(True)
    heading.setFont(font)
    column.addWidget(heading)
    column.addWidget(_centred(text, name="muted"))
    column.addSpacing(10)
    for widget in content:
        column.addWidget(widget)
    column.addSpacing(6)
    column.addWidget(_centred(note, name="muted"))
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(inner, 1000)  # as wide as it may be, the stretches take what is left
    row.addStretch(1)
    outer = QVBoxLayout(page)
    outer.setContentsMargins(6, 0, 6, 0)
    outer.addStretch(2)
    outer.addLayout(row)
    outer.addStretch(3)
    return page


def _picture() -> QLabel:
    picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
    side = ICON_LINES * picture.fontMetrics().height()
    picture.setMinimumHeight(side)
    picture.setPixmap(app_icon().pixmap(side, side))
    return picture


def _centred(text: str, *, name: str = "") -> QLabel:
    return styled(QLabel(text, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter), name)
