"""What layers cost on a PC, in milliseconds and bytes, for all spans at once: from a model, a promise and profiles.

Where a PC's steps were measured with some layers of the model, others take as much more or less as they have weights
to multiply with. A PC that was never measured is taken for as fast as those that were on the average, and where there
is none for one that reads UNMEASURED_BYTES_MS.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from idlepool.engine.models.manifest import Manifest
from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.plan_search import Costs, Matrix
from idlepool.engine.types import NodeId, Span

PROFILED_TOKENS = (1, 4, 16)
"""Tokens of the steps that are timed."""

UNMEASURED_BYTES_MS = 10_000_000
"""Weights that a PC gets through in a millisecond: about what an office PC's memory gives."""

MORE_TOKENS = 0.02
"""What a token more adds to a step of one token, as long as the weights are what takes the time: where not measured."""

LINK_MS = 1.0
"""Half a round trip between two PCs where that was not measured."""

FETCH_MS_BYTE = 1e-11
"""Bytes that a PC would have to fetch first, as milliseconds of each token: a hundredth for a gigabyte. It decides only
between plans that are equally fast."""


@dataclass(frozen=True, slots=True)
class Promise:
    """What the users of a pipeline may count on."""

    context: int
    """Tokens that each of their conversations may have."""
    users: int = 1
    cache_bytes: int = 0
    """What a token takes in the caches of all layers together."""


@dataclass(frozen=True, slots=True)
class Besides:
    """What a stage takes besides weights and caches."""

    weights: float = 1.1
    """Weights in memory to those on the disk: a device packs them its own way."""
    stage_bytes: int = 250_000_000
    """The process with OpenVINO in it."""
    reserve: float = 0.05
    """Of what a PC lends, not planned with: conversations and other programs grow."""
    head_ms: float = 1.0
    """A step costs the first PC so much more where there are others: frames, links and text."""
    hop_ms: float = 0.3
    """What it takes to write, send, receive and read a frame, besides the time on the network."""


@dataclass(frozen=True, slots=True)
class PlanPc:
    """A PC that could take layers."""

    node: NodeId
    name: str
    usable_bytes: int
    """Under its owner's cap."""
    times: StepTimes | None = None
    """None: never measured with this model."""
    held: frozenset[int] = frozenset()
    """Chunks of the model that are on its disk."""
    head_ms: float = 0.0
    """What it does besides in each step if it is the first; a draft model that it runs counts here."""


class SpanCosts:
    """For each PC `[layers + 1, layers + 1]` matrices over spans `[first, last)`: time, memory, bytes to fetch."""

    def __init__(self, manifest: Manifest, pcs: Sequence[PlanPc], promise: Promise, besides: Besides) -> None:
        size = manifest.layers + 1
        self._manifest, self._pcs, self._besides = manifest, pcs, besides
        self._possible = np.triu(np.ones((size, size), bool), 1)
        widths = np.where(self._possible, np.arange(size)[None, :] - np.arange(size)[:, None], 0)
        reads = _Reads(manifest)
        self.weights = reads.bytes_of_spans(frozenset())
        caches = widths * (promise.cache_bytes * promise.context * promise.users / manifest.layers)
        self.memory = besides.weights * self.weights + caches + besides.stage_bytes
        self.fetched = np.stack([reads.bytes_of_spans(pc.held) if pc.held else self.weights for pc in pcs])
        self.room = np.array([pc.usable_bytes * (1 - besides.reserve) for pc in pcs])

    def times(self, tokens: float) -> Matrix:
        """`[PCs, layers + 1, layers + 1]`: milliseconds of a step of so many tokens."""
        weights = np.concatenate([[0.0], np.cumsum(self._manifest.layer_costs)])
        spans = np.maximum(weights[None, :] - weights[:, None], 0.0)
        times = np.stack([spans * ms for ms in byte_times(self._manifest, self._pcs, tokens)])
        times[0, 0] += self._pcs[0].head_ms
        times[0, 0, :-1] += self._besides.head_ms
        return times

    def chain_costs(self, times: Matrix, link_ms: Matrix) -> Costs:
        """What the search is for: a PC cannot run what is too large for it; what is to be fetched decides ties."""
        fits = self._possible & (self.memory <= self.room[:, None, None])
        return Costs(np.where(fits, times + FETCH_MS_BYTE * self.fetched, np.inf), link_ms)


def byte_times(manifest: Manifest, pcs: Sequence[PlanPc], tokens: float) -> list[float]:
    """For each PC the milliseconds that a byte of weights costs it in a step of so many tokens."""
    measured = [_byte_ms(manifest, pc.times, tokens) if pc.times is not None else None for pc in pcs]
    known = [ms for ms in measured if ms is not None]
    usual = statistics.fmean(known) if known else _step_ms((1 / UNMEASURED_BYTES_MS,), tokens)
    return [usual if ms is None else ms for ms in measured]


def _byte_ms(manifest: Manifest, times: StepTimes, tokens: float) -> float | None:
    """None where the times make no sense: they come from another PC."""
    if not 0 <= times.first < times.last <= manifest.layers or not all(0 < ms < 1e7 for ms in times.ms):
        return None
    weights = sum(manifest.layer_costs[layer] for layer in Span(times.first, times.last))
    return _step_ms(times.ms, tokens) / weights if weights and times.ms else None


def _step_ms(ms: Sequence[float], tokens: float) -> float:
    """A step of so many tokens: between the measured ones, and beyond them as from the last but one to the last."""
    if len(ms) < len(PROFILED_TOKENS):
        return ms[0] * (1 + MORE_TOKENS * (tokens - 1))
    if tokens <= PROFILED_TOKENS[-1]:
        return float(np.interp(tokens, PROFILED_TOKENS, ms))
    slope = max(ms[-1] - ms[-2], 0.0) / (PROFILED_TOKENS[-1] - PROFILED_TOKENS[-2])
    return ms[-1] + slope * (tokens - PROFILED_TOKENS[-1])


class _Reads:
    """Which layer reads which chunk: what a span takes is counted once, however many of its layers read it.

    Of the layers of a span only the first that reads a chunk counts: with its reader before at p, the layer r counts
    in all spans that begin after p and reach r.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._size = manifest.layers + 1
        self._lengths = np.array([chunk.length for chunk in manifest.chunks], np.float64)
        before = np.zeros(len(manifest.chunks), np.int64)
        self._reads = []
        for layer, chunks in enumerate(manifest.layer_chunks):
            read = np.array(chunks, np.int64)
            self._reads.append((read, before[read]))
            before[read] = layer + 1

    def bytes_of_spans(self, held: frozenset[int]) -> Matrix:
        """Bytes of the chunks that each span `[first, last)` reads and that are not among `held`."""
        lengths = self._lengths.copy()
        known = np.fromiter(held, np.int64, len(held))
        lengths[known[(known >= 0) & (known < len(lengths))]] = 0
        counted = np.zeros((self._size, self._size))
        for layer, (chunks, first) in enumerate(self._reads):
            # In column `layer + 1`: it belongs to the spans whose `last` is at least that.
            counted[:, layer + 1] = np.bincount(first, lengths[chunks], self._size)
        return np.asarray(np.cumsum(np.triu(np.cumsum(counted, axis=0), 1), axis=1))
