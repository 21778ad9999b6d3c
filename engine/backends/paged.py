"""The paged backend: all sequences in one inference, their KV caches in blocks of one pool.

A rewind is a smaller `past_lens` and costs nothing. Where the pool is full, the sequence not used for longest gives its
blocks back, and is asked for again by NeedsReplay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.base import Batch, NeedsReplay, Output
from idlepool.engine.backends.block_cache import block_tokens, make_cache
from idlepool.engine.backends.block_pool import BlockPool, NoBlocks
from idlepool.engine.backends.tensors import hidden_tensor, words
from idlepool.engine.graph.cut import ENTRY, EXIT
from idlepool.engine.graph.sampled_rows import BEST_IDS, BEST_LOGITS, ROWS
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, SequenceId

DEFAULT_CACHE_TOKENS = 16_384
"""Positions that the cache of a shard holds, for all its sequences together."""


class PagedShard:
    """A compiled span of layers in paged form; not thread-safe."""

    def __init__(
        self,
        core: ov.Core,
        compiled: ov.CompiledModel,
        *,
        wire: ElementType,
        cache_tokens: int = DEFAULT_CACHE_TOKENS,
    ) -> None:
        size = block_tokens(compiled)
        self.pool = BlockPool(-(-cache_tokens // size), size)
        self._cache = make_cache(core, compiled, self.pool.blocks)
        self._request = compiled.create_infer_request()
        self._cache.bind(self._request)
        self._inputs = frozenset(name for port in compiled.inputs for name in port.get_names())
        self._is_tail = EXIT not in compiled.outputs[0].get_names()
        self._has_best = any(BEST_IDS in port.get_names() for port in compiled.outputs)
        self._wire = wire

    @property
    def is_tail(self) -> bool:
        """Whether it ends in logits."""
        return self._is_tail

    @property
    def wire(self) -> ElementType:
        """Element type of the hidden states that go in and out."""
        return self._wire

    def run(self, batch: Batch) -> Output:
        """See Shard.run; a batch has at most one segment of each sequence."""
        if len({segment.sequence for segment in batch.segments}) < len(batch.segments):
            raise ValueError("two segments of one sequence in a batch")
        for segment in batch.segments:
            held = self.pool.length(SequenceId(segment.sequence))
            if held < segment.start:
                raise NeedsReplay(SequenceId(segment.sequence), held)
        needed = frozenset(SequenceId(segment.sequence) for segment in batch.segments)
        self._make_room_for_all(batch.segments, needed)
        try:
            return self._infer(batch)
        except RuntimeError:
            # What the caches hold of these positions is unknown now; the sequences are replayed instead.
            for sequence in needed:
                self.pool.end(sequence)
            raise

    def fork(self, parent: SequenceId, child: SequenceId, length: int) -> None:
        """Let a new sequence begin with the first `length` positions of another, without computing them again.

        Raises:
            NeedsReplay: less is held of the parent.
        """
        if self.pool.length(parent) < length:
            raise NeedsReplay(parent, self.pool.length(parent))
        self.pool.end(child)
        self.pool.fork(parent, child, length)

    def end(self, sequence: SequenceId) -> None:
        """See Shard.end."""
        self.pool.end(sequence)

    def _make_room_for_all(self, segments: Sequence[Segment], needed: frozenset[SequenceId]) -> None:
        try:
            for segment in segments:
                self._make_room(segment, needed)
        except NoBlocks:
            for segment in segments:  # what has room already was not computed
                self.pool.rewind(SequenceId(segment.sequence), segment.start)
            raise

    def _make_room(self, segment: Segment, needed: frozenset[SequenceId]) -> None:
        """Blocks for a segment, from sequences that nobody needs now where none is free."""
        while True:
            try:
                copies = self.pool.extend(SequenceId(segment.sequence), segment.start, segment.count)
            except NoBlocks:
                idle = next((s for s in self.pool.sequences if s not in needed), None)
                if idle is None:
                    raise
                self.pool.end(idle)
            else:
                if copies:
                    self._cache.copy(copies)
                return

    def _infer(self, batch: Batch) -> Output:
        for name, tensor in self._feeds(batch).items():
            if name in self._inputs:
                self._request.set_tensor(name, tensor)
        self._request.infer()
        if not self._is_tail:
            hidden: npt.NDArray[Any] = words(self._request.get_output_tensor(0))[:, 0].copy()
            return Output(hidden=hidden)
        rows = sum(segment.sample for segment in batch.segments)
        logits: npt.NDArray[Any] = self._request.get_output_tensor(0).data[:rows, 0]
        if not self._has_best:
            return Output(logits=logits.copy())
        ids = self._request.get_tensor(BEST_IDS).data[:rows, 0]
        best = self._request.get_tensor(BEST_LOGITS).data[:rows, 0]
        order = np.lexsort((ids, -best), axis=-1)  # of equal logits the lowest id first, as everywhere
        return Output(
            logits=logits,
            best_ids=np.take_along_axis(ids, order, -1),
            best_logits=np.take_along_axis(best, order, -1),
        )

    def _feeds(self, batch: Batch) -> dict[str, ov.Tensor]:
        """Everything a paged graph may ask for; see to_paged()."""
        segments = batch.segments
        counts = np.array([segment.count for segment in segments])
        starts = np.array([segment.start for segment in segments])
        tables = [self.pool.table(SequenceId(segment.sequence)) for segment in segments]
        feeds = {
            "position_ids": np.concatenate([np.arange(s.start, s.start + s.count) for s in segments]).astype(np.int64),
            "past_lens": starts.astype(np.int32),
            "max_context_len": np.array((starts + counts).max(), np.int32),
            "subsequence_begins": _begins(counts),
            "block_indices_begins": _begins([len(table) for table in tables]),
            "block_indices": np.concatenate(tables).astype(np.int32),
            ROWS: _sampled_rows(segments),
        }
        tensors = {name: ov.Tensor(array) for name, array in feeds.items()}
        if ENTRY in self._inputs:
            return tensors | {ENTRY: hidden_tensor(batch.rows, self._wire)}
        return tensors | {"input_ids": ov.Tensor(batch.rows.astype(np.int64))}


def _begins(counts: Sequence[int] | npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """`[n + 1]`: where each of n runs begins, and where the last ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _sampled_rows(segments: Sequence[Segment]) -> npt.NDArray[np.int64]:
    """The trailing rows of the segments that are sampled; one row where none is, to keep the head's shape from being
    empty."""
    rows: list[int] = []
    end = 0
    for segment in segments:
        end += segment.count
        rows += range(end - segment.sample, end)
    return np.array(rows or [0], np.int64)
