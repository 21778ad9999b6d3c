"""What layers cost on a PC, in milliseconds and bytes, for all spans at once: from a model, a promise and profiles.

Where steps were measured on a device with some layers of the model, others take as much more or less as they have
weights to multiply with. A device that was never measured is taken for as fast as its kind is beside the PC's others
that were, else beside those of the other PCs on the average, and where there is none it reads UNMEASURED_BYTES_MS.

Of the devices of a PC each span has the fastest in whose memory it fits.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from idlepool.engine.models.manifest import Manifest
from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.disk_cap import ON_DISK
from idlepool.engine.pool.plan_search import Costs, Matrix
from idlepool.engine.pool.span_bytes import SpanBytes
from idlepool.engine.types import DeviceKind, NodeId, Span

PROFILED_TOKENS = (1, 4, 16, 64)
"""Tokens of the steps that are timed; the last are a piece of a prompt."""

UNMEASURED_BYTES_MS = 10_000_000
"""Weights that a PC gets through in a millisecond: about what an office PC's memory gives."""

MORE_TOKENS = 0.02
"""What a token more adds to a step of one token, as long as the weights are what takes the time: where not measured."""

RELATIVE_SPEED = {
    DeviceKind.CPU: 1.0,
    DeviceKind.INTEGRATED_GPU: 1.2,
    DeviceKind.DISCRETE_GPU: 5.0,
    DeviceKind.NPU: 0.8,
}
"""Of kinds of devices, for those that were not measured: by what their memory gives, and a discrete GPU has its own."""

FETCH_MS_BYTE = 1e-11
"""Bytes that a PC would have to fetch first, as milliseconds of each token: a hundredth for a gigabyte. It decides only
between plans that are equally fast."""

HURRIED_FETCH_MS_BYTE = 2e-8
"""The same where an answer waits: what comes at 100 MB a second, as milliseconds of each of 500 tokens."""


@dataclass(frozen=True, slots=True)
class Promise:
    """What the users of a pipeline may count on."""

    context: int
    """Tokens that each of their conversations may have."""
    users: int = 1
    cache_bytes: int = 0
    """What a token takes in the caches of all layers together."""
    row_bytes: int = 0
    """What it takes on the way from a stage to the next."""


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
    fetch_ms_byte: float = FETCH_MS_BYTE
    hop_ms: float = 0.3
    """What it takes to write, send, receive and read a frame, besides the time on the network."""


@dataclass(frozen=True, slots=True)
class PlanDevice:
    """A device that could take layers."""

    usable_bytes: int
    """Under its owner's cap."""
    times: StepTimes | None = None
    """None: never measured with this model."""
    name: str = ""
    kind: DeviceKind = DeviceKind.CPU
    backend: str = ""
    """The form that its shards have, or are tried in first."""


@dataclass(frozen=True, slots=True)
class PlanPc:
    """A PC that could take layers."""

    node: NodeId
    name: str
    devices: tuple[PlanDevice, ...]
    """At least one; the first of those that are equally fast is used."""
    held: frozenset[int] = frozenset()
    """Chunks of the model that are on its disk."""
    head_ms: float = 0.0
    """What it does besides in each step if it is the first; a draft model that it runs counts here."""
    disk_bytes: float = math.inf
    """What fetched layers may take on its disk."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A span on a device of a PC."""

    device: PlanDevice
    room: float
    """Memory there for layers, in bytes."""
    ms: float
    """A step."""


class SpanCosts:
    """For each PC `[layers + 1, layers + 1]` matrices over spans `[first, last)`: time, memory, bytes to fetch."""

    def __init__(self, manifest: Manifest, pcs: Sequence[PlanPc], promise: Promise, besides: Besides) -> None:
        size = manifest.layers + 1
        self._manifest, self._pcs, self._besides = manifest, pcs, besides
        self._possible = np.triu(np.ones((size, size), bool), 1)
        widths = np.where(self._possible, np.arange(size)[None, :] - np.arange(size)[:, None], 0)
        reads = SpanBytes(manifest)
        held = {pc.held for pc in pcs}
        self.weights = reads.besides(frozenset())
        to_fetch = {chunks: reads.besides(chunks) if chunks else self.weights for chunks in held}
        self.user = widths * (promise.cache_bytes * promise.context / manifest.layers)
        """Memory that one user more takes."""
        self.memory = besides.weights * self.weights + promise.users * self.user + besides.stage_bytes
        self.fetched = [to_fetch[pc.held] for pc in pcs]
        self.kept_out = [
            (fetched > 0) & (ON_DISK * self.weights > pc.disk_bytes)
            for pc, fetched in zip(pcs, self.fetched, strict=True)
        ]
        """The spans that a PC's disk has no room for."""
        self._rooms = [[device.usable_bytes * (1 - besides.reserve) for device in pc.devices] for pc in pcs]
        self.room = np.array([max(rooms) for rooms in self._rooms])
        """On the roomiest device of each PC."""
        self._layers_before = np.concatenate([[0.0], np.cumsum(manifest.layer_costs)])
        self._known_rates: dict[float, list[list[float]]] = {}

    def times(self, tokens: float) -> Matrix:
        """`[PCs, layers + 1, layers + 1]`: milliseconds of a step of so many tokens; infinite what fits no device."""
        spans = np.maximum(self._layers_before[None, :] - self._layers_before[:, None], 0.0)
        times = np.empty((len(self._pcs), *spans.shape))
        for pc, rates in enumerate(self._rates(tokens)):
            least = np.full(spans.shape, np.inf)
            for ms, room in sorted(zip(rates, self._rooms[pc], strict=True), reverse=True):
                least[self.memory <= room] = ms
            times[pc] = np.where(self._possible, np.where(self._possible, spans, 1.0) * least, np.inf)
        times[0, 0] += self._pcs[0].head_ms
        times[0, 0, :-1] += self._besides.head_ms
        return times

    def placed(self, pc: int, span: Span, tokens: float) -> Placed:
        """Where a PC runs a span: on the fastest device that it fits, else on the roomiest."""
        needed = self.memory[span.first, span.last]
        each = list(zip(self._rooms[pc], self._rates(tokens)[pc], self._pcs[pc].devices, strict=True))
        fitting = [(room, rate, device) for room, rate, device in each if needed <= room]
        room, rate, device = min(fitting, key=lambda one: one[1]) if fitting else max(each, key=lambda one: one[0])
        ms = rate * float(self._layers_before[span.last] - self._layers_before[span.first])
        if pc == 0:
            ms += self._pcs[0].head_ms + (self._besides.head_ms if span.last < self._manifest.layers else 0.0)
        return Placed(device, room, ms)

    def _rates(self, tokens: float) -> list[list[float]]:
        if tokens not in self._known_rates:
            self._known_rates[tokens] = byte_times(self._manifest, self._pcs, tokens)
        return self._known_rates[tokens]

    def chain_costs(self, times: Matrix, link_ms: Matrix) -> Costs:
        """What the search is for: a PC cannot run what is too large for it; what is to be fetched decides ties."""
        costs = times.copy()
        for pc, (fetched, kept_out) in enumerate(zip(self.fetched, self.kept_out, strict=True)):
            costs[pc] += np.where(kept_out, np.inf, self._besides.fetch_ms_byte * fetched)
        return Costs(costs, link_ms)


def byte_times(manifest: Manifest, pcs: Sequence[PlanPc], tokens: float) -> list[list[float]]:
    """For each device of each PC the milliseconds that a byte of weights costs it in a step of so many tokens."""
    measured = [[_byte_ms(manifest, device.times, tokens) for device in pc.devices] for pc in pcs]
    # As if all were CPUs, so that kinds compare.
    alike = [
        [ms * RELATIVE_SPEED[device.kind] for device, ms in zip(pc.devices, known, strict=True) if ms is not None]
        for pc, known in zip(pcs, measured, strict=True)
    ]
    everybody = [ms for own in alike for ms in own]
    usual = statistics.fmean(everybody) if everybody else step_ms((1 / UNMEASURED_BYTES_MS,), tokens)
    return [
        [
            ms if ms is not None else (statistics.fmean(own) if own else usual) / RELATIVE_SPEED[device.kind]
            for device, ms in zip(pc.devices, known, strict=True)
        ]
        for pc, known, own in zip(pcs, measured, alike, strict=True)
    ]


def _byte_ms(manifest: Manifest, times: StepTimes | None, tokens: float) -> float | None:
    """None where nothing was measured, or the times make no sense: they come from another PC."""
    if times is None or not 0 <= times.first < times.last <= manifest.layers:
        return None
    if not times.ms or not all(0 < ms < 1e7 for ms in times.ms):
        return None
    weights = sum(manifest.layer_costs[layer] for layer in Span(times.first, times.last))
    return step_ms(times.ms, tokens) / weights if weights else None


def step_ms(ms: Sequence[float], tokens: float) -> float:
    """A step of so many tokens: between the measured ones, and beyond them as from the last but one to the last."""
    timed = PROFILED_TOKENS[: len(ms)]
    if len(timed) == 1:
        return ms[0] * (1 + MORE_TOKENS * (tokens - 1))
    if tokens <= timed[-1]:
        return float(np.interp(tokens, timed, ms[: len(timed)]))
    slope = max(ms[len(timed) - 1] - ms[len(timed) - 2], 0.0) / (timed[-1] - timed[-2])
    return ms[len(timed) - 1] + slope * (tokens - timed[-1])
