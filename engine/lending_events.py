"""What the window and the node say to each other about lending; a part of events.py and commands.py."""

from __future__ import annotations

from datetime import datetime

import msgspec

from idlepool.engine.lending_rules import LendingMode, LendingRules
from idlepool.engine.types import Count, Int


class LendingChanged(msgspec.Struct, frozen=True, tag="lending_changed"):
    """Whether this PC lends, and why or why not; comes when that changes, and after each command about it."""

    mode: LendingMode
    lends: bool
    reason: str
    """Of pool/donation.py, and"""
    sentence: str
    """the same for its owner."""
    until: datetime | None = None
    """When that ends by itself, as far as it is known."""
    rules: LendingRules | None = None
    """The owner's; None: it was started to lend always, whatever they are."""
    snoozed_until: datetime | None = None


class LentLayers(msgspec.Struct, frozen=True):
    """Layers `[first, last)` of a model that this PC computes for another one."""

    model: str
    """What it is called there; empty: that was not told yet."""
    first: Int
    last: Int
    node: str
    """Whose pipeline it is, and"""
    name: str
    """what that PC is called."""
    since: datetime
    bytes: Count
    """Memory that its process took when the layers were loaded."""


class HostedStages(msgspec.Struct, frozen=True, tag="hosted_stages"):
    """All that others use of this PC; comes when that changes."""

    stages: tuple[LentLayers, ...] = ()


class SetLending(msgspec.Struct, frozen=True, tag="set_lending"):
    """These are the owner's rules from now on; LendingChanged follows."""

    rules: LendingRules


class Snooze(msgspec.Struct, frozen=True, tag="snooze"):
    """Lend nothing until then; None: as the rules say again. LendingChanged follows."""

    until: datetime | None


class StopLending(msgspec.Struct, frozen=True, tag="stop_lending"):
    """Give everything back within two seconds, and lend nothing for an hour; LendingChanged follows."""


LendingCommand = SetLending | Snooze | StopLending
