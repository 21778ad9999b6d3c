"""The stateful backend: OpenVINO keeps the KV cache, one request for each sequence.

The paper's form. The `beam_idx` Gather of each cache stays in the graph with a constant zero, because the plugins'
attention fusion matches on it. A rewind cuts the caches, or leaves holes that the attention mask hides until they are
worth cutting.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.base import Batch, Capacity, NeedsReplay, Output
from idlepool.engine.backends.slots import Slots
from idlepool.engine.backends.step_inputs import StepInputs
from idlepool.engine.backends.tensors import words
from idlepool.engine.graph.cut import ENTRY, EXIT
from idlepool.engine.graph.kv_gather import fused_layers
from idlepool.engine.graph.sampled_rows import ROWS
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, SequenceId


@dataclass(slots=True)
class _Held:
    """A sequence's request and what its caches hold."""

    request: ov.InferRequest
    inputs: StepInputs
    slots: Slots = field(default_factory=Slots)


class StatefulShard:
    """A compiled span of layers. Safe to call from several threads: its requests run one after another.

    `cache_axes` names for each state variable the axis that grows with the tokens. At most `max_sequences` are held;
    the one not used for longest goes first, and is asked for again by NeedsReplay.

    `void_limit` is the share of a sequence's cache that may be holes. With 0 every rewind cuts the caches: what follows
    is bit for bit as if the rejected tokens had never been there, if the cache keeps the inference precision. With more
    a rewind moves nothing, but attention adds up its terms in other groups around a hole: logits agree to 1e-5 of their
    size in f32, and where weights are compressed the 8-bit rounding of activations can blow that up to a near-tie's
    gap. Cutting the holes out later moves values unchanged, and keeps what was computed beside them.
    """

    def __init__(
        self,
        compiled: ov.CompiledModel,
        cache_axes: dict[str, int],
        *,
        wire: ElementType,
        void_limit: float = 0.0,
        max_sequences: int = 8,
    ) -> None:
        self._compiled = compiled
        self._cache_axes = cache_axes
        self.steps_ms: tuple[float, ...] = ()
        self._wire = wire
        self._void_limit = void_limit
        self._max_sequences = max_sequences
        self._is_tail = EXIT not in compiled.outputs[0].get_names()
        self._held: OrderedDict[SequenceId, _Held] = OrderedDict()
        self._one_at_a_time = threading.Lock()

    @property
    def fused_layers(self) -> int:
        """Attentions that the CPU plugin runs together with their caches."""
        return fused_layers(self._compiled)

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
        return Capacity(sequences=self._max_sequences)

    def run(self, batch: Batch) -> Output:
        """See Shard.run; the segments run one after another, each in its own request."""
        with self._one_at_a_time:
            try:
                self._reach_starts(batch.segments)
                outputs = self._run_segments(batch)
            except NeedsReplay:
                for segment in batch.segments:
                    if segment.sequence in self._held:
                        self._rewind(self._held[SequenceId(segment.sequence)], segment.start)
                raise
        whole = np.concatenate(outputs) if len(outputs) > 1 else outputs[0]
        return Output(logits=whole) if self._is_tail else Output(hidden=whole)

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        """See Shard.end."""
        with self._one_at_a_time:
            if not keep:  # a cache is cut by the next segment that begins earlier
                self._held.pop(sequence, None)

    def _reach_starts(self, segments: Sequence[Segment]) -> None:
        """See that what lies before each segment is held, before any is run."""
        for segment in segments:  # before another one looks for a place to take
            if segment.sequence in self._held:
                self._held.move_to_end(SequenceId(segment.sequence))
        for segment in segments:
            held = self._positions(SequenceId(segment.sequence))
            if held < segment.start:
                self._fork(segment, held)

    def _fork(self, segment: Segment, held: int) -> None:
        """Begin a sequence, of which only `held` positions are here, with those of its parent."""
        parent = self._held.get(SequenceId(segment.parent)) if segment.parent else None
        if parent is None or parent.slots.positions < segment.start:
            raise NeedsReplay(SequenceId(segment.sequence), held)
        child = self._entry(SequenceId(segment.sequence))  # may take the parent's place; `parent` keeps its caches
        self._copy_caches(parent.request, child.request, parent.slots.held()[: segment.start])
        child.slots = Slots()
        child.slots.extend(segment.start)

    def _run_segments(self, batch: Batch) -> list[npt.NDArray[Any]]:
        outputs = []
        row = 0
        for segment in batch.segments:
            outputs.append(self._run_segment(segment, batch.rows[row : row + segment.count]))
            row += segment.count
        return outputs

    def _run_segment(self, segment: Segment, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        sequence = SequenceId(segment.sequence)
        reach = self._positions(sequence)
        if reach < segment.start:  # another one of the batch took its place
            raise NeedsReplay(sequence, reach)
        held = self._entry(sequence)
        try:
            self._rewind(held, segment.start)
            held.slots.extend(segment.count)
            self._feed(held, segment, rows)
            held.request.infer(share_outputs=True)  # else it copies them
        except BaseException:
            # What the caches hold is unknown now; the sequence is replayed instead.
            self._held.pop(sequence, None)
            raise
        output = held.request.get_output_tensor(0)
        if not self._is_tail:
            hidden: npt.NDArray[Any] = words(output)[0].copy()
            return hidden
        logits: npt.NDArray[Any] = output.data[0]
        return logits[len(logits) - segment.sample :].astype(np.float32)

    def _positions(self, sequence: SequenceId) -> int:
        """How many are held of a sequence."""
        held = self._held.get(sequence)
        return held.slots.positions if held else 0

    def _entry(self, sequence: SequenceId) -> _Held:
        """What is held of the sequence; a new one makes room for itself."""
        held = self._held.get(sequence)
        if held is None:
            while len(self._held) >= self._max_sequences:
                self._held.popitem(last=False)
            request = self._compiled.create_infer_request()
            held = self._held[sequence] = _Held(request, StepInputs(request))
        self._held.move_to_end(sequence)
        return held

    def _rewind(self, held: _Held, start: int) -> None:
        """Void what is held from `start` on."""
        if start == 0:
            held.request.reset_state()
            held.slots = Slots()
        elif start < held.slots.positions:
            held.slots.rewind(start)
            if held.slots.void_share > self._void_limit:
                self._compact(held)

    def _compact(self, held: _Held) -> None:
        """Cut the void slots out of every cache."""
        self._copy_caches(held.request, held.request, held.slots.held())
        held.slots.compact()

    def _copy_caches(self, source: ov.InferRequest, target: ov.InferRequest, kept: npt.NDArray[np.intp]) -> None:
        """Let the caches of `target` be the slots `kept` of those of `source`; exact, since the plugin gives its own
        values back."""
        targets = {state.name: state for state in target.query_state()}
        for state in source.query_state():
            cache = state.state
            values = np.ascontiguousarray(words(cache).take(kept, axis=self._cache_axes[state.name]))
            targets[state.name].state = ov.Tensor(values, ov.Shape(values.shape), cache.get_element_type())

    def _feed(self, held: _Held, segment: Segment, rows: npt.NDArray[Any]) -> None:
        write = held.inputs.write
        end = segment.start + segment.count
        held.inputs.write_array("attention_mask", held.slots.mask())
        write("position_ids", [range(segment.start, end)], np.int64)
        write("beam_idx", [0], np.int32)
        # A middle chunk of a prompt samples nothing; one row keeps the head's shape from being empty.
        write(ROWS, range(segment.count - max(segment.sample, 1), segment.count), np.int64)
        if ENTRY in held.inputs:
            held.inputs.write_hidden(ENTRY, rows[None], self._wire)
        else:
            held.inputs.write_array("input_ids", rows.reshape(1, -1).astype(np.int64))
