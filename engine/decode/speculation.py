"""How many guesses pay: the control of one sequence's draft length K, from what was measured. Pure.

With p the chance that a guess is right given that those before it were, a step that carries K guesses yields
E(K) = 1 + p + ... + p^K = (1 - p^(K+1)) / (1 - p) tokens: the guesses up to the first wrong one, and the id that the
tail picks after them. Leviathan, Kalman and Matias, "Fast Inference from Transformers via Speculative Decoding" (2023):
equation 1; theorem 3.8 and section 3.5 for the best length. They take a step to cost the same whatever its rows; here
it costs what was measured, so K is what maximises

    E(K) / (step(K + 1) + K draft + link)        tokens a millisecond

and 0 is among the choices.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, combinations
from statistics import median


class StepCost:
    """Milliseconds of a step with n rows, fitted as a + b n to the latest steps.

    Steps of about the same size are summed up by their median, and the line goes through those by a weighted median of
    slopes (Theil, 1950; Sen, 1968): a step that waited for something else does not move it. Steps of more rows than
    `most_rows` are left out: a chunk of a prompt is bound by arithmetic, a step of few rows by reading weights.
    """

    ROWS_OF_FIXED = 32
    """Until steps of two sizes were seen a + b n is taken to be b (32 + n): models on CPUs have 20 to 50."""

    STEPS_TO_BELIEVE = 6
    """Of another size, until they outweigh that: after a single slow one no longer step would be tried again."""

    def __init__(self, *, remembered: int = 96, most_rows: int = 128) -> None:
        self._steps: deque[tuple[int, float]] = deque(maxlen=remembered)
        self._most_rows = most_rows
        self._fixed, self._slope = 0.0, 0.0
        self._stale = False

    def add(self, rows: int, milliseconds: float) -> None:
        """A step with so many rows took so long."""
        if 0 < rows <= self._most_rows and milliseconds >= 0:
            self._steps.append((rows, milliseconds))
            self._stale = True

    def ms(self, rows: int) -> float:
        """What a step with so many rows is expected to take; 0.0 before any was measured."""
        if self._stale:
            self._fixed, self._slope = self._fit()
            self._stale = False
        return self._fixed + self._slope * rows

    def _fit(self) -> tuple[float, float]:
        sizes: dict[int, list[tuple[int, float]]] = {}
        for step in list(self._steps):  # at one go: a drafter adds from its thread
            sizes.setdefault(step[0].bit_length(), []).append(step)
        points = [(median(r for r, _ in same), median(ms for _, ms in same), len(same)) for same in sizes.values()]
        rows, milliseconds, most = max(points, key=lambda point: point[2])
        slopes = [((y2 - y1) / (x2 - x1), n1 * n2) for (x1, y1, n1), (x2, y2, n2) in combinations(points, 2)]
        slopes.append((milliseconds / (self.ROWS_OF_FIXED + rows), most * self.STEPS_TO_BELIEVE))
        slope = max(0.0, _weighted_median(slopes))
        return max(0.0, _weighted_median((y - slope * x, n) for x, y, n in points)), slope


@dataclass(frozen=True, slots=True)
class Costs:
    """What a step and a guess cost at the moment, in milliseconds."""

    step: StepCost
    draft_ms: float = 0.0
    """One drafted token, see Drafter.cost_ms."""
    link_ms: float = 0.0
    """A round trip over the links, where `step` does not contain it."""
    sequences: int = 1
    """How many share a step, and are taken to draft alike: each further guess then costs so many rows."""
    guessing: StepCost | None = None
    """Steps with guesses among their rows, if they were measured apart: attention over several new tokens is another
    kernel, which one guess in a frame makes all its sequences take."""

    def round_ms(self, length: int) -> float:
        """A step whose sequences carry `length` guesses each."""
        rows = self.sequences * (length + 1)
        step_ms = self.guessing_ms(rows) if length else self.step.ms(rows)
        return step_ms + length * self.draft_ms + self.link_ms

    def least_hope(self, p: float, length: int) -> float:
        """The chance of being right, with all before it, from which one more guess pays where steps carry `length`.

        It costs its drafting and a row, and brings with that chance a token, which takes round_ms / E(K) otherwise.
        """
        rows = self.sequences * (length + 1)
        row_ms = max(0.0, self.guessing_ms(rows + 1) - self.guessing_ms(rows))
        token_ms = self.round_ms(length) / expected_tokens(p, length)
        return min(1.0, (self.draft_ms + row_ms) / token_ms) if token_ms > 0 else 1.0

    def guessing_ms(self, rows: int) -> float:
        """A step of so many rows with guesses among them; before any was measured, what a plain one would take."""
        return (self.guessing.ms(rows) if self.guessing else 0.0) or self.step.ms(rows)


@dataclass(frozen=True, slots=True)
class SpeculationLimits:
    """How long guesses may be, and how quickly experience is gained and forgotten."""

    longest: int = 15
    prior: float = 0.6
    """What p is taken for at first, with the weight of `least_weight` tested guesses."""
    least_weight: float = 4.0
    memory: float = 32.0
    """Tested guesses after which one counts a third: texts change from prose to code and back."""
    probe: int = 2
    """Guesses now and then where none pay, to see whether they would again."""
    probe_share: float = 0.01
    """Of the time, at most, goes into probes."""
    probe_gap: int = 8
    """Steps between two probes, at least."""


class Speculation:
    """K control of one sequence: ask `length` before each step, tell `landed` after it."""

    def __init__(self, limits: SpeculationLimits = SpeculationLimits()) -> None:
        self._limits = limits
        self._tested = limits.least_weight
        self._accepted = limits.least_weight * limits.prior
        self._plain_ms = 0.0
        """Time of steps without guesses since the last probe."""

    @property
    def acceptance(self) -> float:
        """The chance p that a guess is right where those before it were."""
        return self._accepted / self._tested

    def length(self, costs: Costs) -> int:
        """How many guesses the next step should carry; 0 where none pay, and before any step was measured."""
        if costs.round_ms(0) <= 0:
            return 0
        best = _best_length(self.acceptance, costs, self._limits.longest)
        if best:
            self._plain_ms = 0.0
            return best
        return self._plain_or_probe(costs)

    def landed(self, proposed: int, accepted: int) -> None:
        """The tail judged `proposed` guesses and the first `accepted` were right.

        A geometric distribution, cut off: the guesses after the first wrong one were never tested, and all being right
        tells nothing of the next. So `accepted` successes were seen, and one failure unless all were right: their
        share is the estimate of largest likelihood. Older ones count exponentially less.
        """
        if not 0 <= accepted <= proposed:
            raise ValueError(f"{accepted} of {proposed} guesses accepted")
        tested = accepted + (accepted < proposed)
        self._forget((1 - 1 / self._limits.memory) ** tested)
        self._tested += tested
        self._accepted += accepted

    def _plain_or_probe(self, costs: Costs) -> int:
        """0, or rarely a short guess where there is an acceptance with which guesses would pay."""
        plain_ms, probe = costs.round_ms(0), min(self._limits.probe, self._limits.longest)
        self._plain_ms += plain_ms
        # What is known of p grows old with the text, tested or not, so that a probe weighs more after a long while.
        self._forget(1 - 1 / self._limits.memory)
        extra_ms = costs.round_ms(probe) - plain_ms
        due = self._plain_ms >= max(extra_ms / self._limits.probe_share, self._limits.probe_gap * plain_ms)
        if not due or not _best_length(1.0, costs, self._limits.longest):
            return 0
        self._plain_ms = 0.0
        return probe

    def _forget(self, factor: float) -> None:
        """Let the past count less, but never less than `least_weight` guesses."""
        factor = max(factor, min(1.0, self._limits.least_weight / self._tested))
        self._tested *= factor
        self._accepted *= factor


def expected_tokens(p: float, length: int) -> float:
    """E(K): what a step with so many guesses yields."""
    return sum(p**right for right in range(length + 1))


def _best_length(p: float, costs: Costs, longest: int) -> int:
    """The K in [0, longest] that maximises E(K) / round_ms(K); the smallest of equal ones."""
    best, best_rate = 0, 1 / costs.round_ms(0)
    expected = power = 1.0
    for length in range(1, longest + 1):
        power *= p
        expected += power
        rate = expected / costs.round_ms(length)
        if rate > best_rate:
            best, best_rate = length, rate
    return best


def _weighted_median(values: Iterable[tuple[float, int]]) -> float:
    """The middle of (value, weight) pairs: half of the weight lies on either side."""
    ordered = sorted(values)
    reached = list(accumulate(weight for _, weight in ordered))
    return next(value for (value, _), weight in zip(ordered, reached, strict=True) if 2 * weight >= reached[-1])
