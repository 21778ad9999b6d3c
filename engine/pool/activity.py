"""What this PC does at the moment, in the words of its heartbeats."""

from __future__ import annotations

import time
from collections.abc import Callable

from idlepool.engine.net.frames import Frame
from idlepool.engine.net.messages import Message, StageLeaving, StageLost, StageProgress, StageReady
from idlepool.engine.net.presence_messages import Heartbeat, Phase
from idlepool.engine.types import SessionId

COMPUTES_S = 1.5
"""After a frame a PC counts as computing: longer than between two heartbeats, so that none misses it."""

PREFILL_ROWS = 32
"""Rows of one sequence in a frame that are no guesses any more, but a prompt."""


class Activity:
    """Watches the stages that are hosted here; preparing one comes before computing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._preparing: dict[SessionId, Heartbeat] = {}
        self._computes: Phase = "decoding"
        self._until = clock()

    def note(self, news: Message) -> None:
        """What a stage tells its head."""
        match news:
            case StageProgress(session=session, phase=phase, done=done, total=total):
                self._preparing[SessionId(session)] = Heartbeat(phase, done, total)
            case StageReady(session=session) | StageLeaving(session=session) | StageLost(session=session):
                self.over(SessionId(session))

    def compute(self, frame: Frame) -> None:
        """A stage got a frame to compute."""
        prompt = any(segment.count >= PREFILL_ROWS for segment in frame.segments)
        self._computes = "prefill" if prompt else "decoding"
        self._until = self._clock() + COMPUTES_S

    def over(self, session: SessionId) -> None:
        """A stage is prepared, or will never be."""
        self._preparing.pop(session, None)

    @property
    def idle(self) -> bool:
        """Whether nothing is done for anybody."""
        return self.heartbeat().phase == "idle"

    def heartbeat(self, read: tuple[int, int] = (0, 0)) -> Heartbeat:
        """What to tell the others now. `read`: tokens of prompts that this PC as a head has sent, and of how many; of
        the prompts of other heads a stage does not know how long they are."""
        if self._preparing:
            return next(iter(self._preparing.values()))
        if self._clock() >= self._until:
            return Heartbeat()
        return Heartbeat(self._computes, *read) if self._computes == "prefill" else Heartbeat(self._computes)
