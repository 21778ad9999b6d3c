"""Tasks that nobody awaits: kept alive until they end, and never failing in silence."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine

log = logging.getLogger("idlepool.tasks")


class TaskKeeper:
    """Starts tasks and keeps them. `on_error` hears of an exception that ended one; it is logged in any case."""

    def __init__(self, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._on_error = on_error
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run `work` beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def cancel(self) -> None:
        """Cancel all but the task that asks for it."""
        own = asyncio.current_task()
        for task in self._tasks:
            if task is not own:
                task.cancel()

    async def close(self) -> None:
        """Cancel all and wait for their ends."""
        self.cancel()
        await self.wait()

    async def wait(self) -> None:
        """Wait for all but the task that asks for it."""
        own = asyncio.current_task()
        await asyncio.gather(*(task for task in self._tasks if task is not own), return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a task failed", exc_info=error)
            if self._on_error is not None:
                self._on_error(error)


async def to_its_end(writing: Coroutine[None, None, None]) -> None:
    """Wait for what a thread does, also where it is not wanted any more: what it wrote is to be kept, and must not come
    after what is written next."""
    task = asyncio.ensure_future(writing)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
