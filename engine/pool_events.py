"""What the window hears of the PCs of the pool; a part of events.py."""

from __future__ import annotations

from typing import Literal

import msgspec

from idlepool.engine.types import Int

PeerState = Literal[
    "present", "suspect", "looking", "unreachable", "refused", "other version", "unpaired", "removed", "unverified"
]
"""present, and suspect: nothing was heard for seconds. Not present: looking (not tried yet), or why it is not;
unverified: somebody who is announced in the network and belongs to no pool of this PC."""

FoundBy = Literal["", "called", "typed", "announced", "last address"]
"""How the link to a PC came about: it called, or it was met at an address that was typed, announced or known."""


class ModelInfo(msgspec.Struct, frozen=True):
    """A model that is complete on a PC, by what it is called there."""

    name: str
    layers: Int
    context: Int
    bytes: Int


class PeerInfo(msgspec.Struct, frozen=True):
    """A PC as seen from this one (itself included): present while a link to it lives. `name` is the roster's."""

    node: str
    """Its id; the beginning of it for an unverified one, empty for an address where nobody proved who it is."""
    name: str
    here: bool
    present: bool
    state: PeerState = "present"
    reason: str = ""
    """What stops it, in a sentence."""
    found: FoundBy = ""
    address: str = ""
    build: str = ""
    """The version of its program."""
    phase: str = "idle"
    """What it does; see Heartbeat."""
    done: int = 0
    total: int = 0
    running: tuple[str, ...] = ()
    """Models whose pipelines another PC heads, by its names: they can be asked about here too."""
    whole: tuple[ModelInfo, ...] = ()
    """Models that are complete on another PC: they can be asked about here too, as long as it lends."""
    hint: str = ""
    """What to do about `reason`; where the two have to be paired, a command for the terminal."""
    lends: bool = True
    """Whether it computes for others at the moment, and"""
    lends_reason: str = ""
    """why or why not, in a word or two; empty: it says nothing about that."""


class PoolChanged(msgspec.Struct, frozen=True, tag="pool_changed"):
    """Somebody came, went or changed: all PCs of the pool, present or not, and others that were seen."""

    peers: tuple[PeerInfo, ...]
