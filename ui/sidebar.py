"""The left edge of the main window: the pages to choose from, and below them what the shown page puts there.

In a narrow window it is a rail of symbols; what stands below the pages opens over the page.
"""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from idlepool.ui.drawer import Drawer
from idlepool.ui.icon_button import symbol
from idlepool.ui.showing import replace_widget
from idlepool.ui.theme import colours, styled

WIDTH_CHARACTERS: Final = 32
RAIL: Final = 56
NARROW: Final = 760
"""Width of the window in pixels below which the sidebar is a rail."""

SYMBOL: Final = 20


class Sidebar(QFrame):
    """One button a page; `page_chosen` brings its number."""

    page_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.narrow = False
        self.buttons = QButtonGroup(self)
        self.buttons.idClicked.connect(self.page_chosen)
        self._has_below: list[bool] = []
        self.below = QStackedWidget()
        """One widget for each page, the conversations for the chat."""
        self.opener = NavButton("list", self.tr("Open the list of this page"))
        self.opener.setCheckable(True)
        self.opener.clicked.connect(self._toggle)
        self.opener.hide()
        self._drawer: Drawer | None = None
        self._build()

    def _build(self) -> None:
        self._nav = QVBoxLayout()
        self._nav.setSpacing(4)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addLayout(self._nav)
        column.addWidget(self.opener)
        column.addWidget(self.below, 1)
        self._rest = column.count()
        column.addStretch(0)
        self.setFixedWidth(self._wide)

    @property
    def _wide(self) -> int:
        return WIDTH_CHARACTERS * self.fontMetrics().averageCharWidth()

    def add(self, title: str, below: QWidget | None = None, *, icon: str = "list") -> None:
        """Add a page's button, and what stands below while it is shown."""
        button = NavButton(icon, title)
        button.setCheckable(True)
        self.buttons.addButton(button, len(self.buttons.buttons()))
        self._nav.addWidget(button)
        self.below.addWidget(below or QWidget())
        self._has_below.append(below is not None)
        button.setChecked(len(self.buttons.buttons()) == 1)
        button.show_words(not self.narrow)
        for part in (self.opener, self.below):
            part.raise_()  # a screen reader reads in this order

    def set_below(self, number: int, below: QWidget) -> None:
        """Put something below for a page that had nothing there."""
        replace_widget(self.below, number, below)
        self._has_below[number] = True
        self._show_opener()

    def set_footer(self, widget: QWidget) -> None:
        """Put a widget at the bottom, below what each page has there."""
        self._column.addWidget(widget)

    def choose(self, number: int) -> None:
        """Mark the page that is shown."""
        self.buttons.button(number).setChecked(True)
        self.below.setCurrentIndex(number)
        self._show_opener()

    def fit(self, window_width: int) -> None:
        """Be a rail in a narrow window."""
        narrow = window_width < NARROW
        if narrow != self.narrow:
            self.narrow = narrow
            self._rearrange()
        elif self._drawer is not None:
            self._drawer.hide()

    def open_below(self) -> None:
        """Have what stands below the pages in sight."""
        if self.narrow and self._has_below[self.below.currentIndex()]:
            assert self._drawer is not None
            self._drawer.open(self._wide)
            self.opener.setChecked(True)

    def close_below(self) -> None:
        """It was used: in a narrow window it gives the page back its room."""
        if self._drawer is not None:
            self._drawer.shut()

    def _rearrange(self) -> None:
        if self.narrow:
            if self._drawer is None:
                self._drawer = Drawer(self, self.opener)
                self._drawer.closed.connect(lambda: self.opener.setChecked(False))
            self._drawer.take(self.below)
        else:
            self.close_below()
            self._column.insertWidget(self._rest - 1, self.below, 1)
            self.below.show()
        self._column.setStretch(self._column.count() - 2 if self.narrow else self._rest, int(self.narrow))
        for button in self.buttons.buttons():
            if isinstance(button, NavButton):
                button.show_words(not self.narrow)
        self.opener.show_words(False)
        self.setFixedWidth(RAIL if self.narrow else self._wide)
        self._show_opener()

    def _show_opener(self) -> None:
        self.opener.setVisible(self.narrow and self._has_below[self.below.currentIndex()])
        if self.opener.isHidden():
            self.close_below()

    def _toggle(self, opened: bool) -> None:
        if opened:
            self.open_below()
        else:
            self.close_below()


class NavButton(QToolButton):
    """A symbol with words, or alone."""

    def __init__(self, icon: str, words: str) -> None:
        super().__init__()
        styled(self, "nav")
        self._symbol = icon
        self._words = words
        self.setText(f"\u2002{words}")  # no style sheet sets the space between symbol and words
        self.setAccessibleName(words)
        self.setIconSize(QSize(SYMBOL, SYMBOL))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._draw)
        self._draw()

    def show_words(self, shown: bool) -> None:
        """Write the words beside the symbol, or leave them to the tooltip."""
        style = Qt.ToolButtonStyle
        self.setToolButtonStyle(style.ToolButtonTextBesideIcon if shown else style.ToolButtonIconOnly)
        self.setToolTip("" if shown else self._words)

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        colour = colours().text if self.isChecked() else colours().muted
        self.setIcon(QIcon(symbol(self._symbol, colour, SYMBOL, self.devicePixelRatioF())))
