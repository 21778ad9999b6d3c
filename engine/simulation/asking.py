"""Somebody who asks the played pool, with the real recovery between the question and the tokens of its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from idlepool.engine.decode.request import Answer, Interrupted, Request, Token
from idlepool.engine.errors import NoRoom, PoolError, RequestError
from idlepool.engine.pool.carrying_on import Opener
from idlepool.engine.simulation.figures import Figures
from idlepool.engine.simulation.played_pc import PlayedPc
from idlepool.engine.simulation.played_pipeline import PlayedPipeline
from idlepool.engine.simulation.played_pool import PlayedPool
from idlepool.engine.simulation.played_text import lost_tokens

Recovery = Callable[[Request, Opener], Answer]
"""carry_on(), or what a test puts in its place."""


@dataclass(slots=True)
class _Door:
    """How an answer gets at the pool's pipelines."""

    pool: PlayedPool
    asker: PlayedPc
    waited: bool = False
    """Since the last token there was no plan, and PCs had to be waited for."""

    async def open(self) -> PlayedPipeline:
        return await self.pool.open(self.asker)

    async def wait_for_change(self) -> None:
        self.waited = True
        await self.pool.wait_for_change()


class Asking:
    """One question, until its answer is complete or nobody waits for it any more."""

    def __init__(
        self, request: Request, asker: PlayedPc, pool: PlayedPool, *, vocabulary: int, figures: Figures
    ) -> None:
        self._request = request
        self._door = _Door(pool, asker)
        self._vocabulary = vocabulary
        self._figures = figures
        self._shown: list[int] = []
        self._asked_s = self._latest_s = asyncio.get_running_loop().time()
        self._interrupted = False

    async def run(self, recovery: Recovery) -> None:
        """Take the answer as it comes, and count how it went, also where nobody waits for it any more."""
        outcome = "unfinished"
        try:
            outcome = await self._answered(recovery)
        finally:
            if outcome == "unfinished" and not self._door.asker.on:
                outcome = "asker went away"
            self._count(outcome)

    async def _answered(self, recovery: Recovery) -> str:
        try:
            async with aclosing(recovery(self._request, self._door)) as items:
                async for item in items:
                    if isinstance(item, Token):
                        self._take(item.id)
                    elif isinstance(item, Interrupted):
                        self._interrupted = True
        except NoRoom:
            return "refused"
        except RequestError:
            return "no place in line"
        except PoolError:
            return "failed"
        return "answered"

    def _count(self, outcome: str) -> None:
        self._figures.outcomes[outcome] += 1
        self._figures.tokens += len(self._shown)
        self._figures.lost_tokens += lost_tokens(
            self._request, self._shown, vocabulary=self._vocabulary, complete=outcome == "answered"
        )

    def _take(self, token: int) -> None:
        now = asyncio.get_running_loop().time()
        if not self._shown:
            self._figures.first_token_s.append(now - self._asked_s)
        elif self._interrupted:
            (self._figures.waits_s if self._door.waited else self._figures.pauses_s).append(now - self._latest_s)
        self._shown.append(token)
        self._latest_s = now
        self._interrupted = self._door.waited = False
