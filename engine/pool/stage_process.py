"""The process that hosts one shard: `python -m idlepool.engine.pool.stage_process`, started by a node.

It imports the engine, says which devices there are, waits for LoadShard, then turns frames into frames: token ids or
hidden states in; hidden states out, or in the last stage the ids it picks. A process of its own cannot freeze the
links, takes its memory with it when it leaves, and may crash without taking the app along.
"""

from __future__ import annotations

import logging
import os
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import openvino as ov

from idlepool.engine.backends.base import Batch, NeedsReplay, Shard
from idlepool.engine.backends.blob_cache import BLOBS, BlobCache
from idlepool.engine.backends.device import find_devices
from idlepool.engine.backends.fallback import VERDICTS, SelfTests, load_first
from idlepool.engine.backends.load import ShardRequest
from idlepool.engine.backends.resident import give_back
from idlepool.engine.decode.chosen import sampled
from idlepool.engine.decode.tail import Tail
from idlepool.engine.errors import IdlepoolError
from idlepool.engine.graph.weight_ranges import ByteRange
from idlepool.engine.models.manifest import WEIGHTS_FILE
from idlepool.engine.net.arrays import all_finite, rows_of
from idlepool.engine.net.faults import Fault, fault_frame
from idlepool.engine.net.frames import Frame, FrameKind, FrameLimits, Segment
from idlepool.engine.net.messages import (
    DeviceInfo,
    EmptyShard,
    EndSequence,
    LoadShard,
    ShardCompiling,
    ShardEmptied,
    ShardFailed,
    ShardLoaded,
    StageHello,
)
from idlepool.engine.pool.pipe import StagePipe
from idlepool.engine.types import ElementType, ModelId, SequenceId, Span

log = logging.getLogger("idlepool.stage")

NOT_FINITE = "they gave what is no number (NaN or infinity)"


def main() -> None:
    """Serve until the pipe ends."""
    ending = ExitStack()
    pipe = StagePipe(FrameLimits(), on_end=ending.close)
    core = ov.Core()
    pipe.send_message(StageHello(os.getpid(), _devices(core)))
    shard: Shard | None = None
    tail = Tail()
    held: set[SequenceId] = set()
    while True:
        match pipe.receive():
            case Frame() as frame:
                held.update(SequenceId(segment.sequence) for segment in frame.segments)
                pipe.send(_step(shard, tail, frame))
            case LoadShard() as order:
                tests = SelfTests(core, Path(order.cache, VERDICTS), threads=order.threads)
                ending.callback(tests.abandon)
                shard = _load(core, order, pipe, tests)
            case EndSequence(sequence=sequence, keep=keep) if shard:
                shard.end(SequenceId(sequence), keep)
                if not keep:
                    tail.end(SequenceId(sequence))
                    held.discard(SequenceId(sequence))
            case EmptyShard() if shard:
                for each in held:
                    shard.end(each)
                held, tail = set(), Tail()
                pipe.send_message(ShardEmptied())


def _devices(core: ov.Core) -> tuple[DeviceInfo, ...]:
    return tuple(DeviceInfo(d.name, d.precision, d.usable_bytes, d.kind) for d in find_devices(core))


def _load(core: ov.Core, order: LoadShard, pipe: StagePipe, tests: SelfTests) -> Shard | None:
    held = None if order.held is None else tuple(ByteRange(*pair) for pair in order.held)
    span = Span(order.first, order.last)
    blobs = BlobCache(Path(order.cache, BLOBS), ModelId(order.model))
    request = ShardRequest(
        Path(order.folder),
        span,
        "",
        order.wire,
        order.threads,
        held,
        blobs=blobs,
        on_compile=lambda: pipe.send_message(ShardCompiling()),
    )
    started = time.monotonic()
    try:
        taken = load_first(core, request, order.candidates, tests=tests)
    except IdlepoolError as error:
        pipe.send_message(ShardFailed(str(error)))
        return None
    give_back(Path(order.folder, WEIGHTS_FILE))
    seconds = time.monotonic() - started
    device, backend = taken.candidate.device, taken.candidate.backend
    capacity = taken.shard.capacity
    pipe.send_message(
        ShardLoaded(
            device,
            backend,
            seconds,
            taken.notice,
            taken.reproducible,
            cache_tokens=capacity.tokens,
            block_tokens=capacity.block_tokens,
            max_sequences=capacity.sequences,
            steps_ms=taken.shard.steps_ms,
        )
    )
    return taken.shard


def _step(shard: Shard | None, tail: Tail, frame: Frame) -> Frame:
    """The answer to one frame of tokens or hidden states: hidden states, chosen ids, or a fault.

    A frame of which nothing is needed any more is answered by no ids for nobody, in the last stage or before.
    """
    if not frame.segments:
        return _frame(frame, FrameKind.CHOSEN, (), np.zeros((0, 1), "<i4"), ElementType.I32)
    if shard is None:
        return fault_frame(frame, Fault(0, -1, "no layers are loaded here"))
    rows = rows_of(frame)
    batch = Batch(frame.segments, rows[:, 0] if frame.kind is FrameKind.TOKENS else rows)
    try:
        output = shard.run(batch)
        if output.hidden is not None:
            result = _frame(frame, FrameKind.HIDDEN, frame.segments, output.hidden, shard.wire)
            return result if all_finite(result) else fault_frame(frame, Fault(0, -1, NOT_FINITE))
        chosen = tail.choose(frame.segments, output)
    except NeedsReplay as need:
        return fault_frame(frame, Fault(need.sequence, need.held))
    except (IdlepoolError, RuntimeError, ValueError, LookupError) as error:
        log.exception("a step failed")
        return fault_frame(frame, Fault(0, -1, str(error).strip()))
    return _frame(frame, FrameKind.CHOSEN, tuple(map(sampled, frame.segments)), chosen, ElementType.I32)


def _frame(step: Frame, kind: FrameKind, segments: tuple[Segment, ...], rows: np.ndarray, dtype: ElementType) -> Frame:
    payload = np.ascontiguousarray(rows).reshape(-1).view(np.uint8).data
    return Frame(kind, step.session, step.step, segments, dtype, rows.shape[0], rows.shape[1], payload)


if __name__ == "__main__":
    logging.basicConfig(format="%(name)s: %(message)s")
    main()
