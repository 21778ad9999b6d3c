"""What the owner of this PC is told of those who use it: which layers it computes, for whom, and since when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from idlepool.engine.events import Event, HostedStages, LentLayers
from idlepool.engine.machine.machine import resident_bytes
from idlepool.engine.pool.hosted_stage import HostedStage
from idlepool.engine.types import ModelId, NodeId


class GuestList:
    """`tell` it whenever something may have changed: the window hears of it where something did."""

    def __init__(
        self,
        *,
        name_of: Callable[[NodeId], str],
        model_name: Callable[[NodeId, ModelId], str],
        emit: Callable[[Event], None],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        """`model_name`: what a PC calls a model; empty where that is not known."""
        self._name_of = name_of
        self._model_name = model_name
        self._emit = emit
        self._now = now
        self._loaded: dict[HostedStage, tuple[datetime, int]] = {}
        self._told = HostedStages()

    def tell(self, guests: Iterable[HostedStage]) -> None:
        """These are the stages of other PCs' pipelines."""
        loaded = {guest: self._loaded.get(guest) or self._look_at(guest) for guest in guests if guest.computes}
        self._loaded = loaded
        event = HostedStages(tuple(self._lent(guest, *seen) for guest, seen in loaded.items()))
        if event != self._told:
            self._told = event
            self._emit(event)

    def _look_at(self, guest: HostedStage) -> tuple[datetime, int]:
        return self._now(), resident_bytes(frozenset() if guest.pid is None else frozenset({guest.pid}))

    def _lent(self, guest: HostedStage, since: datetime, memory: int) -> LentLayers:
        order, head = guest.order, guest.head
        model = self._model_name(head, ModelId(order.model))
        return LentLayers(model, order.first, order.last, head, self._name_of(head), since, memory)
