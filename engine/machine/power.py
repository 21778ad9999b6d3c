"""Power and heat, as psutil tells them on each system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import psutil

_PROCESSORS = ("coretemp", "k10temp", "zenpower", "cpu_thermal")
"""Sensors of processors, by the names of their Linux drivers. Those of boards tell of contacts that nothing is
connected to, and of 127 degrees there."""

_HOTTEST_POSSIBLE = 125.0


@dataclass(frozen=True, slots=True)
class Power:
    """Where the power comes from. None: unknown."""

    on_battery: bool | None
    battery_percent: float | None = None


def power() -> Power:
    """A PC without a battery is on mains."""
    try:
        battery = psutil.sensors_battery()
    except (OSError, ValueError, RuntimeError):  # files of drivers that are half there
        return Power(None)
    if battery is None:
        return Power(on_battery=False)
    plugged = battery.power_plugged
    return Power(None if plugged is None else not plugged, float(battery.percent))


def hottest_celsius() -> float | None:
    """The hottest place of the processors; None: no sensor that can be read, as on Windows and macOS."""
    read = getattr(psutil, "sensors_temperatures", None)  # on Linux and FreeBSD only
    if read is None:
        return None
    try:
        return hottest({name: [reading.current for reading in readings] for name, readings in read().items()})
    except (OSError, ValueError, RuntimeError):
        return None


def hottest(sensors: Mapping[str, Iterable[float]]) -> float | None:
    """The highest temperature that can be one, of the sensors by the names of their drivers."""
    found = [celsius for name in _PROCESSORS for celsius in sensors.get(name, ())]
    return max((celsius for celsius in found if 0 < celsius < _HOTTEST_POSSIBLE), default=None)
