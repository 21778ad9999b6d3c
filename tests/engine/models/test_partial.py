from __future__ import annotations

import errno
from pathlib import Path

import openvino as ov
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.errors import MessageError, ModelDamaged, ModelIncomplete, StorageError
from idlepool.engine.models.chunk_set import pack_chunks, unpack_chunks
from idlepool.engine.models.manifest import WEIGHTS_FILE
from idlepool.engine.models.manifest_builder import build_manifest
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.types import Span

MIDDLE = Span(1, 3)
FULL_DISK = Path("/dev/full")


@pytest.fixture(scope="module")
def whole(tiny_model, tmp_path_factory):
    return ModelStore(tmp_path_factory.mktemp("whole")).add_folder(tiny_model, name="tiny")


@pytest.fixture
def partial(whole, tmp_path) -> PartialModel:
    return ModelStore(tmp_path).partial(whole.manifest)


def fill(partial, whole, span) -> None:
    for file in partial.missing_files():
        partial.write_file(file.name, whole.read_file(file.name))
    for index in partial.missing(span):
        partial.write_chunk(index, whole.read_chunk(index))
    partial.flush()


def test_a_span_is_filled_and_takes_no_more_disk_than_it_needs(partial, whole):
    fill(partial, whole, MIDDLE)
    assert partial.missing(MIDDLE) == ()
    assert partial.missing_files() == ()
    assert partial.bytes_on_disk <= 1.05 * partial.bytes_needed(MIDDLE) + 8192 * len(whole.manifest.files)
    weights = (partial.folder / WEIGHTS_FILE).read_bytes()
    assert len(weights) == whole.manifest.weights_bytes
    original = (whole.folder / WEIGHTS_FILE).read_bytes()
    for item in partial.held_ranges:
        assert weights[item.offset : item.end] == original[item.offset : item.end]
    assert sum(item.length for item in partial.held_ranges) < len(original) / 2


def test_a_node_with_part_of_a_model_gives_what_it_holds_and_no_more(partial, whole):
    fill(partial, whole, MIDDLE)
    held = whole.manifest.chunks_of(MIDDLE)
    assert all(partial.read_chunk(index) == whole.read_chunk(index) for index in held)
    assert partial.read_file("config.json") == whole.read_file("config.json")
    other = next(index for index in range(len(whole.manifest.chunks)) if index not in held)
    with pytest.raises(ModelIncomplete):
        partial.read_chunk(other)


def test_the_sparse_copy_is_a_model_that_openvino_reads(partial, whole):
    fill(partial, whole, MIDDLE)
    assert len(ov.Core().read_model(partial.graph).inputs) == 4
    assert build_manifest(partial.folder).layers == whole.manifest.layers


def test_filling_goes_on_after_a_restart(partial, whole):
    chunks = partial.missing(MIDDLE)
    for index in chunks[:2]:
        partial.write_chunk(index, whole.read_chunk(index))
    partial.flush()
    again = PartialModel(partial.folder, whole.manifest)
    assert again.missing(MIDDLE) == chunks[2:]
    fill(again, whole, MIDDLE)
    assert PartialModel(partial.folder, whole.manifest).missing(MIDDLE) == ()


def test_chunks_that_a_crash_left_unrecorded_are_fetched_again(partial, whole):
    chunks = partial.missing(MIDDLE)
    partial.write_chunk(chunks[0], whole.read_chunk(chunks[0]))  # never flushed
    assert PartialModel(partial.folder, whole.manifest).missing(MIDDLE) == chunks


@pytest.mark.parametrize("record", [b"", b"\x01", b"\xff" * 100, b"[0, 1]"])
def test_a_broken_record_means_fetching_again(partial, whole, record):
    fill(partial, whole, MIDDLE)
    (partial.folder / "held").write_bytes(record)
    assert PartialModel(partial.folder, whole.manifest).held == frozenset()
    again = PartialModel(partial.folder, whole.manifest)
    fill(again, whole, MIDDLE)
    assert PartialModel(partial.folder, whole.manifest).held == again.held


def test_weights_of_the_wrong_length_are_started_anew(partial, whole):
    fill(partial, whole, MIDDLE)
    (partial.folder / WEIGHTS_FILE).write_bytes(b"short")
    again = PartialModel(partial.folder, whole.manifest)
    assert again.held == frozenset()
    assert (partial.folder / WEIGHTS_FILE).stat().st_size == whole.manifest.weights_bytes


def test_a_tampered_chunk_is_refused_and_not_written(partial, whole):
    index = partial.missing(MIDDLE)[0]
    data = bytearray(whole.read_chunk(index))
    data[len(data) // 2] ^= 1
    with pytest.raises(ModelDamaged, match="SHA-256"):
        partial.write_chunk(index, bytes(data))
    with pytest.raises(ModelDamaged, match="instead of"):
        partial.write_chunk(index, bytes(data[:-1]))
    assert index not in partial.held
    assert not any((partial.folder / WEIGHTS_FILE).read_bytes())


def test_a_tampered_file_is_refused_and_no_other_name_is_written(partial, whole):
    with pytest.raises(ModelDamaged):
        partial.write_file("config.json", whole.read_file("config.json")[::-1])
    with pytest.raises(KeyError):
        partial.write_file("../config.json", b"{}")
    assert "config.json" in {file.name for file in partial.missing_files()}


def test_a_folder_that_cannot_be_made_is_a_storage_error(whole, tmp_path):
    (tmp_path / "shards").write_text("a file in the way")
    with pytest.raises(StorageError):
        ModelStore(tmp_path).partial(whole.manifest)


@pytest.mark.skipif(not FULL_DISK.exists(), reason="needs a file that is always full (Linux)")
def test_on_a_full_disk_the_good_chunks_are_kept(partial, whole):
    first, second, *_ = partial.missing(MIDDLE)
    partial.write_chunk(first, whole.read_chunk(first))
    partial.flush()
    weights = partial.folder / WEIGHTS_FILE
    weights.rename(weights.with_suffix(".kept"))
    weights.symlink_to(FULL_DISK)
    with pytest.raises(StorageError, match="No space left on device"):
        partial.write_chunk(second, whole.read_chunk(second))
    assert partial.held == {first}
    weights.with_suffix(".kept").replace(weights)
    again = PartialModel(partial.folder, whole.manifest)
    assert again.held == {first}
    fill(again, whole, MIDDLE)
    assert again.missing(MIDDLE) == ()


def test_dropped_chunks_give_their_space_back_and_the_others_stay(partial, whole):
    fill(partial, whole, Span(0, 4))
    before = partial.bytes_on_disk
    kept = set(whole.manifest.chunks_of(Span(3, 4)))
    going = partial.held - kept
    partial.drop(going)
    assert partial.held == PartialModel(partial.folder, whole.manifest).held == kept
    assert partial.spans == (Span(3, 4),)
    assert before - partial.bytes_on_disk > 0.9 * whole.manifest.bytes_of(going)
    assert all(partial.read_chunk(index) == whole.read_chunk(index) for index in kept)
    with pytest.raises(ModelIncomplete):
        partial.read_chunk(min(going))
    fill(partial, whole, MIDDLE)
    assert all(partial.read_chunk(index) == whole.read_chunk(index) for index in partial.held)


def test_chunks_whose_space_is_not_given_back_stay(partial, whole, monkeypatch):
    fill(partial, whole, MIDDLE)
    held = partial.held

    def refuse(*_: object) -> None:  # as a file system without holes does
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr("idlepool.engine.models.partial.punch_hole", refuse)
    partial.drop(held)
    assert partial.held == PartialModel(partial.folder, whole.manifest).held == held


def test_layers_without_the_small_files_cannot_be_loaded(partial, whole):
    for index in partial.missing(MIDDLE):
        partial.write_chunk(index, whole.read_chunk(index))
    assert partial.spans == ()
    fill(partial, whole, MIDDLE)
    assert partial.spans == (MIDDLE,)


def test_what_an_earlier_run_left_is_found_by_its_id(partial, whole, tmp_path):
    fill(partial, whole, MIDDLE)
    store = ModelStore(tmp_path)
    assert store.known_partial(whole.model).held == partial.held
    assert store.known_partial("f" * 64) is None
    assert store.known_partial("../models") is None
    (partial.folder / "manifest.json").write_bytes(b"{}")
    assert store.known_partial(whole.model) is None


@given(st.integers(1, 300).flatmap(lambda count: st.tuples(st.just(count), st.sets(st.integers(0, count - 1)))))
def test_a_set_of_chunks_comes_back_as_it_was(case):
    count, indices = case
    assert unpack_chunks(pack_chunks(indices, count), count) == indices


@given(st.binary(max_size=8), st.integers(0, 40))
def test_other_bytes_are_no_set_of_chunks(data, count):
    try:
        indices = unpack_chunks(data, count)
    except MessageError:
        return
    assert pack_chunks(indices, count) == data
