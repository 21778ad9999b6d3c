"""The cheapest chain of PCs through the layers of a model: pure, over matrices of costs.

PC 0 takes the first layers, each PC at most one span, and all spans together are all layers. What a chain costs is the
sum of its spans and links, or its costliest span. Up to MOST_EXACT PCs the answer is the best there is: dynamic
programming over sets of PCs (Held and Karp, 1962) with the layers placed so far as a second axis. Beyond, PCs are taken
in an order, in which the best is found as quickly, and the order is improved.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from idlepool.engine.types import Span

Matrix = npt.NDArray[np.float64]

MOST_EXACT = 8

ORDERS_TRIED = 90
MOST_ORDERS_TRIED = 450
"""Beyond MOST_EXACT PCs: the fewer, the more layers a model has."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What a chain is made of. No cost is negative; infinite is what cannot be."""

    spans: Matrix
    """`[PCs, layers + 1, layers + 1]`: what layers `[first, last)` cost on a PC."""
    links: Matrix
    """`[PCs, PCs]`: what it costs to go from one PC to another. A chain ends with the way back to PC 0."""

    @property
    def pcs(self) -> int:
        """How many PCs there are."""
        return len(self.spans)

    @property
    def layers(self) -> int:
        """How many layers the model has."""
        return int(self.spans.shape[1]) - 1

    def only(self, pcs: Sequence[int]) -> Costs:
        """Of these PCs."""
        return Costs(self.spans[list(pcs)], self.links[np.ix_(pcs, pcs)])


@dataclass(frozen=True, slots=True)
class Chain:
    """PCs by number, in order, and what each runs. A chain without PCs costs infinitely much: there is none."""

    cost: float = np.inf
    pcs: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    placed: int = 0
    """Where there is none: how many layers could be placed. More come nearer to one."""


NO_CHAIN = Chain()

Join = Callable[[Any, Any], Any]
"""np.add for the sum of all spans and links, np.maximum for the costliest one."""


def cheapest(costs: Costs) -> Chain:
    """The chain whose spans and links cost least together; exact for up to MOST_EXACT PCs."""
    return _search(costs, np.add)


def evenest(costs: Costs) -> Chain:
    """Of the chains whose costliest span is cheapest the one that costs least together. Links do not count as spans."""
    slowest = _search(Costs(costs.spans, np.zeros_like(costs.links)), np.maximum)
    if not slowest.pcs:
        return NO_CHAIN
    return cheapest_within(costs, slowest.cost, known=slowest.pcs)


def cheapest_within(costs: Costs, most: float, *, known: tuple[int, ...]) -> Chain:
    """Of the chains none of whose spans costs more than `most` the one that costs least together; `known` are the PCs
    of one of them."""
    return _search(_within(costs, most), np.add, known=known)


def in_this_order(costs: Costs) -> Chain:
    """The cheapest chain of all PCs, in their order."""
    return _along(costs, range(costs.pcs), np.add, skip=False)


def evenest_in_this_order(costs: Costs) -> Chain:
    """The chain of all PCs in their order whose costliest span is cheapest."""
    slowest = _along(Costs(costs.spans, np.zeros_like(costs.links)), range(costs.pcs), np.maximum, skip=False)
    return _along(_within(costs, slowest.cost), range(costs.pcs), np.add, skip=False)


def _within(costs: Costs, most: float) -> Costs:
    return Costs(np.where(costs.spans <= most * (1 + 1e-9), costs.spans, np.inf), costs.links)


def _search(costs: Costs, join: Join, *, known: tuple[int, ...] = ()) -> Chain:
    """`known`: the PCs of a chain that can be, in order; little is tried to better it."""
    if costs.pcs <= MOST_EXACT:
        return _exact(costs, join)
    tried = [_Order(costs, order, join) for order in _orders(costs, known)]
    best = _improved(costs, join, min(tried, key=lambda order: order.merit), few=bool(known)).chain()
    if known:
        return best
    return min(best, _among_the_best(costs, join, best), key=_merit)


def _exact(costs: Costs, join: Join) -> Chain:
    """best[set, j, n]: least cost of the layers [0, n) on the PCs of a set (a bit each) of which j is the last."""
    pcs, layers = costs.pcs, costs.layers
    best = np.full((1 << pcs, pcs, layers + 1), np.inf)
    best[1, 0] = costs.spans[0, 0]
    for chosen in range(3, 1 << pcs, 2):
        for pc in range(1, pcs):
            if chosen >> pc & 1:
                before = join(best[chosen ^ 1 << pc], costs.links[:, pc, None]).min(axis=0)
                best[chosen, pc] = join(before[:, None], costs.spans[pc]).min(axis=0)
    ends = join(best[:, :, layers], costs.links[None, :, 0])
    chosen, pc = (int(place) for place in np.unravel_index(np.argmin(ends), ends.shape))
    cost = float(ends[chosen, pc])
    if cost == np.inf:
        return NO_CHAIN
    reverse, spans, last = [pc], [], layers
    while pc:
        chosen ^= 1 << pc
        ways = join(best[chosen], costs.links[:, pc, None])
        first = int(np.argmin(join(ways.min(axis=0), costs.spans[pc, :, last])))
        spans.append(Span(first, last))
        pc, last = int(np.argmin(ways[:, first])), first
        reverse.append(pc)
    return Chain(cost, tuple(reverse[::-1]), (Span(0, last), *spans[::-1]))


def _along(costs: Costs, order: Sequence[int], join: Join, *, skip: bool = True) -> Chain:
    """The best chain of PCs in an order that begins with 0; `skip`: of some of them, else of all."""
    return _Order(costs, order, join, skip=skip).chain()


class _Order:
    """PCs in an order that begins with 0, and what the best chains of them cost.

    best[p, n]: least cost of the layers [0, n) on PCs of the order of which the one at place p is the last. They are
    what `like` has for the places before `same`, where the two orders are equal.
    """

    def __init__(
        self,
        costs: Costs,
        order: Sequence[int],
        join: Join,
        *,
        skip: bool = True,
        like: _Order | None = None,
        same: int = 1,
    ) -> None:
        self.order = list(order)
        self._costs, self._join, self._skip = costs, join, skip
        self._links = costs.links[np.ix_(self.order, self.order)]
        self.best = np.full((len(self.order), costs.layers + 1), np.inf)
        self.best[0] = costs.spans[0, 0]
        if like is not None:
            self.best[:same] = like.best[:same]
        for place in range(same, len(self.order)):
            before = self._ways_to(place).min(axis=0)
            self.best[place] = join(before[:, None], costs.spans[self.order[place]]).min(axis=0)
        ends = join(self.best[:, costs.layers], self._links[:, 0])
        self._last = int(np.argmin(ends)) if skip else len(self.order) - 1
        self.cost = float(ends[self._last])
        """Of the best chain; infinite where there is none."""

    @property
    def merit(self) -> tuple[float, int]:
        """The less, the better: what the chain costs, or where there is none how many layers cannot be placed."""
        return self.cost, -self._placed if self.cost == np.inf else 0

    def chain(self) -> Chain:
        """The best one."""
        if self.cost == np.inf:
            return Chain(placed=self._placed)
        place, last = self._last, self._costs.layers
        places, spans = [place], []
        while place:
            ways = self._ways_to(place)
            first = int(np.argmin(self._join(ways.min(axis=0), self._costs.spans[self.order[place], :, last])))
            spans.append(Span(first, last))
            place, last = self._before(place) + int(np.argmin(ways[:, first])), first
            places.append(place)
        return Chain(
            self.cost, tuple(self.order[place] for place in reversed(places)), (Span(0, last), *reversed(spans))
        )

    @property
    def _placed(self) -> int:
        return int(np.flatnonzero(np.isfinite(self.best).any(axis=0)).max(initial=0))

    def _before(self, place: int) -> int:
        """The first place from which one can go to a place."""
        return 0 if self._skip else place - 1

    def _ways_to(self, place: int) -> Matrix:
        """`[places before, layers + 1]`: what it costs to come to a place with so many layers run."""
        before = slice(self._before(place), place)
        return np.asarray(self._join(self.best[before], self._links[before, place, None]))


def _orders(costs: Costs, known: tuple[int, ...]) -> list[list[int]]:
    """Orders to begin with: what is known, the fastest first, the roomiest first, and each time to the nearest."""
    others = range(1, costs.pcs)
    speed, room = _speed(costs), _room(costs)
    nearest, left = [0], set(others)
    while left:
        nearest.append(min(left, key=lambda pc: (costs.links[nearest[-1], pc] + speed[pc], pc)))
        left.remove(nearest[-1])
    return [
        [*(known or (0,)), *(pc for pc in others if pc not in known)],
        [0, *sorted(others, key=lambda pc: (speed[pc], pc))],
        [0, *sorted(others, key=lambda pc: (-room[pc], speed[pc], pc))],
        nearest,
    ]


def _improved(costs: Costs, join: Join, best: _Order, *, few: bool) -> _Order:
    """PCs trade places, move or turn round, as long as the chain gets no worse by it; always with the same chances."""
    chance = random.Random(0)
    tries = max(ORDERS_TRIED, min(MOST_ORDERS_TRIED, MOST_ORDERS_TRIED * 25 // costs.layers))
    for _ in range(tries // 3 if few else tries):
        changed, same = _changed(best.order, chance)
        tried = _Order(costs, changed, join, like=best, same=same)
        if tried.merit <= best.merit:
            best = tried
    return best


def _changed(order: list[int], chance: random.Random) -> tuple[list[int], int]:
    """Another order, and how many PCs in front it has left where they were."""
    one, other = sorted(chance.sample(range(1, len(order)), 2))
    changed = list(order)
    match chance.randrange(4):
        case 0:
            changed[one], changed[other] = changed[other], changed[one]
        case 1:
            changed.insert(other, changed.pop(one))
        case 2:
            changed.insert(one, changed.pop(other))
        case _:
            changed[one : other + 1] = changed[one : other + 1][::-1]
    return changed, one


def _among_the_best(costs: Costs, join: Join, chain: Chain) -> Chain:
    """The exact answer for the PCs of a chain, or its first ones, and the fastest others."""
    some = sorted(_completed(costs, chain)[:MOST_EXACT])
    found = _exact(costs.only(some), join)
    return Chain(found.cost, tuple(some[pc] for pc in found.pcs), found.spans)


def _completed(costs: Costs, chain: Chain) -> list[int]:
    """The PCs of a chain, then the others, the fastest first."""
    speed = _speed(costs)
    used = chain.pcs or (0,)
    return [*used, *sorted(set(range(costs.pcs)) - set(used), key=lambda pc: (speed[pc], pc))]


def _speed(costs: Costs) -> Matrix:
    """For each PC what a layer costs in the largest spans it can run; infinite where it can run none."""
    widths = np.arange(costs.layers + 1)[None, :] - np.arange(costs.layers + 1)[:, None]
    possible = np.isfinite(costs.spans) & (widths > 0)
    each = np.where(possible, costs.spans, 0.0).sum(axis=(1, 2)) / np.maximum(
        np.where(possible, widths, 0).sum(axis=(1, 2)), 1
    )
    return np.where(possible.any(axis=(1, 2)), each, np.inf)


def _room(costs: Costs) -> Matrix:
    """For each PC the most layers it can run at once."""
    widths = np.arange(costs.layers + 1)[None, :] - np.arange(costs.layers + 1)[:, None]
    return np.asarray(np.where(np.isfinite(costs.spans), widths, 0).max(axis=(1, 2)), np.float64)


def _merit(chain: Chain) -> tuple[float, int]:
    return chain.cost, -chain.placed
