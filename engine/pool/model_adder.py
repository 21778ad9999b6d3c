"""Adding models on behalf of the window: one at a time, in a child process, its events passed on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from idlepool.engine.events import Event, Trouble, decode_event
from idlepool.engine.pool.child_process import end, python_module, start
from idlepool.engine.pool.tasks import TaskKeeper

log = logging.getLogger("idlepool.models")

MODULE = "idlepool.engine.models.add_process"


class ModelAdder:
    """Adds to the store at `root`; `on_added` is called when a model is there."""

    def __init__(self, root: Path, emit: Callable[[Event], None], *, on_added: Callable[[], None]) -> None:
        self._root = root
        self._emit = emit
        self._on_added = on_added
        self._turn = asyncio.Lock()
        self._tasks = TaskKeeper()

    def add(self, source: str) -> None:
        """Begin to add a model; events tell how it goes."""
        self._tasks.start(self._add(source))

    async def close(self) -> None:
        """Give up what is being added; nothing half-made is left."""
        await self._tasks.close()

    async def _add(self, source: str) -> None:
        async with self._turn:
            process = await start(python_module(MODULE, str(self._root), source))
            try:
                assert process.stdout is not None
                failed = False
                while line := await process.stdout.readline():
                    event = _event_in(line)
                    if event is None:
                        continue
                    failed = failed or (isinstance(event, Trouble) and not event.once)
                    self._emit(event)
                code = await process.wait()
            finally:
                await end(process)
        if code == 0:
            self._on_added()
        elif not failed:
            self._emit(Trouble(f"Adding {source} ended unexpectedly (exit code {code}).", "Try it again."))


def _event_in(line: bytes) -> Event | None:
    """The event in a line; None where a library printed something."""
    try:
        return decode_event(line)
    except msgspec.DecodeError:
        log.warning("adding a model said something that is no event")
        return None
