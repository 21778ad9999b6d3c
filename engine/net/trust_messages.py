"""What PCs say about who belongs to the pool; part of messages.py."""

from __future__ import annotations

import msgspec

from idlepool.engine.net.roster import SignedRoster


class RosterNews(msgspec.Struct, frozen=True, tag="roster_news"):
    """Rosters that follow from the one the other PC knows, oldest first; sent over a control link."""

    rosters: tuple[SignedRoster, ...]


class Dismissed(msgspec.Struct, frozen=True, tag="dismissed"):
    """The listener's answer to the Hello of a former member: the rosters that show that it was removed."""

    rosters: tuple[SignedRoster, ...]
