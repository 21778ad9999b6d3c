"""Plays a PC that lends: --play tray, and ready, lending, paused, snoozed, always. “heat” in a question: too hot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from idlepool.engine.events import (
    Ask,
    Command,
    Event,
    HostedStages,
    LendingChanged,
    LendingRules,
    LentLayers,
    SetLending,
    Snooze,
    StopLending,
)
from idlepool.engine.local_events import SpeaksForNode

IDLE = LendingChanged("when_idle", True, "idle", "This PC lends: nobody uses it.", rules=LendingRules())


def lent(name: str = "PC-3", model: str = "llama-3.1-8b", *, minutes: int = 12) -> LentLayers:
    since = datetime.now().astimezone() - timedelta(minutes=minutes)
    return LentLayers(model, 12, 24, "c" * 64, name, since, 2_400_000_000)


class LendingPart:
    """Takes the owner's commands as the node does."""

    def __init__(self) -> None:
        self.told = IDLE
        self.active = False

    def start(self, play: Sequence[str], say) -> None:
        self.active = "tray" in play
        for word in play if self.active else ():
            match word:
                case "attached":
                    say(SpeaksForNode())
                case "ready":
                    self.tell(say)
                case "lending":
                    self.tell(say)
                    say(HostedStages((lent(), lent("attic", "qwen3-30b", minutes=75))))
                case "paused":
                    self.tell(
                        say, lends=False, reason="user active", sentence="This PC lends nothing: somebody uses it."
                    )
                case "snoozed":
                    self.snooze(datetime.now().astimezone() + timedelta(minutes=28), say)
                case "always":
                    self.tell(say, mode="always", reason="always", rules=None)

    def obey(self, command: Command, say) -> None:
        match command if self.active else None:
            case Ask(messages=messages) if "heat" in messages[-1].content:
                self.tell(say, lends=False, reason="too hot", sentence="This PC lends nothing: it is too hot.")
            case SetLending(rules=rules):
                lends = rules.mode != "never"
                reason = {"when_idle": "idle"}.get(rules.mode, rules.mode)
                self.tell(say, mode=rules.mode, rules=rules, lends=lends, reason=reason)
            case Snooze(until=until):
                self.snooze(until, say)
            case StopLending():
                say(HostedStages())
                self.snooze(datetime.now().astimezone() + timedelta(hours=1), say)

    def snooze(self, until: datetime | None, say) -> None:
        reason = "snoozed" if until else "idle"
        self.tell(say, lends=until is None, reason=reason, until=until, snoozed_until=until)

    def tell(self, say, **changes: object) -> None:
        self.told = msgspec.structs.replace(self.told, **changes)
        event: Event = self.told
        say(event)
