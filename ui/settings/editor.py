"""What the node keeps for its owner, as it is edited: each change goes to the node at once, and can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance

from idlepool.engine.events import Command, LendingRules, SetLending
from idlepool.engine.node_preferences import NodePreferences, SetNodePreferences
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.undo_line import UndoLine

Kept = TypeVar("Kept")


class Editor(QObject, Generic[Kept]):
    """`told` reads what the node said last, `news` comes with it, `command` makes the node keep another one."""

    changed = Signal()
    """`value` is another one, or none."""

    def __init__(
        self,
        state: NodeState,
        undo: UndoLine | None = None,
        *,
        told: Callable[[], Kept | None],
        news: SignalInstance,
        command: Callable[[Kept], Command],
    ) -> None:
        super().__init__(state)
        self._bridge = state.bridge
        self._undo = undo
        self._told = told
        self._command = command
        self._wanted: Kept | None = None
        news.connect(self._on_news)
        state.ready_changed.connect(self._on_ready)

    @property
    def value(self) -> Kept | None:
        """What was wanted last: until the node has said so too, older news of it does not show. None: unknown."""
        return self._wanted if self._wanted is not None else self._told()

    def change(self, value: Kept, what: str) -> None:
        """Let this hold from now on. `what` names the setting for whoever wants it back."""
        before = self.value
        if before is None or value == before:
            return
        self._send(value)
        if self._undo is not None:
            self._undo.offer(what, lambda: self._send(before))

    def _send(self, value: Kept) -> None:
        self._wanted = value
        self._bridge.send(self._command(value))
        self.changed.emit()

    def _on_news(self) -> None:
        if self._told() == self._wanted:
            self._wanted = None
        self.changed.emit()

    def _on_ready(self) -> None:
        self._wanted = None
        self.changed.emit()


def lending_editor(state: NodeState, undo: UndoLine | None = None) -> Editor[LendingRules]:
    """Of the owner's rules; unknown where the node was started to lend always."""
    return Editor(
        state,
        undo,
        told=lambda: state.lending.rules if state.lending else None,
        news=state.lending_changed,
        command=SetLending,
    )


def shown_rules(state: NodeState, editor: Editor[LendingRules]) -> LendingRules:
    """What a view of the rules shows: the owner's, as far as they are known; else the mode that holds."""
    if editor.value is None and state.lending is not None:
        return LendingRules(mode=state.lending.mode)
    return editor.value or LendingRules()


def node_editor(state: NodeState, undo: UndoLine | None = None) -> Editor[NodePreferences]:
    """Of what the owner chose for the node beside those."""
    return Editor(
        state,
        undo,
        told=lambda: state.node_preferences.preferences if state.node_preferences else None,
        news=state.node_preferences_changed,
        command=SetNodePreferences,
    )
