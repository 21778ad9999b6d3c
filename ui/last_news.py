"""What the node told of how things are, kept so that a window that is made later can be told it too."""

from __future__ import annotations

from typing import Final

from idlepool.engine.events import (
    Event,
    HostedStages,
    LendingChanged,
    ModelsChanged,
    NodePreferencesChanged,
    NodeReady,
    PipelineChanged,
    PoolChanged,
    Trouble,
)
from idlepool.engine.local_events import SpeaksForNode
from idlepool.engine.machine_events import MachineFacts
from idlepool.engine.model_events import AddingChanged, CatalogueTold, ModelDetails
from idlepool.engine.pairing_events import MembersChanged
from idlepool.engine.plan_events import OwnPlans

_STATES: Final = (
    SpeaksForNode,
    NodeReady,
    ModelsChanged,
    PoolChanged,
    MembersChanged,
    PipelineChanged,
    LendingChanged,
    HostedStages,
    NodePreferencesChanged,
    MachineFacts,
    OwnPlans,
    ModelDetails,
    CatalogueTold,
    AddingChanged,
)
"""Events that say how things are. All others say that something happened, or answer a view that asks again."""


MOST_TROUBLES: Final = 8
"""More are not in sight at a time."""


class LastNews:
    """The latest of each kind as the node said it, in the order in which the kinds were first told."""

    def __init__(self) -> None:
        self._events: dict[tuple[type[Event], str], Event] = {}
        self._troubles: list[tuple[Trouble, Trouble]] = []

    def note(self, event: Event, *, told: Event) -> None:
        """Keep it, if it is of that sort; `told`: as the window heard it."""
        if isinstance(event, _STATES):
            model = event.model if isinstance(event, PipelineChanged) else ""
            self._events[type(event), model] = event
        if isinstance(event, Trouble) and isinstance(told, Trouble):
            self._troubles = [*self._troubles, (told, event)][-MOST_TROUBLES:]

    def original(self, trouble: Trouble) -> Trouble:
        """What the node said where the window heard this."""
        return next((said for told, said in reversed(self._troubles) if told == trouble), trouble)

    def forget(self) -> None:
        """The node is another one."""
        self._events.clear()

    @property
    def events(self) -> tuple[Event, ...]:
        """What to tell."""
        return tuple(self._events.values())
