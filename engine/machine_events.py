"""What the window asks about the PC itself: its memory, its disk, its devices, what runs; a part of events.py and
commands.py."""

from __future__ import annotations

import msgspec

from idlepool.engine.types import Count


class WantMachineFacts(msgspec.Struct, frozen=True, tag="want_machine_facts"):
    """Say what this PC is and what runs on it: MachineFacts follows."""


class MachineFacts(msgspec.Struct, frozen=True, tag="machine_facts"):
    """This PC, as it is now."""

    memory_bytes: Count
    disk_free_bytes: Count | None = None
    """Where layers fetched for others lie; None: unknown."""
    devices: tuple[str, ...] = ()
    """What it computes on, the best first: OpenVINO's name, its kind and precision; none until they are found."""
    programs: tuple[str, ...] = ()
    """Names of the files that run for its user, in the order of the alphabet."""
