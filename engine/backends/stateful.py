"""The stateful backend: OpenVINO keeps the KV cache, one request for each sequence.

The paper's form. The `beam_idx` Gather of each cache stays in the graph with a constant zero, because the plugins'
attention fusion matches on it. A rewind cuts the caches to `start`.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.base import Batch, NeedsReplay, Output
from idlepool.engine.graph.cut import ENTRY, EXIT
from idlepool.engine.graph.sampled_rows import ROWS
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, SequenceId


@dataclass(slots=True)
class _Held:
    """A sequence's request and how many positions its caches hold."""

    request: ov.InferRequest
    length: int = 0


class StatefulShard:
    """A compiled span of layers; not thread-safe.

    `cache_axes` names for each state variable the axis that grows with the tokens. At most `max_sequences` are held;
    the one not used for longest goes first, and is asked for again by NeedsReplay.
    """

    def __init__(
        self, compiled: ov.CompiledModel, cache_axes: dict[str, int], *, wire: ElementType, max_sequences: int = 8
    ) -> None:
        self._compiled = compiled
        self._cache_axes = cache_axes
        self._wire = wire
        self._max_sequences = max_sequences
        self._inputs = frozenset(port.get_any_name() for port in compiled.inputs)
        self._is_tail = EXIT not in compiled.outputs[0].get_names()
        self._held: OrderedDict[SequenceId, _Held] = OrderedDict()

    @property
    def is_tail(self) -> bool:
        """Whether it ends in logits."""
        return self._is_tail

    @property
    def wire(self) -> ElementType:
        """Element type of the hidden states that go in and out."""
        return self._wire

    def run(self, batch: Batch) -> Output:
        """See Shard.run; the segments run one after another, each in its own request."""
        outputs = []
        row = 0
        for segment in batch.segments:
            outputs.append(self._run_segment(segment, batch.rows[row : row + segment.count]))
            row += segment.count
        whole = np.concatenate(outputs)
        return Output(logits=whole) if self._is_tail else Output(hidden=whole)

    def end(self, sequence: SequenceId) -> None:
        """See Shard.end."""
        self._held.pop(sequence, None)

    def _run_segment(self, segment: Segment, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        sequence = SequenceId(segment.sequence)
        held = self._rewound(sequence, segment.start)
        self._feed(held.request, segment, rows)
        try:
            held.request.infer()
        except BaseException:
            # How far the caches grew is unknown now; the sequence is replayed instead.
            self.end(sequence)
            raise
        held.length = segment.start + segment.count
        output = held.request.get_output_tensor(0)
        if not self._is_tail:
            hidden: npt.NDArray[Any] = _words(output)[0].copy()
            return hidden
        logits: npt.NDArray[Any] = output.data[0]
        return logits[len(logits) - segment.sample :].astype(np.float32)

    def _rewound(self, sequence: SequenceId, start: int) -> _Held:
        """The sequence's request with exactly `start` positions in its caches."""
        held = self._held.get(sequence)
        length = held.length if held else 0
        if length < start:
            raise NeedsReplay(sequence, length)
        if held is None:
            while len(self._held) >= self._max_sequences:
                self._held.popitem(last=False)
            held = self._held[sequence] = _Held(self._compiled.create_infer_request())
        self._held.move_to_end(sequence)
        if start == 0:
            held.request.reset_state()
        elif start < length:
            self._trim(held.request, start)
        held.length = start
        return held

    def _trim(self, request: ov.InferRequest, length: int) -> None:
        """Cut every cache to `length` positions; exact, since the plugin gives its own values back."""
        for state in request.query_state():
            cache = state.state
            kept = np.ascontiguousarray(_words(cache).take(range(length), axis=self._cache_axes[state.name]))
            state.state = ov.Tensor(kept, ov.Shape(kept.shape), cache.get_element_type())

    def _feed(self, request: ov.InferRequest, segment: Segment, rows: npt.NDArray[Any]) -> None:
        end = segment.start + segment.count
        # A middle chunk of a prompt samples nothing; one row keeps the head's shape from being empty.
        sampled = max(segment.sample, 1)
        feeds = {
            "attention_mask": np.ones((1, end), np.int64),
            "position_ids": np.arange(segment.start, end, dtype=np.int64)[None],
            "beam_idx": np.zeros(1, np.int32),
            ROWS: np.arange(segment.count - sampled, segment.count, dtype=np.int64),
        }
        for name in self._inputs:
            if name == ENTRY:
                request.set_tensor(name, _hidden_tensor(rows, self._wire))
            elif name == "input_ids":
                request.set_tensor(name, ov.Tensor(rows.reshape(1, -1).astype(np.int64)))
            else:
                request.set_tensor(name, ov.Tensor(feeds[name]))


def _words(tensor: ov.Tensor) -> npt.NDArray[Any]:
    """The tensor's data without a copy; 16-bit floats as words, since NumPy has no bf16."""
    data: npt.NDArray[Any] = tensor.data
    return data.view(np.uint16) if data.dtype.itemsize == 2 else data


def _hidden_tensor(rows: npt.NDArray[Any], wire: ElementType) -> ov.Tensor:
    """`[tokens, hidden]` words as a tensor `[1, tokens, hidden]` of type `wire`."""
    types = {ElementType.F32: ov.Type.f32, ElementType.F16: ov.Type.f16, ElementType.BF16: ov.Type.bf16}
    whole = np.ascontiguousarray(rows[None])
    return ov.Tensor(whole, ov.Shape(whole.shape), types[wire])
