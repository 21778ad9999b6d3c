"""The kinds of the last events of the node, for a report: what happened, and nothing of what was said."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject

from idlepool.engine.events import (
    AnswerDone,
    AnswerStarted,
    AnswerText,
    Event,
    LendingChanged,
    ModelsChanged,
    PipelineChanged,
    PoolChanged,
)
from idlepool.engine.local_events import Here
from idlepool.ui.bridge import Bridge

MOST: Final = 60


@dataclass(frozen=True, slots=True)
class Happened:
    """`words` are of this program alone: kinds, states and numbers. `times`: how often in a row."""

    at_s: float
    words: str
    times: int = 1


class EventTrace(QObject):
    """Watches a bridge from the start. Numbers of one kind that follow one another are one line."""

    def __init__(self, bridge: Bridge, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(bridge)
        self._clock = clock
        self._happened: deque[Happened] = deque(maxlen=MOST)
        bridge.received.connect(self.note)
        bridge.node_ended.connect(lambda _: self._add("the node ended"))

    def note(self, event: Event) -> None:
        """An event came; that the node is there is no news."""
        if not isinstance(event, Here):
            self._add(words_of(event))

    def lines(self) -> list[str]:
        """The newest last, each with the seconds since then."""
        now = self._clock()
        return [
            f"{now - event.at_s:7.0f} s ago  {event.words}" + (f"  ({event.times} times)" if event.times > 1 else "")
            for event in self._happened
        ]

    def _add(self, words: str) -> None:
        last = self._happened[-1] if self._happened else None
        if last and last.words == words:
            self._happened[-1] = Happened(self._clock(), words, last.times + 1)
        else:
            self._happened.append(Happened(self._clock(), words))


def words_of(event: Event) -> str:
    """The kind of an event, and of its fields those whose values this program knows: no text comes through."""
    kind = str(event.__struct_config__.tag)
    match event:
        case AnswerText():
            return kind
        case AnswerStarted():
            return (
                f"{kind}: {event.prompt_tokens} of {event.context} tokens, {event.dropped_messages} messages left out"
            )
        case AnswerDone():
            return f"{kind}: {event.finish}, {len(event.token_ids)} tokens, {event.tokens_per_second:.1f}/s"
        case PoolChanged():
            return f"{kind}: {sum(peer.present for peer in event.peers)} of {len(event.peers)} PCs present"
        case PipelineChanged():
            spans = ", ".join(f"[{stage.first}, {stage.last})" for stage in event.stages)
            return f"{kind}: {event.state} {spans}".rstrip()
        case ModelsChanged():
            return f"{kind}: {len(event.models)}"
        case LendingChanged():
            return f"{kind}: {event.mode}, {'lends' if event.lends else 'lends nothing'}"
    return kind
