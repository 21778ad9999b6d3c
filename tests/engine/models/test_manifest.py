from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.errors import MessageError
from idlepool.engine.models.manifest import NEEDED_FILES, Chunk, FileEntry, Manifest, decode_manifest
from idlepool.engine.types import Span

DIGEST = "0123456789abcdef" * 4
GOOD = Manifest(
    layers=2,
    hidden=64,
    vocabulary=300,
    context=512,
    files=tuple(FileEntry(name, 10, DIGEST) for name in NEEDED_FILES),
    weights_bytes=100,
    chunks=(Chunk(0, 40, DIGEST), Chunk(40, 20, DIGEST), Chunk(70, 30, DIGEST)),
    layer_chunks=((0, 1), (1, 2)),
    layer_costs=(50, 40),
)


def with_file(**changes) -> tuple[FileEntry, ...]:
    return (msgspec.structs.replace(GOOD.files[0], **changes), *GOOD.files[1:])


def with_chunk(index: int, chunk: Chunk) -> tuple[Chunk, ...]:
    return (*GOOD.chunks[:index], chunk, *GOOD.chunks[index + 1 :])


def test_a_manifest_survives_its_encoding_with_its_id():
    assert decode_manifest(GOOD.encode()) == GOOD
    assert decode_manifest(GOOD.encode()).model == GOOD.model
    assert len(GOOD.model) == 64


def test_a_span_needs_the_chunks_of_its_layers_each_once():
    assert GOOD.chunks_of(Span(0, 2)) == (0, 1, 2)
    assert GOOD.chunks_of(Span(1, 2)) == (1, 2)
    assert GOOD.bytes_of(GOOD.chunks_of(Span(1, 2))) == 50


@given(st.sets(st.integers(0, 11)))
def test_the_layers_whose_chunks_are_held_come_as_the_longest_spans(held):
    layers = 8
    chunks = tuple(Chunk(10 * index, 10, DIGEST) for index in range(12))
    read = tuple(((layer, layer + 1, 11) if layer % 3 else (layer,)) for layer in range(layers))
    manifest = msgspec.structs.replace(
        GOOD, layers=layers, weights_bytes=120, chunks=chunks, layer_chunks=read, layer_costs=(1,) * layers
    )
    spans = manifest.spans_in(held)
    assert [layer for span in spans for layer in span] == [n for n in range(layers) if set(read[n]) <= held]
    assert all(before.last < after.first for before, after in pairwise(spans))


@pytest.mark.parametrize(
    "name", ["../x.xml", "..\\x", "x\\..\\y", "a/b", "..", ".", "", "/etc/passwd", "C:x", "C:\\x", "x:y"]
)
def test_names_that_lead_out_of_the_models_folder_are_refused(name):
    bad = msgspec.structs.replace(GOOD, files=(*GOOD.files, FileEntry(name, 10, DIGEST)))
    with pytest.raises(MessageError, match="leads out of the model's folder"):
        decode_manifest(bad.encode())


@pytest.mark.parametrize("name", ["CON", "nul.xml", "com1", "LPT9.bin", "aux. "])
def test_names_that_windows_opens_as_devices_are_refused(name):
    bad = msgspec.structs.replace(GOOD, files=(*GOOD.files, FileEntry(name, 10, DIGEST)))
    with pytest.raises(MessageError, match="is a device on Windows"):
        decode_manifest(bad.encode())


@pytest.mark.parametrize("name", ["manifest.json", "x", "openvino_model.bin", "CONFIG.JSON"])
def test_names_that_are_no_file_of_a_model_are_refused(name):
    bad = msgspec.structs.replace(GOOD, files=(*GOOD.files, FileEntry(name, 10, DIGEST)))
    with pytest.raises(MessageError, match="is no file of a model"):
        decode_manifest(bad.encode())


@pytest.mark.parametrize(
    ("fault", "changes"),
    [
        ("layers is 0", {"layers": 0}),
        ("hidden is -1", {"hidden": -1}),
        ("vocabulary is 0", {"vocabulary": 0}),
        ("context is 0", {"context": 0}),
        ("weights_bytes", {"weights_bytes": 1 << 60}),
        ("format 2", {"format": 2}),
        ("named twice", {"files": (*GOOD.files, GOOD.files[0])}),
        ("is missing", {"files": GOOD.files[1:]}),
        ("-1 bytes", {"files": with_file(size=-1)}),
        ("bytes, not 0 to", {"files": with_file(size=1 << 40)}),
        ("no SHA-256", {"files": with_file(sha256=DIGEST.upper())}),
        ("outside the weights", {"chunks": with_chunk(2, Chunk(71, 30, DIGEST))}),
        ("outside the weights", {"chunks": with_chunk(0, Chunk(-1, 40, DIGEST))}),
        ("0 bytes", {"chunks": with_chunk(0, Chunk(0, 0, DIGEST))}),
        ("overlaps", {"chunks": with_chunk(1, Chunk(39, 20, DIGEST))}),
        ("chunk 1 has no SHA-256", {"chunks": with_chunk(1, Chunk(40, 20, "00"))}),
        ("does not exist", {"layer_chunks": ((0, 1), (1, 3))}),
        ("does not exist", {"layer_chunks": ((-1, 1), (1, 2))}),
        ("not in order", {"layer_chunks": ((1, 0), (1, 2))}),
        ("another number of layers", {"layer_chunks": ((0, 1, 2),)}),
        ("negative", {"layer_costs": (50, -1)}),
    ],
)
def test_contradictions_are_refused_by_name(fault, changes):
    with pytest.raises(MessageError, match=fault):
        decode_manifest(msgspec.structs.replace(GOOD, **changes).encode())


@given(st.binary(max_size=200) | st.text(max_size=80).map(str.encode))
def test_noise_is_refused(data):
    with pytest.raises(MessageError):
        decode_manifest(data)


@given(st.data())
def test_a_manifest_with_a_byte_changed_is_refused_or_another_model(data):
    good = bytearray(GOOD.encode())
    place = data.draw(st.integers(0, len(good) - 1))
    good[place] ^= data.draw(st.integers(1, 255))
    try:
        manifest = decode_manifest(bytes(good))
    except MessageError:
        return
    assert manifest.model != GOOD.model
