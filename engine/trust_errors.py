"""Errors about who belongs to the pool; a part of the tree in errors.py.

IdlepoolError
├── TrustError
│   ├── KeyMissing            the private key of this PC cannot be had
│   └── RosterRefused         a list of members that does not follow from the one known here
└── LinkError
    └── NotPaired             two PCs that are not of one pool
        └── RemovedFromPool   one of them was, and is no more
"""

from __future__ import annotations

from idlepool.engine.errors import IdlepoolError, LinkError

HOW_TO_PAIR = "Pair them: idlepool pair"


class TrustError(IdlepoolError):
    """Something about who belongs to the pool."""


class KeyMissing(TrustError):
    """The private key of this PC cannot be had; `reason` says why."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"The private key of this PC cannot be read: {reason}.",
            "Unlock the system's key store and start again. If the key is lost, remove certificate.der from the data"
            " folder, start again, and pair this PC anew.",
        )


class RosterRefused(TrustError):
    """A list of the pool's members that is not taken over; `reason` says why."""

    def __init__(self, reason: str, hint: str = "") -> None:
        self.reason = reason
        super().__init__(f"A list of the pool's members was refused: {reason}.", hint)


class NotPaired(LinkError):
    """A PC that is no member of the pool of this one, or does not have this one among its members."""

    def __init__(self, who: str, sentence: str = "") -> None:
        self.who = who
        super().__init__(sentence or f"{who} is not paired with this PC.", HOW_TO_PAIR)


class RemovedFromPool(NotPaired):
    """A PC that was a member; `who` is the name it had."""

    def __init__(self, who: str) -> None:
        super().__init__(who, f"{who} was removed from the pool.")
