"""What the pipelines of a PC need of its node."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from idlepool.engine.decode.drafter import Drafter
from idlepool.engine.events import PipelineChanged
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.messages import Message
from idlepool.engine.pool.own_plans import PlanKeeper
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice
from idlepool.engine.pool.pool_planning import Present
from idlepool.engine.types import NodeId


async def no_drafter(_: StoredModel) -> None:
    """For pipelines without guesses."""


@dataclass(frozen=True, slots=True)
class HeadServices:
    """All of it."""

    here: NodeId
    present: Callable[[], tuple[Present, ...]]
    """All PCs that lend, this one first."""
    changed: asyncio.Condition
    """Notified when `present` changes."""
    tell: Callable[[NodeId, Message], Awaitable[None]]
    feed: Callable[[Frame], Awaitable[None]]
    """Hands a frame to the first stage, which is always on this PC: no token leaves it before the first layer."""
    emit: Callable[[PipelineChanged], None]
    plans: PlanKeeper
    """What the owner chose in the window."""
    left_out: Callable[[], tuple[str, ...]] = tuple
    """The names of PCs that lend, and that `plans` let nobody use."""
    drafter: Callable[[StoredModel], Awaitable[Drafter | None]] = no_drafter
    draft_bytes: int = 0
    """Weights of the draft model that this PC runs for its pipelines."""
    micro_batches: int = 0
    """Frames that a pipeline keeps under way; 0: as many as it has stages."""
    on_running: Callable[[], None] = lambda: None
    """Hears that `running` changed."""
    choice: PlanChoice = NO_CHOICE
    """What all plans are to be; no longer for a model whose pipeline broke."""
