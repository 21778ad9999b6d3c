"""Several stages in one process, run one after another: what a pipeline does, without the PCs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from idlepool.engine.backends.base import Batch, Shard
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, SequenceId


@dataclass(frozen=True, slots=True)
class Step:
    """What a batch became."""

    hidden: npt.NDArray[np.float32]
    """`[tokens, hidden]`, what the last stage was given."""
    logits: npt.NDArray[np.float32]
    """`[sampled rows, vocabulary]`."""


class StageChain:
    """At least two shards that tile a model."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = tuple(shards)

    def run(self, segments: tuple[Segment, ...], ids: npt.NDArray[np.int32]) -> Step:
        """Compute a batch from token ids `[tokens]`. Raises as Shard.run() does."""
        rows: npt.NDArray[Any] = ids
        for shard in self._shards[:-1]:
            hidden = shard.run(Batch(segments, rows)).hidden
            assert hidden is not None
            rows = hidden
        logits = self._shards[-1].run(Batch(segments, rows)).logits
        assert logits is not None
        return Step(_as_float32(rows, self._shards[-1].wire), logits.copy())

    def end(self, sequence: SequenceId) -> None:
        """Free what is held of a sequence."""
        for shard in self._shards:
            shard.end(sequence)


def _as_float32(rows: npt.NDArray[Any], wire: ElementType) -> npt.NDArray[np.float32]:
    match wire:
        case ElementType.BF16:  # the upper half of a float32
            return (rows.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        case ElementType.F16:
            return rows.view(np.float16).astype(np.float32)
    return rows.astype(np.float32)
