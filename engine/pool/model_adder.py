"""Adding models on behalf of the window: one at a time, in a child process, its events passed on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from idlepool.engine.events import Event, Trouble, decode_event
from idlepool.engine.pool.child_process import end, python_module, start

MODULE = "idlepool.engine.models.add_process"


class ModelAdder:
    """Adds to the store at `root`; `on_added` is called when a model is there."""

    def __init__(self, root: Path, emit: Callable[[Event], None], *, on_added: Callable[[], None]) -> None:
        self._root = root
        self._emit = emit
        self._on_added = on_added
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, source: str) -> None:
        """Begin to add a model; events tell how it goes."""
        task = asyncio.create_task(self._add(source))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Give up what is being added; nothing half-made is left."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _add(self, source: str) -> None:
        async with self._turn:
            process = await start(python_module(MODULE, str(self._root), source))
            try:
                assert process.stdout is not None
                failed = False
                while line := await process.stdout.readline():
                    event = decode_event(line)
                    failed = failed or isinstance(event, Trouble)
                    self._emit(event)
                code = await process.wait()
            finally:
                await end(process)
        if code == 0:
            self._on_added()
        elif not failed:
            self._emit(Trouble(f"Adding {source} ended unexpectedly (exit code {code}).", "Try it again."))
