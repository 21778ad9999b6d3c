"""What a pipeline waits for until all its stages are ready: which PCs, what they do, and since when. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from idlepool.engine.events import StageInfo

WORTH_SAYING_S = 3
"""From then on it is said who is waited for."""

DOING = {
    "waiting": "has not begun",
    "fetching": "fetches its layers",
    "loading": "loads its layers",
    "compiling": "prepares its layers",
}


class Preparation:
    """Remembers when each stage began what it does. Times are in seconds, of any clock that only rises."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[str, float]] = {}

    def timed(self, stages: Sequence[StageInfo], now: float) -> list[StageInfo]:
        """The stages, each with the whole seconds since it began what it does; none for one that is ready or lost."""
        return [msgspec.structs.replace(stage, phase_s=int(now - self._begun(stage, now))) for stage in stages]

    def _begun(self, stage: StageInfo, now: float) -> float:
        if stage.phase not in DOING:
            return now
        phase, since = self._since.get(stage.node, ("", now))
        if phase != stage.phase:
            since = now
            self._since[stage.node] = stage.phase, since
        return since


def waited_for(stages: Sequence[StageInfo]) -> str:
    """Who is not ready yet, as a sentence; empty where that takes no time worth speaking of."""
    slow = [stage for stage in stages if stage.phase in DOING and stage.phase_s >= WORTH_SAYING_S]
    if not slow:
        return ""
    names = ", ".join(f"{stage.name} ({DOING[stage.phase]}, {stage.phase_s} s)" for stage in slow)
    return f"Waiting for {names}."
