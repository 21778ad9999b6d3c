"""What the node tells about pairing; a part of events.py."""

from __future__ import annotations

import msgspec


class PairingOpen(msgspec.Struct, frozen=True, tag="pairing_open"):
    """A code can be typed on another PC from now on; PairingDone or PairingFailed tells the end of it."""

    code: str
    """As it is shown: XXXX-XXXX."""
    seconds: float
    """For so long."""
    addresses: tuple[str, ...]
    """Where this PC is reached, for networks that keep PCs from finding each other; the best one first."""
    problem: str = ""
    """Why it is not found by itself; empty: it is."""


class PairingWrong(msgspec.Struct, frozen=True, tag="pairing_wrong"):
    """Somebody typed another code than the one shown here; it can be tried `left` times more."""

    left: int


class PairingDone(msgspec.Struct, frozen=True, tag="pairing_done"):
    """This PC and another one are of one pool now. Both screens show the same words."""

    node: str
    name: str
    words: tuple[str, ...]


class PairingFailed(msgspec.Struct, frozen=True, tag="pairing_failed"):
    """What was asked for came to nothing: why, and what to do. A code that was shown is void."""

    sentence: str
    hint: str = ""


class MemberInfo(msgspec.Struct, frozen=True):
    """A PC that is paired with this one, present or not, or this one itself."""

    node: str
    name: str
    here: bool
    words: tuple[str, ...] = ()
    """Of its key, the same on every PC: see identity_words."""


class MembersChanged(msgspec.Struct, frozen=True, tag="members_changed"):
    """Who belongs to the pool of this PC."""

    members: tuple[MemberInfo, ...]


PairingEvent = PairingOpen | PairingWrong | PairingDone | PairingFailed | MembersChanged
