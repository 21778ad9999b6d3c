"""One answer over as many pipelines as it takes: where one breaks, the next goes on from the tokens that were given.

    pipeline breaks -> plan on what is left -> prompt and given tokens are its prompt -> the answer goes on
                       no plan: wait for a PC, and try again whenever one comes

Ids are picked by seed and position, so a reproducible answer is the same to the bit as without the break.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Protocol

from idlepool.engine.decode.request import Answer, Finished, Interrupted, Queued, Request, Token
from idlepool.engine.errors import NoRoom, PeerLost, PoolError, StageLeft

MOST_BREAKS = 4
"""Pipelines that may fail one after another without a token in between: the question itself may be what breaks them.
That a PC goes away, or its owner comes back, is no question's fault, and happens as often as it will."""

IN_A_MOMENT = "The answer goes on in a moment."
WHEN_THERE_IS_HELP = "The answer goes on by itself when a PC comes that can help."

TRY_AGAIN_S = 5.0
"""Without a PC that comes or goes, a plan is tried again so often: memory may have become free."""


class Running(Protocol):
    """The part of a Pipeline that is needed here."""

    broken: PoolError | None

    def generate(self, request: Request) -> Answer:
        """See Pipeline.generate()."""


class Opener(Protocol):
    """Opens pipelines of one model."""

    async def open(self) -> Running:
        """The running pipeline, or a new one. Raises NoRoom where no plan fits the PCs that are here."""

    async def wait_for_change(self) -> None:
        """Until a PC comes, goes, or lends something else."""


@dataclass(slots=True)
class _Given:
    """What the asker has of an answer."""

    ids: list[int] = field(default_factory=list)
    drafted: int = 0
    accepted: int = 0

    def rest(self, request: Request) -> Request:
        """What is still to be asked."""
        if not self.ids:
            return request
        prompt = (*request.prompt, *self.ids)
        return replace(request, prompt=prompt, max_tokens=request.max_tokens - len(self.ids), resumed=True)


async def carry_on(request: Request, opener: Opener) -> Answer:
    """Answer a request; each token comes once, whatever breaks in between. Interrupted says what is waited for.

    Raises:
        RequestError: it could never be answered.
        NoRoom: the PCs here cannot hold the model, and could not when it was asked.
        PoolError: what breaks is broken by this very question.
    """
    given = _Given()
    breaks = 0
    lost: PoolError | None = None
    while True:
        try:
            pipeline = await opener.open()
        except NoRoom as error:
            if lost is None:
                raise
            yield Interrupted(f"{lost.sentence} {error.sentence} {WHEN_THERE_IS_HELP}")
            await _change_or_a_while(opener)
            continue
        before, earlier = len(given.ids), replace(given)
        try:
            async with aclosing(pipeline.generate(given.rest(request))) as items:
                async for item in items:
                    yield _counted(item, given, earlier)
                    if isinstance(item, Finished):
                        return
        except PoolError as error:
            breaks = breaks if len(given.ids) == before else 0
            breaks += not isinstance(error, PeerLost | StageLeft)
            if pipeline.broken is None or breaks >= MOST_BREAKS:
                raise
            lost = error
            yield Interrupted(f"{error.sentence} {IN_A_MOMENT}")


def _counted(
    item: Queued | Token | Finished | Interrupted, given: _Given, earlier: _Given
) -> Queued | Token | Finished | Interrupted:
    """The item with the guesses of earlier pipelines counted in; a token is given from now on."""
    if isinstance(item, Token):
        given.ids.append(item.id)
    if isinstance(item, Token | Finished) and (item.drafted or earlier.drafted):
        item = replace(item, drafted=item.drafted + earlier.drafted, accepted=item.accepted + earlier.accepted)
        given.drafted, given.accepted = item.drafted, item.accepted
    return item


async def _change_or_a_while(opener: Opener) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(TRY_AGAIN_S):
            await opener.wait_for_change()
