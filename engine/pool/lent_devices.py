"""Which of its devices a PC lends, in which order, and what its owner is told where that is not what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from idlepool.engine.backends.choice import device_order, matches
from idlepool.engine.events import Trouble
from idlepool.engine.net.messages import DeviceInfo


def lent_devices(
    found: Sequence[DeviceInfo], *, asked: str, forbidden: Sequence[str]
) -> tuple[tuple[DeviceInfo, ...], Trouble | None]:
    """The devices that are lent, the best first; `asked` and `forbidden` as in NodeSettings."""
    devices = device_order(found, asked=asked, forbidden=forbidden)
    if not devices:
        return devices, Trouble("This PC lends nothing: every device it has is forbidden.", "Forbid fewer.")
    if asked and not matches(devices[0].name, asked):
        why = "is forbidden" if any(matches(device.name, asked) for device in found) else "is no device of this PC"
        return devices, Trouble(f"{asked} {why}.", f"{devices[0].name} is used instead.")
    return devices, None
