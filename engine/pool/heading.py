"""What this PC does as a head: its pipelines, its chats in those of others, and what others ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from idlepool.engine.events import Event, PipelineChanged, Trouble
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.messages import Message
from idlepool.engine.net.question_messages import RunningModel, WholeModel
from idlepool.engine.pool.drafters import draft_bytes, make_drafter
from idlepool.engine.pool.guests import Guests
from idlepool.engine.pool.head_services import HeadServices
from idlepool.engine.pool.joined import Joined, JoinServices
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.own_plans import PlanKeeper
from idlepool.engine.pool.pipelines import Pipelines
from idlepool.engine.pool.pool_planning import Present
from idlepool.engine.pool.tokenizers import Tokenizers
from idlepool.engine.pool.warming import Warming, WarmingServices
from idlepool.engine.types import NodeId


@dataclass(frozen=True, slots=True)
class HeadingServices:
    """What it needs of the node."""

    here: NodeId
    models: ModelFolders
    present: Callable[[], tuple[Present, ...]]
    """All PCs that lend, this one first."""
    changed: asyncio.Condition
    """Notified when `present` changes."""
    tell: Callable[[NodeId, Message], Awaitable[None]]
    feed: Callable[[Frame], Awaitable[None]]
    """Hands a frame to the first stage of a pipeline, which is always on this PC."""
    emit: Callable[[Event], None]
    running: Callable[[], Mapping[NodeId, tuple[RunningModel, ...]]]
    """The models whose pipelines this PC and those present head."""
    whole: Callable[[], Mapping[NodeId, tuple[WholeModel, ...]]]
    """The models that are complete on the PCs that are present and lend."""
    on_running: Callable[[], None]
    """Hears that those of this PC changed."""
    name_of: Callable[[NodeId], str]


class Heading:
    """All of it, from `start` to `close`."""

    def __init__(self, settings: NodeSettings, services: HeadingServices) -> None:
        here, models, tell = services.here, services.models, services.tell
        drafted = draft_bytes(settings.speculation)
        self._emit = services.emit
        self.plans = PlanKeeper(settings.root, here, services.emit)

        def usable() -> tuple[Present, ...]:
            return self.plans.usable(services.present())

        self._warming = Warming(
            WarmingServices(
                here,
                usable,
                models.named,
                tell,
                settings.root,
                draft_bytes=drafted,
                stages=settings.stages,
            )
        )
        self.pipelines = Pipelines(
            HeadServices(
                here,
                usable,
                services.changed,
                tell,
                services.feed,
                emit=self._on_pipeline,
                plans=self.plans,
                left_out=lambda: self.plans.left_out(services.present()),
                drafter=lambda model: make_drafter(
                    settings.speculation, model.folder, threads=settings.threads, trouble=services.emit
                ),
                draft_bytes=drafted,
                micro_batches=settings.micro_batches,
                on_running=services.on_running,
                choice=settings.choice,
            )
        )
        self.tokenizers = Tokenizers()
        self.joined = Joined(
            JoinServices(here, models, services.running, services.whole, services.name_of, tell, self.pipelines.give_up)
        )
        self.guests = Guests(models, self.pipelines, tell, tokenizers=self.tokenizers, stages=settings.stages)

    def start(self) -> None:
        """Begin to keep layers warm; tell of choices that are lost."""
        if self.plans.problem:
            self._emit(Trouble(self.plans.problem, "Until you choose again, every PC of the pool may take part."))
        self._warming.start()

    def on_peers(self) -> None:
        """Somebody came, went or changed."""
        self._warming.on_peers()

    def lose(self, node: NodeId) -> None:
        """A PC is gone."""
        self.guests.lose(node)
        self.joined.lose(node)
        self.pipelines.lose(node)

    async def close(self) -> None:
        """Answer nobody any more, and release every stage."""
        await self._warming.close()
        await self.guests.close()
        await self.pipelines.close()

    def _on_pipeline(self, change: PipelineChanged) -> None:
        self._emit(change)
        self._warming.on_pipeline(change)
