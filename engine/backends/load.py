"""From a folder with a model's graph and (some of) its weights to a shard that runs."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.base import Batch, Shard
from idlepool.engine.backends.blob_cache import BlobCache
from idlepool.engine.backends.block_cache import affordable_tokens
from idlepool.engine.backends.device import compile_options, family, reason_of, usable_bytes
from idlepool.engine.backends.host_geometry import HostGeometry
from idlepool.engine.backends.paged import DEFAULT_CACHE_TOKENS, PagedShard
from idlepool.engine.backends.paged_mask import to_checked_paged
from idlepool.engine.backends.rewind_form import default_void_limit
from idlepool.engine.backends.stateful import StatefulShard
from idlepool.engine.backends.static import DEFAULT_SIZES, StaticShard, StaticSizes
from idlepool.engine.backends.static_step import StaticStep, empty_like
from idlepool.engine.backends.tensors import words_of
from idlepool.engine.errors import ModelCannotBeCut, ModelDamaged, ModelIncomplete
from idlepool.engine.graph.boundaries import Anatomy, find_layers
from idlepool.engine.graph.cut import cut
from idlepool.engine.graph.kv_gather import inject_gathers
from idlepool.engine.graph.narrow_head import Ids, narrow_head
from idlepool.engine.graph.sampled_rows import pick_sampled_rows
from idlepool.engine.graph.sizes import growing_axis
from idlepool.engine.graph.static import StaticForm
from idlepool.engine.graph.static_lint import check_static
from idlepool.engine.graph.view import view
from idlepool.engine.graph.weight_ranges import ByteRange, constants_in_file, merge
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Backend, ElementType, SequenceId, Span

log = logging.getLogger("idlepool.device")

WARM_STEPS = {1: 3, 4: 3, 16: 3, 64: 2}
"""Steps that are timed when a shard is loaded, by their tokens: decodes, and a piece of a prompt."""

WARM_S = 0.3
"""Where steps are short, more of them are timed until so much time has passed, but no more than"""
WARM_TURNS = 10
"""of each length: what else the PC does goes on for longer than three short steps."""

STATIC_ON_CPU = {"SNIPPETS_MODE": "DISABLE"}
"""The CPU plugin joins an attention of static shapes into one kernel, which mixes rows up where there are as many
tokens as heads (2026.4.1). Stateful and paged graphs never get that kernel."""


@dataclass(frozen=True, slots=True)
class ShardRequest:
    """What to load. `held`: the filled byte ranges of the weights; None: all. `threads` 0: what the device chooses.

    `cache_tokens`: positions that a paged cache holds for all sequences together; fewer where memory is short. `blobs`
    keeps what is compiled. `said`: the ids that a paged tail's logits are of, in that order; None: all.
    """

    folder: Path
    span: Span
    device: str
    wire: ElementType
    threads: int = 0
    held: tuple[ByteRange, ...] | None = None
    cache_tokens: int = DEFAULT_CACHE_TOKENS
    blobs: BlobCache | None = None
    said: Ids | None = None
    on_compile: Callable[[], None] = lambda: None
    """Told when the device begins to compile, which may take minutes."""


def load_stateful(core: ov.Core, request: ShardRequest, *, void_limit: float | None = None) -> StatefulShard:
    """Read, cut and compile in the stateful form. `void_limit` None: what suits the device, see rewind_form.

    Raises:
        ModelDamaged: the graph cannot be read.
        ModelCannotBeCut: see view().
        ModelIncomplete: the span reads weights outside `held`, which would be zeros.
    """
    anatomy = _read(core, request)
    axes = _cache_axes(anatomy, request.span)
    shard = cut(anatomy, request.span, wire=request.wire)
    if request.span.last == anatomy.layers:
        pick_sampled_rows(shard)
    if void_limit is None:
        void_limit = default_void_limit(core, shard, request.device)
    compiled = compile_shard(core, shard, request, backend=Backend.STATEFUL)
    stateful = StatefulShard(compiled, axes, wire=request.wire, void_limit=void_limit)
    stateful.steps_ms = _warm_up(stateful, request, anatomy.hidden)
    return stateful


def load_paged(core: ov.Core, request: ShardRequest) -> PagedShard:
    """Read, cut and compile in the paged form. Raises as load_stateful() does, and ModelCannotBeCut for `said` where
    the head cannot be narrowed."""
    anatomy = _read(core, request)
    shard = cut(anatomy, request.span, wire=request.wire)
    if request.said is not None and not narrow_head(shard, request.said):
        raise ModelCannotBeCut("its head is of a form that cannot be narrowed")
    shard = to_checked_paged(core, shard)
    compiled = compile_shard(core, shard, request, backend=Backend.PAGED)
    affordable = affordable_tokens(compiled, usable_bytes(core, request.device))
    paged = PagedShard(core, compiled, wire=request.wire, cache_tokens=min(request.cache_tokens, affordable))
    paged.steps_ms = _warm_up(paged, request, anatomy.hidden)
    return paged


def load_static(core: ov.Core, request: ShardRequest, *, sizes: StaticSizes = DEFAULT_SIZES) -> StaticShard:
    """Read, cut and compile in the static form, a graph for prefill and one for decode.

    Each holds the weights: the CPU plugin keeps its packed ones by compiled model (the starter model takes 534 MB, with
    one graph 353). `sizes` with `decode` equal to `prefill` make one graph, whose steps are as slow as a prefill.

    Raises:
        NoStaticForm: the layers have none, see StaticForm and check_static().
        ModelDamaged, ModelCannotBeCut, ModelIncomplete: as load_stateful().
    """
    anatomy = _read(core, request)
    is_tail = request.span.last == anatomy.layers
    shard = cut(anatomy, request.span, wire=request.wire)
    if is_tail:
        # No add_best(): few rows are sampled at once, a millisecond of NumPy each, and older NPU drivers crash in TopK
        # (issue 29297 of OpenVINO), which would cost the whole device.
        pick_sampled_rows(shard)
    form = StaticForm(shard, wire=request.wire)
    graphs = [form.graph(lengths) for lengths in sizes.graphs]
    for graph in graphs:
        check_static(graph)
    compiled = [compile_shard(core, graph, request, backend=Backend.STATIC) for graph in graphs]
    caches = {port: empty_like(compiled[0].input(port.past)) for port in form.caches}
    named = {port.past: cache for port, cache in caches.items()}
    steps = [
        StaticStep(each, form.inputs, named, lengths=lengths)
        for each, lengths in zip(compiled, sizes.graphs, strict=True)
    ]
    geometry = HostGeometry(core, form.geometry)
    return StaticShard(steps, geometry, caches, sizes=sizes, wire=request.wire, is_tail=is_tail)


def compile_shard(core: ov.Core, graph: ov.Model, request: ShardRequest, *, backend: Backend) -> ov.CompiledModel:
    """Compile the graph of a request for its device, or take it from the request's blob cache.

    Raises:
        RuntimeError: the device cannot compile it.
    """
    request.on_compile()
    options = compile_options(request.wire, device=request.device, threads=request.threads)
    if backend is Backend.STATIC and family(request.device) == "CPU":
        options |= STATIC_ON_CPU
    if request.blobs is None:
        return core.compile_model(graph, request.device, options)
    return request.blobs.compile(core, graph, request.span, backend, device=request.device, options=options)


def _warm_up(shard: Shard, request: ShardRequest, hidden: int) -> tuple[float, ...]:
    """Run a first inference: it packs the weights, which nobody's answer should wait for.

    Returns the milliseconds of steps as in WARM_STEPS after it, the longest left out where the caches have no room for
    them. Ordinary values, not zeros: a router that found all experts alike made the CPU plugin (2026.4.1) crash.
    """
    random = np.random.default_rng(0)
    rows: npt.NDArray[Any] = np.array([1, 2], np.int32)
    if request.span.first:
        rows = words_of(random.standard_normal((2, hidden)).astype(np.float32), request.wire)
    shard.run(Batch((Segment(0, 0, 2, sample=1),), rows))
    room = shard.capacity.tokens or math.inf
    steps = {tokens: times for tokens, times in WARM_STEPS.items() if 2 + tokens <= room}
    least = dict.fromkeys(steps, math.inf)
    started = time.perf_counter()
    # In turns: what disturbs the PC for a moment disturbs a step of each length, and the least counts.
    for turn in range(WARM_TURNS):
        short = time.perf_counter() - started < WARM_S
        for tokens in (tokens for tokens, times in steps.items() if short or turn < times):
            batch = Batch((Segment(0, 2, tokens, sample=1),), np.resize(rows, (tokens, *rows.shape[1:])))
            least[tokens] = min(least[tokens], _timed(shard, batch))
    shard.end(SequenceId(0))
    return tuple(least.values())


def _timed(shard: Shard, batch: Batch) -> float:
    started = time.perf_counter()
    shard.run(batch)
    return 1e3 * (time.perf_counter() - started)


def _read(core: ov.Core, request: ShardRequest) -> Anatomy:
    xml = request.folder / "openvino_model.xml"
    try:
        model = core.read_model(xml)
        inject_gathers(model)
        anatomy = find_layers(model)
    except RuntimeError as error:
        raise ModelDamaged(xml.name, reason_of(error)) from error
    if request.held is not None:
        _check_held(anatomy, request.span, constants_in_file(xml), request.held)
    return anatomy


def _check_held(anatomy: Anatomy, span: Span, constants: dict[str, ByteRange], held: Iterable[ByteRange]) -> None:
    """A sparse file reads as zeros where it is not filled: that must never reach a computation."""
    nodes = anatomy.snapshot.nodes
    names = (nodes[i].get_friendly_name() for i in view(anatomy, span).kept if anatomy.snapshot.kinds[i] == "Constant")
    filled = merge(held)
    missing = [
        needed
        for needed in (constants[name] for name in names if name in constants)
        if needed.length and not any(r.offset <= needed.offset and needed.end <= r.end for r in filled)
    ]
    if missing:
        raise ModelIncomplete(f"layers {span.first} to {span.last - 1}", sum(r.length for r in missing))


def _cache_axes(anatomy: Anatomy, span: Span) -> dict[str, int]:
    """For each state variable the axis of its cache that grows."""
    snapshot = anatomy.snapshot
    reads = [read for layer in span for read in anatomy.states[layer]]
    shapes = {snapshot.variable(read): snapshot.nodes[read].get_output_partial_shape(0) for read in reads}
    return {name: growing_axis(name, shape) for name, shape in shapes.items()}
