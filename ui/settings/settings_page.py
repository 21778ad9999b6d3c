"""The settings: all sections below one another, and their names beside the page to go to one of them."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from idlepool.engine.machine_events import WantMachineFacts
from idlepool.ui.node_state import NodeState
from idlepool.ui.page import MARGIN, Page
from idlepool.ui.preferences import Preferences
from idlepool.ui.settings.about_section import AboutSection
from idlepool.ui.settings.editor import lending_editor, node_editor
from idlepool.ui.settings.lending_section import LendingSection
from idlepool.ui.settings.node_sections import ApiSection, NetworkSection
from idlepool.ui.settings.pool_section import PoolSection
from idlepool.ui.settings.rows import Section
from idlepool.ui.settings.section_list import SectionList
from idlepool.ui.settings.undo_line import UndoLine
from idlepool.ui.settings.wheel_guard import WheelGuard
from idlepool.ui.settings.window_section import StartsWithPc, WindowSection

TOP: Final = 16
"""Pixels above the section that was gone to."""


class SettingsPage(QWidget):
    """`section_list` belongs into the sidebar; without it everything is reached by scrolling."""

    pair_requested = Signal()
    introduction_requested = Signal()
    report_requested = Signal()

    def __init__(self, state: NodeState, preferences: Preferences, autostart: StartsWithPc | None = None) -> None:
        super().__init__()
        self.state = state
        self.undo = UndoLine()
        lending, node = lending_editor(state, self.undo), node_editor(state, self.undo)
        self.lending = LendingSection(state, lending)
        self.pool = PoolSection(state, node)
        self.network = NetworkSection(state, node)
        self.api = ApiSection(state, node)
        self.look = WindowSection(preferences, autostart)
        self.about = AboutSection(preferences.folder)
        self.sections: tuple[Section, ...] = (
            self.lending,
            self.pool,
            self.network,
            self.api,
            self.look,
            self.about,
        )
        self.section_list = SectionList([section.title for section in self.sections])
        self._build()
        self._connect()

    def show_section(self, number: int) -> None:
        """Scroll to a section, and let the keyboard go on from there."""
        section = self.sections[number]
        self.area.verticalScrollBar().setValue(self._top_of(section) - TOP if number else 0)
        self.section_list.mark(number)  # also one of the last, which cannot be scrolled to the top
        controls = (widget for widget in _focus_chain(section) if section.isAncestorOf(widget))
        first = next((c for c in controls if c.focusPolicy() & Qt.FocusPolicy.TabFocus and c.isVisible()), section)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_language(self) -> None:
        """Scroll to the choice of the language."""
        self.show_section(self.sections.index(self.look))
        self.look.language.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask what this PC is, as of now."""
        super().showEvent(event)
        self.state.bridge.send(WantMachineFacts())

    def _build(self) -> None:
        self.area = Page()
        self.area.begin(self.tr("Settings"))
        self.area.column.setSpacing(MARGIN)
        for section in self.sections:
            self.area.column.addWidget(section)
        self.area.column.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.area, 1)
        column.addWidget(self.undo)
        WheelGuard(self)

    def _connect(self) -> None:
        self.section_list.chosen.connect(self.show_section)
        self.area.verticalScrollBar().valueChanged.connect(self._mark)
        self.pool.pair_requested.connect(self.pair_requested)
        self.look.introduction_requested.connect(self.introduction_requested)
        self.about.report_requested.connect(self.report_requested)
        self.state.ready_changed.connect(self._on_ready)

    def _on_ready(self, ready: bool) -> None:
        if ready:
            self.state.bridge.send(WantMachineFacts())
        else:
            self.undo.forget()

    def _mark(self, scrolled: int) -> None:
        """The section that is read: at the top of what is seen where the page begins, at its bottom where it ends."""
        bar = self.area.verticalScrollBar()
        read = scrolled + scrolled * bar.pageStep() // max(1, bar.maximum())
        above = [number for number, section in enumerate(self.sections) if self._top_of(section) <= read]
        self.section_list.mark(above[-1] if above else 0)

    def _top_of(self, section: Section) -> int:
        content = self.area.widget()
        assert content is not None
        return section.mapTo(content, section.rect().topLeft()).y()


def _focus_chain(start: QWidget) -> Iterator[QWidget]:
    """All widgets of the window in the order of Tab, from the one after `start` on."""
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        yield widget
        widget = widget.nextInFocusChain()
