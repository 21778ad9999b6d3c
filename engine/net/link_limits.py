"""What a link takes from its peer and a listener from those who come, and how long they wait.

A peer can make this PC keep what is sent and not yet taken: of each link at most
`(UNREAD + 2) * max_bytes + TLS_BYTES`, which are the messages in the queue, the one that stopped the reading, the one
that is just coming, and what was decrypted ahead. A member's links, times their number in MOST_LINKS, so hold

    control 8 * 6 * 1 MiB + test 4 * 6 * 64 KiB + activation, model 32 * 6 * 16 KiB + 32 * 512 KiB < 70 MiB

whatever it sends. Beyond that only the stage before a stage that is loaded here may send more, on one link: frames of
`(UNREAD + 2) * rows * hidden * bytes of a value`, for a model of 8 B parameters and 64 sequences 115 MB beside the
gigabytes that the stage holds. Links that this PC opened take no more than these: it opens one control link to a PC,
and what comes over a model link is put where it was asked for (bulk.py).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from idlepool.engine.net.frames import FrameLimits
from idlepool.engine.net.messages import Role
from idlepool.engine.net.model_messages import PIECE_BYTES
from idlepool.engine.net.presence_messages import TEST_BLOCK_BYTES
from idlepool.engine.types import ElementType

# At DEBUG websockets logs what it sends and receives, and that is people's conversations.
_websockets_log = logging.getLogger("idlepool.websockets")
_websockets_log.setLevel(logging.ERROR)

IDLE_S = 60.0
"""A link that is there for questions is ended by whoever answers them when nothing was asked for so long."""

UNREAD: Final = 4
"""Messages received but not yet asked for; more of them stop the reading, and so, through TCP, the sender."""

MAX_MESSAGE_BYTES: Final = 2**20
"""Of a control message: a question with its conversation, an answer with its tokens, or rosters."""

_QUESTION_BYTES = 4 * 2**10
_STEP_BYTES = 16 * 2**10
_STEP_META_BYTES = 2**18
"""Of segments with their sampling, and with the ids of their rows where there are penalties."""

MOST_LINKS: Mapping[Role, int] = MappingProxyType({"control": 8, "activation": 16, "model": 16, "test": 4})
"""Of one member at once that came in, by role: several where addresses race, where stages prepare, or while old ones
are being closed."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What one end of a link takes from the other: control messages of so many bytes, and frames."""

    max_message_bytes: int
    frames: FrameLimits

    @property
    def max_bytes(self) -> int:
        """The longest message of either kind."""
        return max(self.max_message_bytes, self.frames.max_frame_bytes)


def _frames(payload_bytes: int, *, meta_bytes: int = 64) -> FrameLimits:
    return FrameLimits(max_payload_bytes=payload_bytes, max_meta_bytes=meta_bytes)


NO_FRAMES: Final = _frames(0)
OPENING: Final = Intake(MAX_MESSAGE_BYTES, NO_FRAMES)
"""What is taken in answer to a Hello: a removed PC is shown the rosters that say so."""

# CHOSEN and FAULT: thousands of ids, and hundreds of rows with all their log-probabilities.
_CONTROL = Intake(MAX_MESSAGE_BYTES, _frames(2**19, meta_bytes=2**18))
_TEST = Intake(_QUESTION_BYTES, _frames(TEST_BLOCK_BYTES))
_UNREADY = Intake(_QUESTION_BYTES, _frames(_STEP_BYTES - 2**10, meta_bytes=2**9))
"""Of an activation link, until the stage that it feeds says by `Link.allow` what its frames may be."""


def intake_of(role: Role, *, dialled: bool) -> Intake:
    """What the one who dialled, or who listens, takes on a link of that role."""
    match role:
        case "control":
            return _CONTROL
        case "test":
            return _TEST
        case "model":
            return Intake(_QUESTION_BYTES, _frames(PIECE_BYTES) if dialled else NO_FRAMES)
        case "activation":
            return Intake(_QUESTION_BYTES, NO_FRAMES) if dialled else _UNREADY


def steps_of(hidden: int, dtype: ElementType, *, rows: int) -> Intake:
    """What is taken on an activation link to a stage: steps of so many rows `[rows, hidden]`."""
    size = rows * hidden * dtype.size
    frames = FrameLimits(max_payload_bytes=size, max_meta_bytes=_STEP_META_BYTES, max_rows=rows, max_width=hidden)
    return Intake(_QUESTION_BYTES, frames)


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """Of one link, and of a listener."""

    handshake_seconds: float = 5
    ping_seconds: float = 5
    silence_seconds: float = 30
    """A ping unanswered for so long ends the link. A reader that is busy for longer also stops answering."""
    close_seconds: float = 2
    max_links: int = 32
    """Of one member at once, those among them that are not welcome yet; see also MOST_LINKS."""
    max_strangers: int = 32
    """Connections that a listener holds before it has welcomed them; see Strangers."""
    max_opening_bytes: int = 16 * 2**10
    """All that a connection may say before it is welcome: a request of HTTP and a Hello."""
    max_refusals: int = 30
    """Of one host within ten seconds; what comes from there after that is cut off before it costs a handshake."""

    def settings(self) -> dict[str, Any]:
        """For both ends of a WebSocket. Activations do not compress, and deflate costs 0.8 ms for 16 KiB."""
        return {
            "compression": None,
            "max_size": OPENING.max_bytes,
            "max_queue": UNREAD,
            "ping_interval": self.ping_seconds,
            "ping_timeout": self.silence_seconds,
            "close_timeout": self.close_seconds,
            "logger": _websockets_log,
        }
