"""Whose turn it is to try a code: one at a time, and nobody who fails again and again keeps others waiting."""

from __future__ import annotations

import asyncio
from collections import Counter

MOST_HOSTS = 256
"""Whose failures are remembered; with more, all start anew."""


class PairingLine:
    """Those who want to try, by the hosts they come from: next is one whose host failed least, then who came first."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._failures = Counter[str]()

    async def enter(self, host: str, patience_s: float | None = None) -> None:
        """Wait for the turn, which lasts until `leave`. Raises TimeoutError where it does not come in time."""
        if not self._taken:
            self._taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((host, turn))
        try:
            async with asyncio.timeout(patience_s):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():  # it came at the same moment
                self.leave()
            raise
        finally:
            self._waiting = [other for other in self._waiting if other[1] is not turn]

    def leave(self) -> None:
        """The turn is over."""
        self._taken = bool(self._waiting)
        if self._waiting:
            host, turn = min(self._waiting, key=lambda waiting: self._failures[waiting[0]])
            self._waiting.remove((host, turn))
            turn.set_result(None)

    def failed(self, host: str) -> None:
        """An attempt from there came to nothing."""
        if host not in self._failures and len(self._failures) >= MOST_HOSTS:
            self._failures.clear()
        self._failures[host] += 1
