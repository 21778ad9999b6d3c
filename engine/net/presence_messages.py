"""What PCs say to show that they are there and how well they are reached; part of messages.py."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from idlepool.engine.types import Int

TEST_BLOCK_BYTES = 64 * 2**10
"""The most that is sent at once to measure a connection."""

Phase = Literal["idle", "fetching", "loading", "compiling", "prefill", "decoding"]
"""What a PC does at the moment, for the pool."""


class Place(msgspec.Struct, frozen=True):
    """A node and where it listens."""

    node: str
    host: str
    port: Annotated[int, msgspec.Meta(ge=0, lt=2**16)]


class Heartbeat(msgspec.Struct, frozen=True, tag="heartbeat"):
    """Sent each second over a control link: the PC lives, and so far it is with what it does.

    `done` of `total` bytes while fetching, tokens of prompts in prefill; 0 of 0 where that means nothing or is unknown.
    """

    phase: Phase = "idle"
    done: Int = 0
    total: Int = 0


class LinkPing(msgspec.Struct, frozen=True, tag="link_ping"):
    """Answered by LinkPong at once, over a control link or a test link; on the latter that also tells that all sent
    before it has arrived."""

    number: Int


class LinkPong(msgspec.Struct, frozen=True, tag="link_pong"):
    """The answer to a LinkPing."""

    number: Int


class WantTestBytes(msgspec.Struct, frozen=True, tag="want_test_bytes"):
    """Answered by a WEIGHTS frame of so many bytes, which mean nothing, or the end of the link where it is too much."""

    count: Int


class LinkTime(msgspec.Struct, frozen=True):
    """How far another PC is, for plans: half a round trip, and bytes a second in the slower direction; 0: unknown."""

    node: str
    ms: Annotated[float, msgspec.Meta(ge=0)]
    bytes_per_s: Annotated[float, msgspec.Meta(ge=0)] = 0.0
