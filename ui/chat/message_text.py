"""The text of one message: Markdown or plain, as tall and as wide as it needs to be, selectable, with live links.

The text is parted (`parts.py`) and each part has a widget of its own: of an answer that grows only the last part is
laid out again, and a block of code can scroll and be copied.
"""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from idlepool.ui.chat.code_block import CodeBlock
from idlepool.ui.chat.parts import Code, Part, Prose, Reader, Table, Thought
from idlepool.ui.chat.prose_view import ProseView
from idlepool.ui.chat.selection import JointSelection
from idlepool.ui.chat.text_view import TextView
from idlepool.ui.chat.thought_view import ThoughtState, ThoughtView

GAP_SHARE: Final = 0.6
"""Of the height of a line: what lies between two parts."""

PartView = ProseView | CodeBlock | ThoughtView


class MessageText(QWidget):
    """Shows one text. `fit` tells how wide it may be; it takes the size of its content by itself."""

    def __init__(self, *, markdown: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._markdown = markdown
        self._reader = Reader()
        self._parts: tuple[Part, ...] = ()
        self._views: list[PartView] = []
        self._limit = 0
        self._selection = JointSelection(lambda: self.text_views, self)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What the tab key stops at, in its order."""
        return tuple(control for view in self._views for control in _controls(view))

    @property
    def text_views(self) -> tuple[TextView, ...]:
        """What can be selected, from top to bottom."""
        return tuple(text for view in self._views for text in _text_views(view))

    @property
    def views(self) -> tuple[PartView, ...]:
        """The widgets of the parts, from top to bottom."""
        return tuple(self._views)

    @property
    def thoughts(self) -> dict[int, ThoughtState]:
        """How the thoughts are seen, by the number of their part."""
        return {number: view.state for number, view in enumerate(self._views) if isinstance(view, ThoughtView)}

    def restore_thoughts(self, states: Mapping[int, ThoughtState]) -> None:
        """Show thoughts as they were seen in an earlier widget of the same text."""
        for number, view in enumerate(self._views):
            if isinstance(view, ThoughtView) and number in states:
                view.restore(states[number])

    def show_text(self, source: str) -> None:
        """Replace the text. Where it only grew, no more is laid out anew than its last part."""
        parts: tuple[Part, ...] = self._reader.read(source) if self._markdown else (Prose(source),)
        for number, part in enumerate(parts):
            if number >= len(self._parts) or self._parts[number] != part:
                self._show_part(number, part)
        for view in self._views[len(parts) :]:
            view.hide()
            view.deleteLater()
        del self._views[len(parts) :]
        self._parts = parts
        self._arrange()

    def fit(self, limit: int) -> None:
        """Take the size of the content, at most `limit` pixels wide."""
        if limit != self._limit:
            self._limit = limit
            for view in self._views:
                view.fit(limit)
            self._arrange()

    def toPlainText(self) -> str:
        """What is shown, without its marks and without folded thoughts."""
        return "\n".join(view.toPlainText() for view in self.text_views)

    def setAccessibleName(self, name: str) -> None:
        """Say whose text it is; a screen reader stops at the texts inside."""
        super().setAccessibleName(name)
        for view in self._views:
            if isinstance(view, ProseView):
                view.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        """The size of the content."""
        return self.minimumSize()

    def _show_part(self, number: int, part: Part) -> None:
        if number >= len(self._views):
            self._views.append(self._add_view(number, part))
        elif not _serves(self._views[number], part):
            outdated = self._views[number]
            outdated.hide()
            outdated.deleteLater()
            self._views[number] = self._add_view(number, part)
        match self._views[number], part:
            case ProseView() as view, Prose() if not self._markdown:
                view.show_plain(part.source)
            case ProseView() as view, Prose() | Table():
                view.show_part(part)
            case CodeBlock() as block, Code():
                block.show_part(part)
            case ThoughtView() as thoughts, Thought():
                thoughts.show_part(part)

    def _add_view(self, number: int, part: Part) -> PartView:
        view = self._make_view(number, part)
        view.setParent(self)
        view.fit(self._limit)
        if not isinstance(view, ThoughtView):
            for text in _text_views(view):
                self._selection.watch(text)
        before = [self, *(control for each in self._views[:number] for control in _controls(each))][-1]
        for one, next_one in pairwise((before, *_controls(view))):
            QWidget.setTabOrder(one, next_one)
        view.show()
        return view

    def _make_view(self, number: int, part: Part) -> PartView:
        match part:
            case Code():
                return CodeBlock()
            case Thought():
                thoughts = ThoughtView(lambda: MessageText(markdown=True))
                thoughts.resized.connect(self._arrange)
                return thoughts
        prose = ProseView(first=number == 0)
        prose.setAccessibleName(self.accessibleName())
        return prose

    def _arrange(self) -> None:
        gap = round(self.fontMetrics().height() * GAP_SHARE)
        top, width = 0, 0
        for view in self._views:
            view.adjustSize()
            view.move(0, top)
            top += view.height() + gap
            width = max(width, view.width())
        self.setFixedSize(width, max(0, top - gap))


def _serves(view: PartView, part: Part) -> bool:
    match part:
        case Code():
            return isinstance(view, CodeBlock)
        case Thought():
            return isinstance(view, ThoughtView)
    return isinstance(view, ProseView)


def _controls(view: PartView) -> tuple[QWidget, ...]:
    return (view,) if isinstance(view, ProseView) else view.controls


def _text_views(view: PartView) -> tuple[TextView, ...]:
    return (view,) if isinstance(view, ProseView) else view.text_views
