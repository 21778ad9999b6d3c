"""Which layers PCs fetch ahead: those that the plan without a PC gives them, the likeliest loss first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.models.manifest import NEEDED_FILES, Chunk, FileEntry, Manifest
from idlepool.engine.pool.standby import USUAL_HOURS, Disk, Leavings, Loss, next_spans
from idlepool.engine.types import NodeId, Span

LAYERS = 12
DIGEST = "0" * 64
A, B, C, D, E = (NodeId(letter * 64) for letter in "abcde")

MANIFEST = Manifest(
    layers=LAYERS,
    hidden=64,
    vocabulary=300,
    context=512,
    files=tuple(FileEntry(name, 10, DIGEST) for name in NEEDED_FILES),
    weights_bytes=10 * (LAYERS + 1),
    chunks=tuple(Chunk(10 * index, 10, DIGEST) for index in range(LAYERS + 1)),
    layer_chunks=tuple((layer, LAYERS) if layer in (0, LAYERS - 1) else (layer,) for layer in range(LAYERS)),
    layer_costs=(10,) * LAYERS,
)
"""A chunk for each layer, and one that the first and the last layer share."""


def having(*spans: Span, room: int = 10_000, runs: Span | None = None) -> Disk:
    return Disk(frozenset(chunk for span in spans for chunk in MANIFEST.chunks_of(span)), room, runs)


def test_the_spare_pc_fetches_what_it_would_run_without_the_pc_that_leaves_most_often():
    losses = [Loss(B, 0.1, {A: Span(0, 4), D: Span(4, 8)}), Loss(C, 0.5, {A: Span(0, 4), D: Span(8, 12)})]
    disks = {A: having(Span(0, LAYERS)), D: having()}
    assert next_spans(MANIFEST, losses, disks) == {D: Span(8, 12)}
    disks[D] = having(Span(8, 12))
    assert next_spans(MANIFEST, losses, disks) == {D: Span(4, 8)}
    disks[D] = having(Span(4, 12))
    assert next_spans(MANIFEST, losses, disks) == {}


def test_where_no_pc_is_spare_the_others_of_the_pipeline_fetch_what_they_would_take_over():
    losses = [Loss(B, 0.2, {A: Span(0, 6), C: Span(6, 12)}), Loss(C, 0.1, {A: Span(0, 6), B: Span(6, 12)})]
    disks = {B: having(Span(4, 8), runs=Span(4, 8)), C: having(Span(8, 12), runs=Span(8, 12))}
    assert next_spans(MANIFEST, losses, disks) == {B: Span(6, 12), C: Span(6, 12)}


def test_a_disk_without_room_for_both_holds_what_is_likelier_needed():
    losses = [Loss(B, 0.5, {D: Span(1, 6)}), Loss(C, 0.1, {D: Span(6, 9)})]
    assert next_spans(MANIFEST, losses, {D: having(room=60)}) == {D: Span(1, 6)}
    assert next_spans(MANIFEST, losses, {D: having(Span(1, 6), room=60)}) == {}
    assert next_spans(MANIFEST, losses, {D: having(Span(6, 9), room=60)}) == {D: Span(1, 6)}  # in its place
    assert next_spans(MANIFEST, losses, {D: having(room=30)}) == {D: Span(6, 9)}  # the likelier one is too large
    assert next_spans(MANIFEST, losses, {D: having(room=0)}) == {}
    assert next_spans(MANIFEST, losses, {D: having(room=-1)}) == {}


SPANS = st.tuples(st.integers(0, LAYERS - 1), st.integers(1, LAYERS)).map(
    lambda ends: Span(min(ends[0], ends[1] - 1), ends[1])
)
NODES = st.sampled_from([A, B, C, D, E])
LOSSES = st.lists(
    st.builds(Loss, NODES, st.floats(0.01, 10), st.dictionaries(NODES, SPANS, max_size=5)),
    max_size=5,
    unique_by=lambda loss: loss.node,
)
DISKS = st.dictionaries(
    NODES,
    st.builds(Disk, st.frozensets(st.integers(0, LAYERS)), st.integers(-1, 140), st.none() | SPANS),
)


@given(LOSSES, DISKS)
def test_nobody_is_asked_for_what_it_has_or_has_no_room_for(losses, disks):
    for node, span in next_spans(MANIFEST, losses, disks).items():
        disk, chunks = disks[node], set(MANIFEST.chunks_of(span))
        assert any(loss.spans.get(node) == span for loss in losses)
        assert not chunks <= disk.held
        assert MANIFEST.bytes_of(chunks) <= disk.room_bytes


@given(LOSSES, DISKS)
def test_who_does_as_asked_is_asked_less_and_less_and_has_all_that_it_has_room_for(losses, disks):
    for _ in range(len(losses)):
        for node, span in next_spans(MANIFEST, losses, disks).items():
            disk = disks[node]
            disks[node] = Disk(disk.held | set(MANIFEST.chunks_of(span)), disk.room_bytes, disk.runs)
    assert next_spans(MANIFEST, losses, disks) == {}
    for node, disk in disks.items():
        spans = [loss.spans[node] for loss in losses if node in loss.spans]
        if disk.room_bytes >= 10 * len(MANIFEST.chunks):
            assert all(disk.held.issuperset(set(MANIFEST.chunks_of(span)) - _running(disk)) for span in spans)


@given(LOSSES, DISKS, st.randoms())
def test_the_order_in_which_pcs_are_known_changes_nothing(losses, disks, random):
    before = next_spans(MANIFEST, losses, disks)
    random.shuffle(losses)
    assert next_spans(MANIFEST, losses, disks) == before


def _running(disk: Disk) -> set[int]:
    return set(MANIFEST.chunks_of(disk.runs)) if disk.runs is not None else set()


def test_a_pc_that_left_is_likelier_to_leave_again_and_one_that_stays_is_not():
    leavings = Leavings()
    leavings.here([A, B, C], 0.0)
    leavings.left(B)
    leavings.here([B, D], 7200.0)
    hour = 3600.0
    rates = {node: leavings.per_hour(node, 4 * hour) for node in (A, B, D, E)}
    assert rates[B] > rates[E] == 1 / USUAL_HOURS > rates[A]
    assert rates[B] == 2 * rates[A]
    assert rates[A] < rates[D] < rates[E]
