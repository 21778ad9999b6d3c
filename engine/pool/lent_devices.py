"""Which of its devices a PC lends, in which order, and what its owner is told where that is not what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import psutil

from idlepool.engine.backends.choice import device_order, matches
from idlepool.engine.events import Trouble
from idlepool.engine.net.messages import DeviceInfo
from idlepool.engine.types import DeviceKind


def lent_devices(
    found: Sequence[DeviceInfo], *, asked: str, forbidden: Sequence[str]
) -> tuple[tuple[DeviceInfo, ...], Trouble | None]:
    """The devices that are lent, the best first; `asked` and `forbidden` as in NodeSettings."""
    devices = device_order(found, asked=asked, forbidden=forbidden)
    if not devices:
        return devices, Trouble("This PC lends nothing: every device it has is forbidden.", "Forbid fewer.")
    if asked and not matches(devices[0].name, asked):
        there = any(matches(device.name, asked) for device in found)
        why = f"{asked} is forbidden." if there else f"{asked} is no device of this PC."
        return devices, Trouble(why, f"{devices[0].name} is used instead.")
    return devices, None


def lent_share(
    devices: Sequence[DeviceInfo], share: float, *, memory_bytes: int | None = None
) -> tuple[DeviceInfo, ...]:
    """The devices with what others may have of their memory: a share of the PC's, or of their own if they have some.

    `memory_bytes`: the PC's; None: what it has.
    """
    total = psutil.virtual_memory().total if memory_bytes is None else memory_bytes

    def cut(device: DeviceInfo) -> DeviceInfo:
        whole = device.usable_bytes if device.kind is DeviceKind.DISCRETE_GPU else total
        return msgspec.structs.replace(device, usable_bytes=min(device.usable_bytes, int(share * whole)))

    return tuple(map(cut, devices))
