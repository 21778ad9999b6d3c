"""How many bytes of weights each span of layers reads, for all spans at once."""

from __future__ import annotations

import numpy as np

from idlepool.engine.models.manifest import Manifest
from idlepool.engine.pool.plan_search import Matrix


class SpanBytes:
    """Which layer reads which chunk: what a span takes is counted once, however many of its layers read it.

    Of the layers of a span only the first that reads a chunk counts: with its reader before at p, the layer r counts
    in all spans that begin after p and reach r.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._size = manifest.layers + 1
        self._lengths = np.array([chunk.length for chunk in manifest.chunks], np.float64)
        before = np.zeros(len(manifest.chunks), np.int64)
        self._reads = []
        for layer, chunks in enumerate(manifest.layer_chunks):
            read = np.array(chunks, np.int64)
            self._reads.append((read, before[read]))
            before[read] = layer + 1

    def besides(self, held: frozenset[int]) -> Matrix:
        """Bytes of the chunks that a span `[first, last)` reads and that are not among `held`.

        `[layers + 1, layers + 1]`, by first and last.
        """
        lengths = self._lengths.copy()
        known = np.fromiter(held, np.int64, len(held))
        lengths[known[(known >= 0) & (known < len(lengths))]] = 0
        counted = np.zeros((self._size, self._size))
        for layer, (chunks, first) in enumerate(self._reads):
            # In column `layer + 1`: it belongs to the spans whose `last` is at least that.
            counted[:, layer + 1] = np.bincount(first, lengths[chunks], self._size)
        return np.asarray(np.cumsum(np.triu(np.cumsum(counted, axis=0), 1), axis=1))
