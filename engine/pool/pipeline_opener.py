"""The pipelines of one model, one after another, for an answer that outlives them."""

from __future__ import annotations

from dataclasses import dataclass

from idlepool.engine.models.stored import StoredModel
from idlepool.engine.pool.pipeline import Pipeline
from idlepool.engine.pool.pipelines import Pipelines


@dataclass(frozen=True, slots=True)
class PipelineOpener:
    """See carrying_on.Opener; `stages`: see Pipelines.open()."""

    pipelines: Pipelines
    model: StoredModel
    stages: int | None = None

    async def open(self) -> Pipeline:
        """See Pipelines.open()."""
        return await self.pipelines.open(self.model, stages=self.stages)

    async def wait_for_change(self) -> None:
        """See Pipelines.wait_for_change()."""
        await self.pipelines.wait_for_change()
