"""How fast a chain of played PCs is: the costs of the planner's model, with what each PC really does instead of what
was measured of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from idlepool.engine.decode.scheduler import PREFILL_CHUNK, SHARED_CHUNK
from idlepool.engine.pool.plan_costs import Besides
from idlepool.engine.simulation.machines import Machine


@dataclass(frozen=True, slots=True)
class Pace:
    """`stages`: each PC with the bytes of weights that a token meets there, the head first."""

    stages: Sequence[tuple[Machine, float]]
    row_bytes: int
    """Of a token, on the wire."""
    besides: Besides = field(default_factory=Besides)

    def token_ms(self, users: int, *, beside_prompt: bool) -> float:
        """Between two tokens of each of the users, whose frames go through the stages one behind another.

        A step goes the whole round, and no stage takes more than one frame at a time; where there are more users than
        stages they share frames. Beside a prompt each frame brings a piece of it along.
        """
        rows = math.ceil(users / len(self.stages)) + (SHARED_CHUNK if beside_prompt else 0)
        round_ms, slowest_ms = self._through(rows)
        return max(round_ms, min(len(self.stages), users) * slowest_ms)

    def prompt_ms(self, tokens: int, *, alone: bool) -> float:
        """Until the token after a prompt: its pieces follow one another through the stages."""
        chunk = PREFILL_CHUNK if alone else SHARED_CHUNK
        round_ms, slowest_ms = self._through(min(tokens, chunk))
        return round_ms + (math.ceil(tokens / chunk) - 1) * slowest_ms

    def _through(self, rows: int) -> tuple[float, float]:
        """A frame of so many rows: through everything and back, and through the slowest stage."""
        steps = [machine.step_ms(weights, rows) for machine, weights in self.stages]
        if len(self.stages) == 1:
            return steps[0], steps[0]
        steps[0] += self.besides.head_ms
        way_ms = sum(self._way_ms(one, other, rows) for (one, _), (other, _) in pairwise(self.stages))
        way_ms += self._way_ms(self.stages[-1][0], self.stages[0][0], 0)  # chosen ids weigh nothing
        return sum(steps) + way_ms, max(steps)

    def _way_ms(self, one: Machine, other: Machine, rows: int) -> float:
        carried_ms = 1e3 * rows * self.row_bytes / min(one.net_bytes_s, other.net_bytes_s)
        return one.link_ms + other.link_ms + carried_ms + self.besides.hop_ms
