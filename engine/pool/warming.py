"""The head's part in keeping layers warm: PCs are asked to fetch what they would run if another one left.

Whenever a pipeline of this PC is ready, and who is here or what they have on their disks changed, it is planned what
would be without each of its PCs in turn (standby.py); each PC is told the span that it lacks most.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from idlepool.engine.errors import IdlepoolError, LinkError
from idlepool.engine.events import PipelineChanged, StageInfo
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import Message
from idlepool.engine.net.standby_messages import StageAhead
from idlepool.engine.pool.leavings_file import read_stays, write_stays
from idlepool.engine.pool.pool_planning import Present, planned
from idlepool.engine.pool.standby import Disk, Leavings, Loss, next_spans
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId, Span

log = logging.getLogger("idlepool.pipeline")

SETTLE_S = 1.0
"""After a change, since most come in company."""

AGAIN_S = 300.0
"""What was not done by then is asked for again: it could not be, and perhaps now can."""


@dataclass(frozen=True, slots=True)
class WarmingServices:
    """What it needs of the node."""

    here: NodeId
    present: Callable[[], tuple[Present, ...]]
    """All PCs that lend, this one first."""
    model: Callable[[str], StoredModel]
    """A complete model by name."""
    tell: Callable[[NodeId, Message], Awaitable[None]]
    root: Path
    """The data folder, where it is kept how often PCs left."""
    draft_bytes: int = 0
    stages: int | None = None
    """See planned(), and so for `draft_bytes`."""


class Warming:
    """Asks, from `start` to `close`."""

    def __init__(self, services: WarmingServices) -> None:
        self._services = services
        self._ready: dict[str, tuple[StageInfo, ...]] = {}
        self._changed = asyncio.Event()
        self._leavings = Leavings()
        self._remembers = False
        """Whether what was seen in earlier runs is among them; before that there is nothing to keep."""
        self._known: frozenset[NodeId] = frozenset()
        self._asked: dict[tuple[NodeId, ModelId], tuple[Span, float]] = {}
        self._tasks = TaskKeeper()

    def start(self) -> None:
        """Begin."""
        self._tasks.start(self._work())

    def on_pipeline(self, change: PipelineChanged) -> None:
        """A pipeline of this PC came, changed or went."""
        if change.state == "ready":
            self._ready[change.model] = change.stages
        else:
            self._ready.pop(change.model, None)
        self._changed.set()

    def on_peers(self) -> None:
        """Somebody came, went or changed."""
        self._changed.set()

    async def close(self) -> None:
        """Ask no more."""
        await self._tasks.close()
        if self._remembers:
            await asyncio.to_thread(write_stays, self._services.root, self._leavings.stays(time.monotonic()))

    async def _work(self) -> None:
        seen: object = None
        self._leavings = Leavings(await asyncio.to_thread(read_stays, self._services.root))
        self._remembers = True
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S):
                    await self._changed.wait()
            changed = self._changed.is_set()
            await asyncio.sleep(SETTLE_S)
            self._changed.clear()
            present, ready = self._services.present(), dict(self._ready)
            self._note_leavings(present)
            if changed and seen == (present, ready):
                continue
            seen = present, ready
            for name, stages in ready.items():
                try:
                    await self._look(name, stages, present)
                except IdlepoolError as error:
                    log.info("nothing is kept warm for %s: %s", name, error.sentence)

    def _note_leavings(self, present: Sequence[Present]) -> None:
        nodes = frozenset(pc.node for pc in present)
        for node in self._known - nodes:
            self._leavings.left(node)
        self._leavings.here(nodes, time.monotonic())
        self._known = nodes

    async def _look(self, name: str, stages: Sequence[StageInfo], present: Sequence[Present]) -> None:
        model, source = await asyncio.to_thread(self._services.model, name), present[0].place
        wanted = await asyncio.to_thread(self._wanted, model, stages, present)
        for node, span in wanted.items():
            before, asked_at = self._asked.get((node, model.model), (None, 0.0))
            if before == span and time.monotonic() - asked_at < AGAIN_S:
                continue
            self._asked[node, model.model] = span, time.monotonic()
            with contextlib.suppress(LinkError):  # it is gone, and no plan has it any more
                await self._services.tell(node, StageAhead(model.model, span.first, span.last, source))

    def _wanted(
        self, model: StoredModel, stages: Sequence[StageInfo], present: Sequence[Present]
    ) -> dict[NodeId, Span]:
        runs = {NodeId(stage.node): Span(stage.first, stage.last) for stage in stages}
        others = [pc for pc in present if pc.node != self._services.here]
        now = time.monotonic()
        losses = [
            Loss(node, self._leavings.per_hour(node, now), self._plan_without(node, model, stages, present))
            for node in runs
            if node != self._services.here
        ]
        return next_spans(model.manifest, losses, {pc.node: _disk_of(pc, model, runs.get(pc.node)) for pc in others})

    def _plan_without(
        self, node: NodeId, model: StoredModel, running: Sequence[StageInfo], present: Sequence[Present]
    ) -> dict[NodeId, Span]:
        """What each PC would run instead of the stages that are `running`; nothing where the others cannot."""
        left = [pc for pc in present if pc.node != node]
        stages = self._services.stages and min(self._services.stages, len(left))
        before = [NodeId(stage.node) for stage in running]
        here, draft_bytes = self._services.here, self._services.draft_bytes
        try:
            plan = planned(model, left, here=here, draft_bytes=draft_bytes, stages=stages, before=before)
        except IdlepoolError:
            return {}
        return {stage.node: stage.span for stage in plan}


def _disk_of(pc: Present, model: StoredModel, runs: Span | None) -> Disk:
    spans = [
        Span(span.first, span.last)
        for span in pc.held
        if span.model == model.model and 0 <= span.first < span.last <= model.manifest.layers
    ]
    held = frozenset(chunk for span in spans for chunk in model.manifest.chunks_of(span))
    return Disk(held, pc.disk_bytes, runs)
