"""One link out of several addresses: each is tried a little after the one before, and the first that holds wins.

The staggering is that of RFC 8305 ("happy eyeballs"), section 5; here a connection counts once the peer has proved who
it is, so nobody wins by merely being quick to answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from idlepool.engine.errors import LinkError, PeerUnreachable
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import Address

STAGGER_S = 0.25

Linked = TypeVar("Linked")


async def first_link(
    addresses: Sequence[Address],
    connect: Callable[[Address], Awaitable[Linked]],
    *,
    drop: Callable[[Linked], Awaitable[None]],
    tasks: TaskKeeper,
) -> tuple[Address, Linked]:
    """The first link that `connect` makes, and its address; the attempts under way are given up, among `tasks`.

    Two that come at the same moment are both made: `drop` gets the one that is not needed.

    Raises:
        LinkError: none could be made; what the best address said, before that nobody answers somewhere.
    """
    attempts: dict[asyncio.Task[Linked], Address] = {}
    waiting, failures = list(addresses), []
    try:
        while waiting or attempts:
            if waiting:
                address = waiting.pop(0)
                attempts[asyncio.ensure_future(_run(connect, address))] = address
            done, _ = await asyncio.wait(
                attempts, timeout=STAGGER_S if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for attempt in sorted(done, key=lambda a: addresses.index(attempts[a])):
                address = attempts.pop(attempt)
                error = attempt.exception()
                if error is None:
                    return address, attempt.result()
                if not isinstance(error, LinkError):
                    raise error
                failures.append((isinstance(error, PeerUnreachable), addresses.index(address), error))
    finally:
        tasks.start(_give_up(list(attempts), drop))
    if not failures:
        raise LinkError("There is no address to try.")
    raise min(failures, key=lambda failure: failure[:2])[2]


async def _run(connect: Callable[[Address], Awaitable[Linked]], address: Address) -> Linked:
    return await connect(address)


async def _give_up(attempts: list[asyncio.Task[Linked]], drop: Callable[[Linked], Awaitable[None]]) -> None:
    for attempt in attempts:
        attempt.cancel()
    if attempts:
        await asyncio.wait(attempts)
    for attempt in attempts:
        if not attempt.cancelled() and attempt.exception() is None:
            await drop(attempt.result())
