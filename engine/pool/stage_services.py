"""What a hosted stage needs of the node around it; see hosted_stage.py."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Message, Place, PrepareStage, StepTimes
from idlepool.engine.pool.model_source import Local
from idlepool.engine.pool.spare import SpareStage
from idlepool.engine.types import NodeId, SessionId


@dataclass(frozen=True, slots=True)
class StageServices:
    """What a stage needs of the node that hosts it."""

    here: NodeId
    name: str
    """This PC's."""
    threads: int
    forbidden: tuple[str, ...]
    """Devices that the owner does not lend."""
    cache: Path
    """See LoadShard."""
    spare: SpareStage
    tell: Callable[[NodeId, Message], Awaitable[None]]
    """Sends a message to a head, which may be this PC."""
    deliver: Callable[[NodeId, Frame, bytes], Awaitable[None]]
    """Sends a frame, decoded and as it came, to a head, which may be this PC."""
    bring: Callable[[PrepareStage, Callable[[int, int], None]], Awaitable[Local]]
    """Sees to it that the weights of a stage are on this PC; reports bytes done and in all."""
    connect: Callable[[Place, SessionId], Awaitable[Link]]
    """Opens an activation link."""
    measured: Callable[[StepTimes], None] = lambda times: None
    """Hears how fast layers are that were loaded."""
