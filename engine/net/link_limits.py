"""What a link takes from its peer and a listener from those who come, and how long they wait."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any

from idlepool.engine.net.frames import FrameLimits

# At DEBUG websockets logs what it sends and receives, and that is people's conversations.
_websockets_log = logging.getLogger("idlepool.websockets")
_websockets_log.setLevel(logging.ERROR)

IDLE_S = 60.0
"""A link that is there for questions is ended by whoever answers them when nothing was asked for so long."""


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """Of one link, and of a listener."""

    frames: FrameLimits = field(default_factory=FrameLimits)
    max_message_bytes: int = 2**20
    queue_frames: int = 8
    """Received but not yet asked for; more of them stop the reading, and so, through TCP, the sender."""
    handshake_seconds: float = 5
    ping_seconds: float = 5
    silence_seconds: float = 30
    """A ping unanswered for so long ends the link. A reader that is busy for longer also stops answering."""
    close_seconds: float = 2
    max_links: int = 32
    """Of one member at once, each of which may keep `queue_frames` in memory; a pipeline and its models need a few."""
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
            "max_size": max(self.frames.max_frame_bytes, self.max_message_bytes),
            "max_queue": self.queue_frames,
            "ping_interval": self.ping_seconds,
            "ping_timeout": self.silence_seconds,
            "close_timeout": self.close_seconds,
            "logger": _websockets_log,
        }
