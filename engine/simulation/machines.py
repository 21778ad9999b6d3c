"""The PCs of a played office: what they are, how fast, how they are connected, and what their owners allow.

Assumed, not measured: two of five are desktops, of which some are never switched off; the memory of office PCs; half to
two thirds of what their memory buses give on paper for reading weights; 3 to 14 TFLOPS of a built-in GPU for prompts;
gigabit cables and wireless networks; free disks from 60 to 600 GB.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from idlepool.engine.lending_rules import LendingMode, LendingRules
from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.disk_cap import DiskCap
from idlepool.engine.pool.plan_costs import PROFILED_TOKENS
from idlepool.engine.simulation.large_model import INT4_BYTES
from idlepool.engine.types import ModelId, NodeId, Span

FLOPS_BYTE = 2 / INT4_BYTES
"""A token multiplies and adds once for each weight."""

CABLE_BYTES_S, CABLE_MS = 110e6, 0.2
WIRELESS_BYTES_S, WIRELESS_MS = 35e6, 2.0
"""What a gigabit cable and an office's wireless network carry, and their part of the way of a frame."""

KEEPERS = 0.05
"""Of all PCs so many have the whole model: it was added there. They can head its pipeline."""


class Habit(StrEnum):
    """What happens to a PC when its owner goes home."""

    LEFT_ON = "left on"
    SWITCHED_OFF = "switched off"
    TAKEN_HOME = "taken home"


@dataclass(frozen=True, slots=True)
class Disk:
    """In bytes, without fetched layers."""

    total: int
    free: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A PC as it was bought, and its owner's rules."""

    number: int
    habit: Habit
    memory_bytes: int
    bytes_ms: float
    """Weights that it reads in a millisecond."""
    flops_ms: float
    """Operations of its matrix units in a millisecond."""
    net_bytes_s: float
    link_ms: float
    """Its part of half a round trip."""
    disk: Disk
    rules: LendingRules
    has_model: bool
    """Whether all of the model is on its disk."""

    @property
    def node(self) -> NodeId:
        """As other PCs call it."""
        return NodeId(f"{self.number:064x}")

    @property
    def name(self) -> str:
        """As people call it."""
        return f"PC {self.number + 1}"

    @property
    def usable_bytes(self) -> int:
        """What it tells others that they may have of its memory."""
        return int(self.rules.memory_share * self.memory_bytes)

    @property
    def disk_bytes(self) -> int:
        """What layers that it fetches may take on its disk."""
        return DiskCap(self.disk, 0, self.rules.disk_bytes).allowed

    def step_ms(self, weights: float, tokens: float) -> float:
        """A step through so many bytes of int4 weights: they are read once, and each token is multiplied."""
        return weights / self.bytes_ms + weights * FLOPS_BYTE * tokens / self.flops_ms

    def measured(self, model: ModelId, span: Span, weights: float) -> StepTimes:
        """What it would tell of its speed after it loaded a span."""
        times = tuple(self.step_ms(weights, tokens) for tokens in PROFILED_TOKENS)
        return StepTimes(span.first, span.last, times, model, "GPU", "paged")


def fleet(count: int, seed: int) -> list[Machine]:
    """So many PCs; each is drawn by itself, so one more changes none of the others' figures."""
    habits = [_habit(_chance(seed, number)) for number in range(count)]
    # A model is added where it stays reachable: first on what is always on, then on other desktops.
    order = sorted(range(count), key=lambda number: (list(Habit).index(habits[number]), number))
    keepers = set(order[: max(1, round(count * KEEPERS))])
    return [
        _machine(number, habit, _chance(seed, number), has_model=number in keepers)
        for number, habit in enumerate(habits)
    ]


def _chance(seed: int, number: int) -> Random:
    return Random(f"machine {seed} {number}")


def _habit(chance: Random) -> Habit:
    return chance.choices(list(Habit), (0.12, 0.28, 0.6))[0]


def _machine(number: int, habit: Habit, chance: Random, *, has_model: bool) -> Machine:
    laptop = habit is Habit.TAKEN_HOME
    sizes, shares = ((16, 32, 64), (0.5, 0.45, 0.05)) if laptop else ((16, 32, 64), (0.3, 0.6, 0.1))
    wireless = laptop and chance.random() < 0.4
    modes: list[LendingMode] = ["when_idle", "always", "never"]
    mode = chance.choices(modes, (0.88, 0.06, 0.06))[0]
    return Machine(
        number=number,
        habit=habit,
        memory_bytes=chance.choices(sizes, shares)[0] * 10**9,
        bytes_ms=chance.uniform(45e6, 85e6) if laptop else chance.uniform(40e6, 60e6),
        flops_ms=chance.uniform(6e9, 14e9) if laptop else chance.uniform(3e9, 8e9),
        net_bytes_s=WIRELESS_BYTES_S if wireless else CABLE_BYTES_S,
        link_ms=WIRELESS_MS if wireless else CABLE_MS,
        disk=Disk(total=10**12, free=int(chance.uniform(60e9, 600e9))),
        rules=LendingRules(mode=mode),
        has_model=has_model,
    )
