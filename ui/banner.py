"""Troubles and notices: a sentence with what to do about it, each in a banner that the user may dismiss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from idlepool.engine.events import Trouble
from idlepool.ui.announcing import announce
from idlepool.ui.preferences import Preferences
from idlepool.ui.theme import styled
from idlepool.ui.told import first_time

MOST_BANNERS: Final = 3
"""The oldest gives way to a new one, so that the conversation keeps its room."""


NARROW: Final = 480
"""Pixels: buttons beside the words would leave them a column of single words."""


class Banner(QFrame):
    """One sentence, a hint, perhaps buttons, and a button that dismisses it."""

    dismissed = Signal()

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__()
        self.setObjectName("banner")
        self.sentence = sentence
        self.setAccessibleName(f"{sentence} {hint}".strip())
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(_label(sentence, name="headline"))
        if hint:
            words.addWidget(_label(hint))
        dismiss = styled(QToolButton(), "dismiss")
        dismiss.setText("✕")
        dismiss.setAccessibleName(self.tr("Dismiss"))
        dismiss.setToolTip(self.tr("Dismiss"))
        dismiss.clicked.connect(self.dismissed)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(8)
        self._body.addLayout(words, 1)
        self._body.addLayout(self._buttons)
        self._body.setAlignment(self._buttons, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.setSpacing(8)
        row.addLayout(self._body, 1)
        row.addWidget(dismiss, 0, Qt.AlignmentFlag.AlignTop)

    def add_action(self, text: str, act: Callable[[], object]) -> QPushButton:
        """Add a button that does something about the trouble."""
        button = QPushButton(text)
        button.clicked.connect(act)
        self._buttons.addWidget(button)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Where there is little room the buttons stand below the words."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        below, beside = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._body.setDirection(below if narrow else beside)


class Banners(QWidget):
    """The banners shown now, newest last; hidden when there are none."""

    report_requested = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self.shown: list[Banner] = []
        self._troubles: dict[Banner, Trouble] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 10, 16, 0)
        self._column.setSpacing(8)
        self.hide()

    def add(self, sentence: str, hint: str = "") -> Banner:
        """Show a banner; one with the same sentence is replaced."""
        self.withdraw(sentence)
        while len(self.shown) >= MOST_BANNERS:
            self.remove(self.shown[0])
        banner = Banner(sentence, hint)
        banner.dismissed.connect(lambda: self.remove(banner))
        self.shown.append(banner)
        self._column.addWidget(banner)
        self.show()
        announce(banner, banner.accessibleName(), urgent=True)
        return banner

    def add_with_report(self, sentence: str, hint: str = "") -> Banner:
        """Show a banner of what somebody may need help with."""
        banner = self.add(sentence, hint)
        banner.add_action(self.tr("Details"), lambda: self.report_requested.emit())
        return banner

    def tell(self, trouble: Trouble) -> None:
        """Show a banner, unless it is to be shown once and was."""
        if not trouble.once or first_time(self._preferences, trouble.sentence):
            self.tell_anew(trouble)

    def tell_anew(self, trouble: Trouble) -> None:
        """Show a banner, also of what was shown once already."""
        add = self.add if trouble.once else self.add_with_report
        self._troubles[add(trouble.sentence, trouble.hint)] = trouble

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """Those of the node that are shown now."""
        return tuple(self._troubles.values())

    def withdraw(self, sentence: str) -> None:
        """Take away the banner with this sentence, if it is still shown."""
        for banner in [banner for banner in self.shown if banner.sentence == sentence]:
            self.remove(banner)

    def remove(self, banner: Banner) -> None:
        """Take a banner away; one that is gone already is no error."""
        if banner in self.shown:
            self.shown.remove(banner)
            self._troubles.pop(banner, None)
            self._column.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
        self.setVisible(bool(self.shown))


def _label(text: str, *, name: str = "") -> QLabel:
    label = styled(QLabel(text, wordWrap=True), name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
