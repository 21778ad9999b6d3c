"""Which chunk is asked of which source next: the rarest that nobody is asked for, then what another is slow with."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

SLOW_S = 2.0
"""A chunk that takes longer is asked of a second source that has nothing else to do."""


class Holder:
    """A source, by the chunks that it has."""

    def __init__(self, have: frozenset[int]) -> None:
        self.have = have
        self.queue: list[int] = []
        """Those that may still be asked of it, the next one last."""


class ChunkBoard:
    """The chunks that are missing, who has them, and of how many each is asked now."""

    def __init__(self, missing: Iterable[int], *, clock: Callable[[], float] = time.monotonic) -> None:
        self.missing = set(missing)
        self._clock = clock
        self._holders: list[Holder] = []
        self._asked = dict[int, float]()
        """When each chunk that is under way was asked for last."""
        self._askers = defaultdict[int, list[Holder]](list)

    def join(self, have: frozenset[int]) -> Holder:
        """A source that has these chunks takes part from now on."""
        holder = Holder(have & self.missing)
        self._holders.append(holder)
        self._sort_queues()
        return holder

    def leave(self, holder: Holder) -> None:
        """A source takes no part any more; give up its chunks first."""
        self._holders.remove(holder)
        self._sort_queues()

    def ask(self, holder: Holder) -> int | None:
        """The chunk to ask that source for now, marked as asked; None where there is none for it at present."""
        while holder.queue:
            index = holder.queue.pop()
            if index in self.missing and index not in self._asked:
                return self._mark(index, holder)
        now = self._clock()
        slow = [
            index
            for index, since in self._asked.items()
            if index in holder.have and now - since > SLOW_S and self._is_of_another(index, holder)
        ]
        return self._mark(min(slow, key=self._asked.__getitem__), holder) if slow else None

    def waits(self, holder: Holder) -> bool:
        """Whether something may come up for that source: what others bring now may fail to come."""
        return any(index in holder.have and index in self.missing for index in self._asked)

    def came(self, index: int) -> bool:
        """A chunk is here; False where it was before."""
        new = index in self.missing
        self.missing.discard(index)
        return new

    def end(self, index: int, holder: Holder) -> None:
        """A source is not asked for a chunk any more, whether it came or not."""
        self._askers[index].remove(holder)
        if self._askers[index]:
            return
        del self._askers[index], self._asked[index]
        if index in self.missing:
            for other in self._holders:
                if index in other.have:
                    other.queue.append(index)

    def _mark(self, index: int, holder: Holder) -> int:
        self._askers[index].append(holder)
        self._asked[index] = self._clock()
        return index

    def _is_of_another(self, index: int, holder: Holder) -> bool:
        """Whether one other source, and no more, is asked for a chunk."""
        askers = self._askers[index]
        return index in self.missing and len(askers) == 1 and holder not in askers

    def _sort_queues(self) -> None:
        """The rarest last, where it is taken first; of those as rare as others the first one."""
        held_by = Counter(index for holder in self._holders for index in holder.have)
        for holder in self._holders:
            wanted = (index for index in holder.have if index in self.missing and index not in self._asked)
            holder.queue = sorted(wanted, key=lambda index: (held_by[index], index), reverse=True)
