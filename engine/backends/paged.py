"""The paged backend: all sequences in one inference, their KV caches in blocks of one pool.

A rewind is a smaller `past_lens` and costs nothing. Where the pool is full, the sequence not used for longest gives its
blocks back, and is asked for again by NeedsReplay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.base import Batch, Capacity, NeedsReplay, Output
from idlepool.engine.backends.block_cache import block_tokens, make_cache
from idlepool.engine.backends.block_pool import BlockPool, NoBlocks
from idlepool.engine.backends.step_inputs import StepInputs, port_numbers
from idlepool.engine.backends.tensors import words
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
        self._inputs = StepInputs(self._request)
        self._outputs = port_numbers(compiled.outputs)
        self._is_tail = EXIT not in self._outputs
        self.steps_ms: tuple[float, ...] = ()
        self._wire = wire

    @property
    def is_tail(self) -> bool:
        """Whether it ends in logits."""
        return self._is_tail

    @property
    def wire(self) -> ElementType:
        """Element type of the hidden states that go in and out."""
        return self._wire

    @property
    def capacity(self) -> Capacity:
        """See Shard.capacity."""
        return Capacity(self.pool.blocks * self.pool.block_tokens, self.pool.block_tokens)

    def run(self, batch: Batch) -> Output:
        """See Shard.run; a batch has at most one segment of each sequence."""
        if len({segment.sequence for segment in batch.segments}) < len(batch.segments):
            raise ValueError("two segments of one sequence in a batch")
        try:
            for segment in batch.segments:
                self._reach_start(segment)
        except NeedsReplay:
            self._void(batch.segments)
            raise
        needed = frozenset(SequenceId(segment.sequence) for segment in batch.segments)
        self._make_room_for_all(batch.segments, needed)
        try:
            return self._infer(batch)
        except RuntimeError:
            # What the caches hold of these positions is unknown now; the sequences are replayed instead.
            for sequence in needed:
                self.pool.end(sequence)
            raise

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        """See Shard.end."""
        if keep:
            self.pool.rewind(sequence, keep)
        else:
            self.pool.end(sequence)

    def _reach_start(self, segment: Segment) -> None:
        """See that what lies before a segment is held, by its own sequence or by its parent."""
        sequence, parent = SequenceId(segment.sequence), SequenceId(segment.parent)
        held = self.pool.length(sequence)
        if held >= segment.start:
            return
        if not segment.parent or self.pool.length(parent) < segment.start:
            raise NeedsReplay(sequence, held)
        self.pool.end(sequence)
        self.pool.fork(parent, sequence, segment.start)

    def _void(self, segments: Sequence[Segment]) -> None:
        for segment in segments:
            self.pool.rewind(SequenceId(segment.sequence), segment.start)

    def _make_room_for_all(self, segments: Sequence[Segment], needed: frozenset[SequenceId]) -> None:
        try:
            for segment in segments:
                self._make_room(segment, needed)
        except NoBlocks:
            self._void(segments)  # what has room already was not computed
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
        self._feed(batch)
        self._request.infer(share_outputs=True)  # else it copies them
        if not self._is_tail:
            hidden: npt.NDArray[Any] = words(self._request.get_output_tensor(0))[:, 0].copy()
            return Output(hidden=hidden)
        rows = sum(segment.sample for segment in batch.segments)
        logits: npt.NDArray[Any] = self._request.get_output_tensor(0).data[:rows, 0]
        if BEST_IDS not in self._outputs:
            return Output(logits=logits.copy())
        ids = self._best(BEST_IDS)[:rows]
        best = self._best(BEST_LOGITS)[:rows]
        if any(len(set(row)) < len(row) for row in best.tolist()):  # of equal logits the lowest id first, as everywhere
            order = np.lexsort((ids, -best), axis=-1)
            ids, best = np.take_along_axis(ids, order, -1), np.take_along_axis(best, order, -1)
        return Output(logits=logits, best_ids=ids, best_logits=best)

    def _best(self, name: str) -> npt.NDArray[Any]:
        """`[rows, k]` of the graph's candidates."""
        output: npt.NDArray[Any] = self._request.get_output_tensor(self._outputs[name]).data
        return output[:, 0]

    def _feed(self, batch: Batch) -> None:
        """Everything a paged graph may ask for; see to_paged()."""
        segments, write = batch.segments, self._inputs.write
        ends = list(accumulate(segment.count for segment in segments))
        tables = [self.pool.table(SequenceId(segment.sequence)) for segment in segments]
        write("position_ids", [p for s in segments for p in range(s.start, s.start + s.count)], np.int64)
        write("past_lens", [segment.start for segment in segments], np.int32)
        write("max_context_len", max(segment.start + segment.count for segment in segments), np.int32)
        write("subsequence_begins", [0, *ends], np.int32)
        write("block_indices_begins", [0, *accumulate(map(len, tables))], np.int32)
        write("block_indices", list(chain.from_iterable(tables)), np.int32)
        sampled = [row for s, end in zip(segments, ends, strict=True) for row in range(end - s.sample, end)]
        write(ROWS, sampled or [0], np.int64)  # one row where none is sampled: the head's shape may not be empty
        if ENTRY in self._inputs:
            self._inputs.write_hidden(ENTRY, batch.rows, self._wire)
        else:
            write("input_ids", batch.rows.tolist(), np.int64)
