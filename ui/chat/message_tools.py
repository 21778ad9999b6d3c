"""The row below a message: its versions, and what can be done with it while it is pointed at or has the focus."""

from __future__ import annotations

import enum
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from idlepool.ui.announcing import announce
from idlepool.ui.icon_button import IconButton
from idlepool.ui.theme import styled

COPIED_MS: Final = 1500
"""How long a mark says that a text was copied."""

HEIGHT: Final = 24
"""Pixels of the row, which are the gap between two messages too."""


class Act(enum.Enum):
    """What a user may want of a message; the value is the name of its symbol."""

    COPY = "copy"
    EDIT = "edit"
    AGAIN = "again"
    GO_ON = "go-on"
    DETAILS = "details"
    PREVIOUS = "previous"
    NEXT = "next"
    AUTOMATIC = "automatic"
    """Only below a failure: ask again, without the plan that was made by hand."""


REWRITING = frozenset({Act.EDIT, Act.AGAIN, Act.GO_ON, Act.PREVIOUS, Act.NEXT})
"""What must wait while an answer of the conversation is being written."""


class MessageTools(QWidget):
    """As high when it is empty as when it is full, so that nothing moves below the pointer."""

    wanted = Signal(object)
    """An Act."""

    def __init__(self, offered: tuple[Act, ...], *, at_right: bool) -> None:
        super().__init__()
        self.buttons: dict[Act, IconButton] = {}
        """Made when they are first looked for: a long conversation has hundreds of messages."""
        self._offered = offered
        self._question = at_right
        self._revealed = self._busy = False
        self._at_end: set[Act] = set()
        self._left_out: set[Act] = set()
        self._checked: set[Act] = set()
        self._versions, self._tools = QHBoxLayout(), QHBoxLayout()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for layout in (self._tools, self._versions) if at_right else (self._versions, self._tools):
            layout.setSpacing(0)
            row.addLayout(layout)
        row.insertStretch(0 if at_right else -1, 1)
        self._copied = QTimer(self, singleShot=True, interval=COPIED_MS)
        self._copied.timeout.connect(lambda: self.buttons[Act.COPY].show_symbol(Act.COPY.value))
        self.setFixedHeight(max(HEIGHT, self.fontMetrics().height()))

    @property
    def controls(self) -> tuple[IconButton, ...]:
        """The buttons that were made, from left to right."""
        groups = (self._tools, self._versions) if self._question else (self._versions, self._tools)
        items = (group.itemAt(at) for group in groups for at in range(group.count()))
        widgets = (item.widget() for item in items if item)
        return tuple(widget for widget in widgets if isinstance(widget, IconButton))

    def show_place(self, place: int, count: int) -> None:
        """Say which of the versions this is, counted from 1, with buttons to page through them."""
        words = styled(QLabel(self.tr("{n} / {count}").format(n=place, count=count)), "muted")
        words.setAccessibleName(self.tr("Version {n} of {count}").format(n=place, count=count))
        self._versions.addWidget(self._make(Act.PREVIOUS))
        self._versions.addWidget(words)
        self._versions.addWidget(self._make(Act.NEXT))
        self._at_end = {act for act, end in ((Act.PREVIOUS, 1), (Act.NEXT, count)) if place == end}
        self._update()

    def reveal(self, shown: bool) -> None:
        """Show what can be done, or the versions only."""
        self._revealed = shown
        for act in self._offered:
            if shown and act not in self.buttons:
                self._tools.addWidget(self._make(act))
        self._update()

    def has_focus(self, act: Act) -> bool:
        """Whether the keyboard is on the button for this."""
        return act in self.buttons and self.buttons[act].hasFocus()

    def take_focus(self, act: Act) -> None:
        """Put the keyboard on the button for this, or where that can do no more, on the one for the way back."""
        wanted = (act, Act.NEXT if act == Act.PREVIOUS else Act.PREVIOUS)
        usable = (self.buttons[each] for each in wanted if each in self.buttons and self.buttons[each].isEnabled())
        if button := next(usable, None):
            button.setFocus(Qt.FocusReason.TabFocusReason)

    def leave_out(self, act: Act, left_out: bool) -> None:
        """Whether this makes no sense now."""
        (self._left_out.add if left_out else self._left_out.discard)(act)
        self._update()

    def set_checked(self, act: Act, checked: bool) -> None:
        """Whether what this unfolds is unfolded."""
        (self._checked.add if checked else self._checked.discard)(act)
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Whether the conversation must not be rewritten now."""
        self._busy = busy
        self._update()

    def tell_copied(self) -> None:
        """Show for a moment that the text is on the clipboard."""
        if button := self.buttons.get(Act.COPY):
            button.show_symbol("check")
            announce(button, self.tr("Copied"))
            self._copied.start()

    def _make(self, act: Act) -> IconButton:
        button = self.buttons[act] = styled(IconButton(act.value, self._words(act)), "tool")
        button.clicked.connect(lambda: self.wanted.emit(act))
        button.setCheckable(act == Act.DETAILS)
        return button

    def _update(self) -> None:
        for act, button in self.buttons.items():
            button.setChecked(act in self._checked)
            button.setEnabled(act not in self._at_end and not (self._busy and act in REWRITING))
            button.setVisible(act not in self._left_out and (self._revealed or act not in self._offered))

    def _words(self, act: Act) -> str:
        match act:
            case Act.COPY:
                return self.tr("Copy your message") if self._question else self.tr("Copy this answer")
            case Act.EDIT:
                return self.tr("Edit your message and ask again")
            case Act.AGAIN:
                return self.tr("Answer once more")
            case Act.GO_ON:
                return self.tr("Go on with this answer")
            case Act.DETAILS:
                return self.tr("Details of this answer")
            case Act.PREVIOUS:
                return self.tr("Previous version")
            case Act.NEXT:
                return self.tr("Next version")
            case Act.AUTOMATIC:
                raise ValueError("it stands below a failure alone")
