"""Cutting the weights into chunks, so that what any span of layers reads is whole chunks and no byte more."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from idlepool.engine.graph.weight_ranges import ByteRange

CHUNK_BYTES = 4 << 20
"""Most bytes of a chunk: what is read, hashed, sent and lost at once."""


def cut_into_chunks(
    ranges: Sequence[Iterable[ByteRange]], *, most: int = CHUNK_BYTES
) -> tuple[tuple[ByteRange, ...], tuple[tuple[int, ...], ...]]:
    """Chunks that tile the union of all layers' ranges, ascending, and for each layer the indices of its chunks.

    A chunk ends where the set of layers that read it changes, and after `most` bytes.
    """
    chunks: list[ByteRange] = []
    layer_chunks: list[list[int]] = [[] for _ in ranges]
    for piece, owners in _pieces(ranges):
        for offset in range(piece.offset, piece.end, most):
            for layer in owners:
                layer_chunks[layer].append(len(chunks))
            chunks.append(ByteRange(offset, min(most, piece.end - offset)))
    return tuple(chunks), tuple(tuple(indices) for indices in layer_chunks)


def _pieces(ranges: Sequence[Iterable[ByteRange]]) -> Iterable[tuple[ByteRange, frozenset[int]]]:
    """The longest stretches of bytes that the same layers read, ascending, each with those layers."""
    borders: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for layer, items in enumerate(ranges):
        for item in items:
            borders[item.offset].append((layer, 1))
            borders[item.end].append((layer, -1))
    depth = Counter[int]()
    owners: frozenset[int] = frozenset()
    begin = 0
    for place in sorted(borders):
        for layer, change in borders[place]:
            depth[layer] += change
        here = frozenset(layer for layer, count in depth.items() if count)
        if here != owners:
            if owners:
                yield ByteRange(begin, place - begin), owners
            owners, begin = here, place
