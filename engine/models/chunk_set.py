"""Which chunks of a model are somewhere, as one bit each: in the record beside a partial model, and between PCs.

Chunk i is bit i % 8, counted from the least significant, of byte i // 8; unused bits are zero.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from idlepool.engine.errors import MessageError


def pack_chunks(indices: Iterable[int], count: int) -> bytes:
    """The bits of a model of `count` chunks in which those of `indices` are set."""
    bits = np.zeros(count, np.uint8)
    bits[list(indices)] = 1
    return np.packbits(bits, bitorder="little").tobytes()


def unpack_chunks(data: bytes | bytearray | memoryview, count: int) -> frozenset[int]:
    """The indices of the bits that are set.

    Raises:
        MessageError: these are not the bits of `count` chunks.
    """
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    if len(data) != -(-count // 8) or bits[count:].any():
        raise MessageError(f"{len(data)} bytes came where a bit for each of {count} chunks was due.")
    return frozenset(np.flatnonzero(bits).tolist())
