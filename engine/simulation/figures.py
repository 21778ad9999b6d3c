"""What is counted while a pool is played, and the report that it becomes."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

SERIES_STEP_S = 600.0

Report = dict[str, Any]
"""What `--json` prints."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the pool stands from `at_s` on."""

    at_s: float
    on: int
    """PCs in the office that are switched on."""
    lending: int
    possible: bool
    """Whether a plan exists for those that lend."""
    ready: bool
    """Whether a pipeline is loaded."""


@dataclass(slots=True)
class Figures:
    """Counted up from the beginning."""

    standings: list[Standing] = field(default_factory=list)
    opened_s: list[float] = field(default_factory=list)
    """When pipelines were planned; all but the first in place of one that broke."""
    breaks: Counter[str] = field(default_factory=Counter)
    """How often a pipeline broke, and why."""
    loads: int = 0
    taken_over: int = 0
    """Stages that were still loaded."""
    fetched_bytes: int = 0
    ahead_bytes: int = 0
    activation_bytes: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    """How questions ended."""
    tokens: int = 0
    lost_tokens: int = 0
    pauses_s: list[float] = field(default_factory=list)
    """From the last token before a break to the next one, where a plan was possible at once."""
    waits_s: list[float] = field(default_factory=list)
    """The same where PCs had to be waited for."""
    first_token_s: list[float] = field(default_factory=list)
    token_ms: Counter[int] = field(default_factory=Counter)
    """How many tokens took how long, without those after a break."""

    def stand(self, standing: Standing) -> None:
        """It stands so from now on."""
        if self.standings and self.standings[-1].at_s == standing.at_s:
            self.standings.pop()
        self.standings.append(standing)

    def report(self, until_s: float) -> Report:
        """All of it up to the end."""
        share = _Shares(self.standings, until_s)
        lending = [standing.lending for standing in self.standings]
        return {
            "availability": round(share.mean(lambda now: now.possible), 5),
            "ready": round(share.mean(lambda now: now.ready), 5),
            "lending": {
                "mean": round(share.mean(lambda now: now.lending), 1),
                "least": min(lending),
                "most": max(lending),
            },
            "questions": {name: self.outcomes[name] for name in sorted(self.outcomes)},
            "tokens": self.tokens,
            "lost_tokens": self.lost_tokens,
            "replans": len(self._replans_s),
            "breaks": dict(sorted(self.breaks.items())),
            "stages": {"loaded": self.loads, "taken_over": self.taken_over},
            "bytes": {
                "fetched": self.fetched_bytes,
                "fetched_ahead": self.ahead_bytes,
                "activations": self.activation_bytes,
            },
            "pauses_s": _spread(self.pauses_s),
            "waits_for_pcs_s": _spread(self.waits_s),
            "first_token_s": _spread(self.first_token_s),
            "token_ms": _spread(list(self.token_ms.elements())),
            "series": self._series(until_s),
        }

    @property
    def _replans_s(self) -> list[float]:
        return self.opened_s[1:]

    def _series(self, until_s: float) -> Report:
        """Means over each SERIES_STEP_S, and re-plans in each hour."""
        steps = [SERIES_STEP_S * number for number in range(int(-(-until_s // SERIES_STEP_S)))]
        parts = [_Shares(self.standings, min(until_s, step + SERIES_STEP_S), from_s=step) for step in steps]
        hours = Counter(int(time // 3600) for time in self._replans_s)
        return {
            "hours": [round(step / 3600, 3) for step in steps],
            "on": [round(part.mean(lambda now: now.on), 1) for part in parts],
            "lending": [round(part.mean(lambda now: now.lending), 1) for part in parts],
            "availability": [round(part.mean(lambda now: now.possible), 4) for part in parts],
            "ready": [round(part.mean(lambda now: now.ready), 4) for part in parts],
            "replans_each_hour": [hours[hour] for hour in range(int(-(-until_s // 3600)))],
        }


class _Shares:
    """Means over a stretch of time."""

    def __init__(self, standings: Sequence[Standing], until_s: float, *, from_s: float = 0.0) -> None:
        first = max(0, bisect_right(standings, from_s, key=lambda standing: standing.at_s) - 1)
        last = bisect_right(standings, until_s, key=lambda standing: standing.at_s)
        self._standings = standings[first:last]
        borders = [from_s, *(standing.at_s for standing in self._standings[1:]), until_s]
        self._lasted = [after - before for before, after in pairwise(borders)]

    def mean(self, of: Callable[[Standing], float]) -> float:
        total = sum(of(standing) * lasted for standing, lasted in zip(self._standings, self._lasted, strict=True))
        return total / sum(self._lasted)


def _spread(values: Iterable[float]) -> Report:
    ordered = sorted(values)
    return {
        "count": len(ordered),
        "p50": _quantile(ordered, 0.5),
        "p95": _quantile(ordered, 0.95),
        "most": _quantile(ordered, 1.0),
    }


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    """The least value that so many are not above."""
    return round(ordered[max(0, -int(-share * len(ordered) // 1) - 1)], 2) if ordered else None
