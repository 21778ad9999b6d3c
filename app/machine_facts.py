"""What the node says to the window about the PC it runs on."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import psutil

from idlepool.engine.machine.machine import own_programs
from idlepool.engine.machine_events import MachineFacts
from idlepool.engine.net.status_messages import DeviceInfo


def machine_facts(root: Path, devices: Sequence[DeviceInfo]) -> MachineFacts:
    """Ask the system; takes a fraction of a second, so not on the event loop."""
    try:
        free = shutil.disk_usage(root).free
    except OSError:
        free = None
    names = tuple(f"{device.name} ({device.kind.value}, {device.precision.value})" for device in devices)
    return MachineFacts(psutil.virtual_memory().total, free, names, own_programs())
