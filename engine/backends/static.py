"""The static backend, for NPUs: the host keeps the KV caches in rings, the graph of fixed shapes keeps nothing.

Each sequence has a lane of slots in the caches; several sequences go side by side through one inference and a mask
keeps them apart. Not run on hardware: on the CPU it gives what the other backends give, within rounding.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from idlepool.engine.backends.base import Batch, Capacity, NeedsReplay, Output
from idlepool.engine.backends.host_geometry import HostGeometry
from idlepool.engine.backends.packing import Pack, Piece, packs
from idlepool.engine.backends.ring import Lane, Positions, Ring
from idlepool.engine.backends.side_by_side import Array, PieceGeometry
from idlepool.engine.backends.static_step import StaticStep
from idlepool.engine.graph.dimensions import Lengths
from idlepool.engine.graph.stateless import CachePort
from idlepool.engine.types import ElementType, SequenceId


@dataclass(frozen=True, slots=True)
class StaticSizes:
    """What is fixed when a static shard is compiled."""

    users: int = 2
    """Sequences held at once; the one not used for longest makes room for another."""
    ring: Ring = field(default_factory=Ring)
    """Of each of them."""
    decode: int = 4
    """Rows of the smaller graph, and most rows with logits in either."""
    prefill: int = 64
    """Rows of the larger graph."""

    def __post_init__(self) -> None:
        if not 1 <= self.decode <= self.prefill <= self.ring.turning:
            raise ValueError(f"graphs of {self.decode} and {self.prefill} rows do not fit {self.ring}")

    @property
    def graphs(self) -> tuple[Lengths, ...]:
        """The graphs to compile, the smallest first."""
        past = self.users * self.ring.slots
        return tuple(Lengths(tokens, past, self.decode) for tokens in sorted({self.decode, self.prefill}))


DEFAULT_SIZES = StaticSizes()


@dataclass(frozen=True, slots=True)
class _Fork:
    """What a sequence takes over of another one's lane."""

    lane: Lane
    slots: Positions
    values: list[Array]
    """For each cache what lies in `slots`, its slots' axis first."""


class StaticShard:
    """A compiled span of layers in static form; not thread-safe.

    A sequence longer than its ring goes on with what the ring lets it see, and what it sees depends on positions alone.
    A rewind further back than the ring's slack, after it went round, asks for the whole sequence again.
    """

    def __init__(
        self,
        steps: Sequence[StaticStep],
        geometry: HostGeometry,
        caches: dict[CachePort, Array],
        *,
        sizes: StaticSizes,
        wire: ElementType,
        is_tail: bool,
    ) -> None:
        """`steps` are those of `sizes.graphs`, in that order, on the arrays of `caches`."""
        self._steps = tuple(steps)
        self._geometry = geometry
        self._caches = caches
        self._sizes = sizes
        self.steps_ms: tuple[float, ...] = ()
        self._wire = wire
        self._is_tail = is_tail
        self._lanes: OrderedDict[SequenceId, tuple[int, Lane]] = OrderedDict()
        """Each sequence's first slot and what lies from there on, the one not used for longest first."""

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
        """See Shard.capacity; a sequence longer than its lane goes on in it."""
        return Capacity(sequences=self._sizes.users)

    def run(self, batch: Batch) -> Output:
        """See Shard.run; as many segments as fit go through one inference."""
        try:
            for segment in batch.segments:  # before any is run
                self._source(SequenceId(segment.sequence), segment.start, SequenceId(segment.parent))
            whole = self._run_packs(batch)
        except NeedsReplay:
            for segment in batch.segments:
                self._void(SequenceId(segment.sequence), segment.start)
            raise
        return Output(logits=whole) if self._is_tail else Output(hidden=whole)

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        """See Shard.end."""
        if not keep:  # a lane has its size whatever it holds
            self._lanes.pop(sequence, None)

    def _run_packs(self, batch: Batch) -> Array:
        outputs: list[Array] = []
        row = 0
        limits = {"tokens": self._sizes.prefill, "samples": self._sizes.decode, "sequences": self._sizes.users}
        for pack in packs(batch.segments, **limits):
            count = sum(piece.count for piece in pack)
            outputs.append(self._run_pack(pack, batch.rows[row : row + count]))
            row += count
        return np.concatenate(outputs)

    def _run_pack(self, pack: Pack, rows: Array) -> Array:
        lanes = self._rewound(pack)
        step = next(step for step in self._steps if len(rows) <= step.lengths.tokens)
        geometry = []
        row = 0
        for piece, (first, lane) in zip(pack, lanes, strict=True):
            geometry.append(self._piece_geometry(piece, first, lane, row))
            row += piece.count
        step.run(pack, rows, geometry)
        added = [first + lane.extend(piece.count) for piece, (first, lane) in zip(pack, lanes, strict=True)]
        self._store(step, np.concatenate(added))
        return step.logits(pack) if self._is_tail else step.hidden(len(rows))

    def _source(self, sequence: SequenceId, start: int, parent: SequenceId) -> tuple[int, Lane] | None:
        """The lane to fork where the sequence's own has not all that lies before `start`; NeedsReplay if none has."""
        held = self._reach(sequence, start)
        if held == start:
            return None
        if not parent or self._reach(parent, start) != start:
            raise NeedsReplay(sequence, held)
        return self._lanes[parent]

    def _reach(self, sequence: SequenceId, start: int) -> int:
        """See Lane.holds."""
        return self._lanes[sequence][1].holds(start) if sequence in self._lanes else 0

    def _void(self, sequence: SequenceId, start: int) -> None:
        if sequence in self._lanes and self._lanes[sequence][1].length > start:
            self._lanes[sequence][1].rewind(start)

    def _rewound(self, pack: Pack) -> list[tuple[int, Lane]]:
        """The pieces' lanes, each with exactly what lies before its piece."""
        forks = [self._fork(piece) for piece in pack]
        for piece in pack:  # before another piece looks for a lane to take
            if piece.sequence in self._lanes:
                self._lanes.move_to_end(piece.sequence)
        for piece, fork in zip(pack, forks, strict=True):
            self._enter(piece, fork)
        return [self._lanes[piece.sequence] for piece in pack]

    def _fork(self, piece: Piece) -> _Fork | None:
        """A copy of what `piece` takes over from its parent, whose lane may be taken before it is used."""
        source = self._source(piece.sequence, piece.start, piece.parent)
        if source is None:
            return None
        first, lane = source
        lane = lane.copy()
        lane.rewind(piece.start)
        slots, _ = lane.held()
        values = [np.moveaxis(cache, port.axis, 0)[first + slots] for port, cache in self._caches.items()]
        return _Fork(lane, slots, values)

    def _enter(self, piece: Piece, fork: _Fork | None) -> None:
        """Give a piece's sequence its lane."""
        first, lane = self._lane(piece.sequence)
        if fork is None:
            lane.rewind(piece.start)
            return
        for (port, cache), values in zip(self._caches.items(), fork.values, strict=True):
            np.moveaxis(cache, port.axis, 0)[first + fork.slots] = values
        self._lanes[piece.sequence] = first, fork.lane

    def _lane(self, sequence: SequenceId) -> tuple[int, Lane]:
        if sequence not in self._lanes:
            while len(self._lanes) >= self._sizes.users:
                self._lanes.popitem(last=False)
            slots = self._sizes.ring.slots
            taken = {first for first, _ in self._lanes.values()}
            first = next(first for first in range(0, self._sizes.users * slots, slots) if first not in taken)
            self._lanes[sequence] = first, Lane(self._sizes.ring)
        return self._lanes[sequence]

    def _piece_geometry(self, piece: Piece, first: int, lane: Lane, row: int) -> PieceGeometry:
        """What `piece` takes from its positions, where it starts at `row` of the graph's rows."""
        slots, held = lane.held()
        rows: Positions = np.arange(piece.start, piece.end, dtype=np.int64)
        after_slots = self._steps[0].lengths.past + row
        positions = np.concatenate([held, rows])
        columns = np.concatenate([first + slots, after_slots + np.arange(piece.count)])
        # The next evaluation overwrites these.
        tensors = [tensor.copy() for tensor in self._geometry.rows(piece.start, piece.count)]
        return PieceGeometry(tensors, columns, positions, self._sizes.ring.sees(rows, positions))

    def _store(self, step: StaticStep, slots: Positions) -> None:
        """Put the new rows of every cache, those of the pack's pieces one after another, into `slots`."""
        for port, cache in self._caches.items():
            fresh = np.moveaxis(step.new_rows(port.new), port.axis, 0)
            np.moveaxis(cache, port.axis, 0)[slots] = fresh[: len(slots)]
