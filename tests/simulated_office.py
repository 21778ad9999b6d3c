"""Small offices for tests of the simulator: PCs that are all alike, and what happens at them."""

from __future__ import annotations

from idlepool.engine.lending_rules import LendingRules
from idlepool.engine.simulation.figures import Figures
from idlepool.engine.simulation.kept_layers import LayerSizes
from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.simulation.machines import Disk, Habit, Machine
from idlepool.engine.simulation.planning import Planning
from idlepool.engine.simulation.played_pc import PlayedPc
from idlepool.engine.simulation.played_pool import PlayedPool
from idlepool.engine.simulation.presence import Moment

SHAPE = Shape(layers=12)
MANIFEST = SHAPE.manifest()
SIZES = LayerSizes(MANIFEST)

IDLE, USED, OFF, SILENT, BATTERY = "idle", "used", "off", "silent", "battery"
"""What can be at a PC."""


def moment(what: str, at_s: float = 0.0) -> Moment:
    return Moment(
        at_s=at_s,
        on=what not in (OFF, SILENT),
        used=what == USED,
        battery=what == BATTERY,
        full_screen=False,
        snoozed_until_s=0.0,
        told=what != SILENT,
    )


def machine(number: int, *, gigabytes: float, has_model: bool = False, mode: str = "when_idle") -> Machine:
    """`gigabytes` are what it lends. A token takes 100 ms through the whole model."""
    return Machine(
        number=number,
        habit=Habit.LEFT_ON,
        memory_bytes=int(2e9 * gigabytes),
        bytes_ms=MANIFEST.weights_bytes / 100,
        flops_ms=1e12,
        net_bytes_s=1e9,
        link_ms=0.1,
        disk=Disk(10**12, 10**12),
        rules=LendingRules(mode=mode),
        has_model=has_model,
    )


def office(*machines: Machine) -> tuple[PlayedPool, list[PlayedPc], Figures]:
    """Everybody is idle in the beginning. For the inside of an event loop."""
    figures = Figures()
    pcs = [PlayedPc(machine, moment(IDLE), SIZES) for machine in machines]
    pool = PlayedPool(pcs, Planning(SHAPE, MANIFEST), figures)
    for pc in pcs:
        pool.stand(pc, moment(IDLE))
    return pool, pcs, figures
