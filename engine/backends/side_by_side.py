"""Several sequences side by side in one input of a static graph: rows one after another, masks that keep them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from idlepool.engine.backends.ring import Positions
from idlepool.engine.graph.dimensions import Length
from idlepool.engine.graph.static import StaticInput

Array = npt.NDArray[Any]

BLOCKED = np.float32(np.finfo(np.float16).min)
"""What is added to the score of a position that is not seen: the lowest number that f16 knows, and no infinity."""


@dataclass(frozen=True, slots=True)
class PieceGeometry:
    """What one piece of a pack takes from its positions."""

    tensors: Sequence[Array]
    """In the order of the graph's StaticInputs; masks have a column for each position of the sequence so far."""
    columns: Positions
    """`[seen]`: the mask's columns of the static graph, the cache's slots first, then the graph's rows."""
    positions: Positions
    """`[seen]`: the positions that lie there."""
    seen: npt.NDArray[np.bool_]
    """`[rows, seen]`: which of them the ring lets a row see."""


def lay_side_by_side(buffer: Array, static: StaticInput, pieces: Sequence[tuple[PieceGeometry, Array]]) -> None:
    """Fill an input's buffer with one tensor of each piece; rows that are left repeat the last one.

    So the rows left over see what the last row sees, and none is without anything to see: that would be not a number.
    """
    if static.is_mask:
        _lay_masks(buffer, static, pieces)
        return
    axis = static.shape.index(Length.TOKENS)
    rows = np.moveaxis(buffer, axis, 0)
    row = 0
    for piece, tensor in pieces:
        rows[row : row + len(piece.seen)] = np.moveaxis(tensor, axis, 0)
        row += len(piece.seen)
    rows[row:] = rows[row - 1]


def _lay_masks(buffer: Array, static: StaticInput, pieces: Sequence[tuple[PieceGeometry, Array]]) -> None:
    axes = static.shape.index(Length.TOKENS), static.shape.index(Length.TOTAL)
    rows = np.moveaxis(buffer, axes, (0, 1))
    blocked = np.asarray(False if buffer.dtype == np.bool_ else BLOCKED, buffer.dtype)
    rows[...] = blocked
    row = 0
    for piece, tensor in pieces:
        own = tensor.reshape((1,) * (buffer.ndim - tensor.ndim) + tensor.shape)
        own = np.moveaxis(own, axes, (0, 1))[:, piece.positions]
        seen = piece.seen.reshape(piece.seen.shape + (1,) * (buffer.ndim - 2))
        rows[row : row + len(piece.seen), piece.columns] = np.where(seen, _as_mask(own, buffer.dtype), blocked)
        row += len(piece.seen)
    rows[row:] = rows[row - 1]


def _as_mask(values: Array, dtype: np.dtype[Any]) -> Array:
    """A model's own mask in the form of the static graph's."""
    if dtype == np.bool_:
        return values
    if values.dtype == np.bool_:
        return np.where(values, np.float32(0), BLOCKED)
    return np.maximum(values, BLOCKED)
