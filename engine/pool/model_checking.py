"""Checking a model in a thread, which may take minutes and can be stopped between two chunks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from idlepool.engine.models.damage import Damage, find_damage
from idlepool.engine.models.stored import StoredModel

SHOW_S = 0.2
"""Between two times that it is told how far the check is."""


async def look_for_damage(model: StoredModel, show: Callable[[int, int], None]) -> Damage:
    """What is wrong with `model`. `show`: bytes done and in all. Cancelling it ends the thread too."""
    looking = _Looking()
    check = asyncio.ensure_future(asyncio.to_thread(find_damage, model, progress=looking))
    try:
        while not check.done():
            await asyncio.wait([check], timeout=SHOW_S)
            show(looking.done, looking.total)
        return check.result()
    finally:
        looking.stopped = True
        await asyncio.gather(check, return_exceptions=True)


class _Stopped(Exception):
    """Nobody wants to know any more."""


class _Looking:
    """A Progress that only remembers; read by another thread."""

    def __init__(self) -> None:
        self.done = 0
        self.total = 0
        self.stopped = False

    def __call__(self, step: str, done: int, total: int) -> None:
        if self.stopped:
            raise _Stopped
        self.done, self.total = done, total
