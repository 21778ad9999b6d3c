"""How long tensors are under way between PCs, from what these told of their links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.pool.plan_search import Matrix
from idlepool.engine.types import NodeId

LINK_MS = 1.0
"""Half a round trip where it was not measured."""

LINK_BYTES_MS = 100_000.0
"""And what crosses in a millisecond: nearly a gigabit a second."""

SLOWEST_MS = 1e5
SLOWEST_BYTES_MS = 1.0
"""What is told beyond that is taken for it."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Between PCs, `[PCs, PCs]` each."""

    ms: Matrix
    """Half a round trip."""
    bytes_ms: Matrix
    """What crosses in a millisecond."""

    @classmethod
    def equal(cls, pcs: int, ms: float = LINK_MS) -> Ways:
        """Of so many PCs that are all as far from one another."""
        return cls(np.full((pcs, pcs), ms), np.full((pcs, pcs), LINK_BYTES_MS))

    @classmethod
    def told(cls, nodes: Sequence[NodeId], links: Mapping[NodeId, Iterable[LinkTime]]) -> Ways:
        """As the PCs told of their `links`, or as usual.

        Both ends measure a link: the better of two figures is the one that was disturbed less.
        """
        ways = cls.equal(len(nodes))
        numbers = {node: number for number, node in enumerate(nodes)}
        known = np.full(ways.ms.shape, np.inf), np.zeros(ways.ms.shape)
        for node, others in links.items():
            for link in others:
                if node not in numbers or (other := numbers.get(NodeId(link.node))) is None:
                    continue
                for pair in ((numbers[node], other), (other, numbers[node])):
                    known[0][pair] = min(known[0][pair], link.ms or np.inf)
                    known[1][pair] = max(known[1][pair], link.bytes_per_s / 1000)
        return cls(
            np.where(np.isfinite(known[0]), np.minimum(known[0], SLOWEST_MS), ways.ms),
            np.where(known[1] > 0, np.maximum(known[1], SLOWEST_BYTES_MS), ways.bytes_ms),
        )

    def hops(self, payload_bytes: float, *, hop_ms: float) -> Matrix:
        """Milliseconds from one PC's stage to another's; those back to PC 0 carry chosen ids, which weigh nothing."""
        carried = payload_bytes / self.bytes_ms
        carried[:, 0] = 0.0
        return np.where(np.eye(len(self.ms), dtype=bool), 0.0, self.ms + carried + hop_ms)
