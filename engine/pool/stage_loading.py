"""From an order to a process that holds its layers: weights are brought, then loaded, or taken over while warm."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from idlepool.engine.backends.choice import candidates, device_order
from idlepool.engine.errors import StageEnded, StageFailed
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.net.messages import (
    DeviceInfo,
    LoadShard,
    Message,
    PrepareStage,
    ShardLoaded,
    StageProgress,
    StageReady,
    StepTimes,
)
from idlepool.engine.pool.model_source import Local
from idlepool.engine.pool.plan import WORKING_MEMORY
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.pool.stage_services import StageServices
from idlepool.engine.pool.warm_stages import WarmStages
from idlepool.engine.types import Span

log = logging.getLogger("idlepool.hosting")

LOADS_EACH = 2
"""Processes that a device in one form may take down before the next process leaves it alone; see VerdictStore."""


@dataclass(frozen=True, slots=True)
class LoadedStage:
    """A process that holds layers of a model."""

    order: PrepareStage
    model: Local
    host: StageHost
    shard: ShardLoaded

    @property
    def times(self) -> StepTimes:
        """What its steps took when it was loaded."""
        order, shard = self.order, self.shard
        return StepTimes(order.first, order.last, shard.steps_ms, order.model, shard.device, shard.backend)

    def ready(self) -> StageReady:
        """What the head is told of it."""
        on_disk, needed, whole = _sizes(self.model, _span(self.order))
        shard = self.shard
        return StageReady(
            self.order.session,
            self.host.pid,
            shard.device,
            on_disk,
            needed,
            whole,
            backend=shard.backend,
            notice=shard.notice,
            reproducible=shard.reproducible,
            cache_tokens=shard.cache_tokens,
            block_tokens=shard.block_tokens,
            max_sequences=shard.max_sequences,
            step_ms=shard.steps_ms[0] if shard.steps_ms else 0.0,
        )


async def load_stage(
    order: PrepareStage, services: StageServices, *, warm: WarmStages, tell: Callable[[Message], None]
) -> LoadedStage:
    """Bring and load what is ordered; `tell` hears of every step.

    Raises:
        IdlepoolError: it cannot be done here.
    """

    def progress(done: int, total: int) -> None:
        tell(StageProgress(order.session, "fetching", done, total))

    model = await services.bring(order, progress)
    if order.last > model.manifest.layers:
        raise StageFailed(services.name, f"the model has {model.manifest.layers} layers, not {order.last}")
    tell(StageProgress(order.session, "loading"))
    kept = await warm.take(order)
    if kept is not None:
        log.info("layers %s are loaded still", _span(order))
        return LoadedStage(order, model, kept.host, kept.shard)
    host, shard = await _load_in_process(order, services, model, tell=tell)
    log.info("layers %s loaded on %s in %.1f s", _span(order), shard.device, shard.seconds)
    loaded = LoadedStage(order, model, host, shard)
    if shard.steps_ms:
        services.measured(loaded.times)
    return loaded


async def _load_in_process(
    order: PrepareStage, services: StageServices, model: Local, *, tell: Callable[[Message], None]
) -> tuple[StageHost, ShardLoaded]:
    """Load the layers; where a driver takes the process down, in another one, which then leaves the device alone.

    Raises:
        StageFailed: it cannot be done here.
    """
    ended = 0
    while True:
        host = await services.spare.take()
        shard = _shard_order(order, services, model, devices=host.devices)
        try:
            return host, await host.load(
                shard, name=services.name, on_compiling=lambda: tell(StageProgress(order.session, "compiling"))
            )
        except StageEnded as error:
            log.warning("%s", error.sentence)
            await host.close()
            ended += 1
            if ended > LOADS_EACH * len(shard.candidates):
                raise
        except BaseException:
            await host.close()  # also where nobody wants it any more
            raise


def _shard_order(
    order: PrepareStage, services: StageServices, model: Local, *, devices: tuple[DeviceInfo, ...]
) -> LoadShard:
    """What the process is to load, and on which of this PC's devices; what the head planned with comes first."""
    needed = int(WORKING_MEMORY * model.manifest.bytes_of(model.manifest.chunks_of(_span(order))))
    ordered = device_order(devices, asked=order.device, forbidden=services.forbidden, needed_bytes=needed)
    return LoadShard(
        folder=str(model.folder),
        model=order.model,
        first=order.first,
        last=order.last,
        candidates=candidates(ordered),
        wire=order.wire,
        cache=str(services.cache),
        threads=services.threads,
        held=tuple((r.offset, r.length) for r in model.held_ranges) if isinstance(model, PartialModel) else None,
    )


def _span(order: PrepareStage) -> Span:
    return Span(order.first, order.last)


def _sizes(model: Local, span: Span) -> tuple[int, int, int]:
    """Bytes on this disk, bytes that the span needs, bytes of the whole model; the small files counted in each."""
    small = sum(file.size for file in model.manifest.files)
    needed = small + model.manifest.bytes_of(model.manifest.chunks_of(span))
    whole = small + model.manifest.weights_bytes
    return (model.bytes_on_disk if isinstance(model, PartialModel) else whole), needed, whole
