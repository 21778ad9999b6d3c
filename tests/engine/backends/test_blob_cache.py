"""A compiled shard is kept, found again and equal; whatever happens to an entry, the shard loads."""

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.backends.base import Batch, Shard
from idlepool.engine.backends.blob_cache import BlobCache
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import ShardRequest, load_paged, load_stateful
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ModelId, Span

CORE = ov.Core()
WIRE = inference_precision(CORE, "CPU")
IDS = np.random.default_rng(0).integers(0, 300, 24).astype(np.int32)

MODEL = ModelId("a" * 64)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "blobs"


@pytest.fixture
def request_of(tiny_model: Path, folder: Path) -> ShardRequest:
    return ShardRequest(tiny_model, Span(0, 4), "CPU", WIRE, threads=1, blobs=BlobCache(folder, MODEL))


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.blob"))


def contents(folder: Path) -> dict[str, tuple[int, str]]:
    """When each entry was written (by its file's identity) and what is in it."""
    return {path.name: (path.stat().st_ino, hashlib.sha256(path.read_bytes()).hexdigest()) for path in entries(folder)}


def logits(shard: Shard) -> np.ndarray:
    """Of a prefill, a decode step and a rewind."""
    rows = []
    for start, ids in ((0, IDS[:16]), (16, IDS[16:17]), (10, IDS[10:24])):
        output = shard.run(Batch((Segment(1, start, len(ids), sample=len(ids)),), ids))
        assert output.logits is not None
        rows.append(output.logits.copy())
    return np.concatenate(rows)


def test_a_kept_shard_computes_the_same_to_the_last_bit(request_of: ShardRequest, folder: Path) -> None:
    plain = logits(load_stateful(CORE, replace(request_of, blobs=None)))
    first = logits(load_stateful(CORE, request_of))
    kept = contents(folder)
    again = logits(load_stateful(ov.Core(), request_of))
    assert np.array_equal(first, plain)
    assert np.array_equal(again, plain)
    assert len(kept) == 1
    assert contents(folder) == kept


def test_paged_shards_of_a_cpu_are_never_kept(request_of: ShardRequest, folder: Path) -> None:
    plain = logits(load_paged(CORE, replace(request_of, blobs=None)))
    assert np.array_equal(logits(load_paged(CORE, request_of)), plain)
    assert not folder.exists()


def test_middle_stages_are_kept_apart_from_others(request_of: ShardRequest, folder: Path) -> None:
    spans = [Span(0, 2), Span(2, 4), Span(1, 3)]
    for span in spans:
        load_stateful(CORE, replace(request_of, span=span))
    load_stateful(CORE, replace(request_of, span=Span(1, 3), threads=2))
    load_stateful(CORE, replace(request_of, span=Span(1, 3), blobs=BlobCache(folder, ModelId("b" * 64))))
    assert len(entries(folder)) == 5


def flip_a_weight(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


def another_openvino(data: bytes) -> bytes:
    """An entry that is whole, but whose blob was written by another OpenVINO."""
    version = ov.__version__.partition("-")[0].encode()
    blob = data[:-48].replace(b"ov=" + version, b"ov=" + version.replace(b"2026", b"2031"), 1)
    assert blob != data[:-48]
    return blob + hashlib.sha256(blob).digest() + data[-16:]


@pytest.mark.parametrize(
    "damage",
    [
        flip_a_weight,
        another_openvino,
        lambda data: data[: len(data) // 2],
        lambda data: data[:10],
        lambda data: b"",
        lambda data: data + b"more",
        lambda data: data[:-16] + b"idlepool blob 0\n",
    ],
    ids=["flipped", "other version", "truncated", "stub", "empty", "longer", "other format"],
)
def test_a_damaged_entry_is_made_anew(request_of: ShardRequest, folder: Path, damage, caplog) -> None:
    expected = logits(load_stateful(CORE, request_of))
    (path,) = entries(folder)
    path.write_bytes(damage(path.read_bytes()))
    damaged = contents(folder)
    assert np.array_equal(logits(load_stateful(CORE, request_of)), expected)
    assert "made anew" in caplog.text
    mended = contents(folder)
    assert mended.keys() == damaged.keys()
    assert mended != damaged
    caplog.clear()
    assert np.array_equal(logits(load_stateful(CORE, request_of)), expected)
    assert caplog.text == ""


def test_the_entry_not_used_for_longest_goes_first(request_of: ShardRequest, folder: Path) -> None:
    spans = [Span(0, 1), Span(1, 2), Span(2, 3)]
    names = {}
    for age, span in zip((300, 200, 100), spans, strict=True):
        before = set(entries(folder))
        load_stateful(CORE, replace(request_of, span=span))
        (names[span],) = set(entries(folder)) - before
        os.utime(names[span], (names[span].stat().st_atime, names[span].stat().st_mtime - age))
    load_stateful(CORE, replace(request_of, span=spans[0]))  # used again: no longer the oldest
    room = sum(path.stat().st_size for path in entries(folder))
    tight = BlobCache(folder, MODEL, most_bytes=room)
    load_stateful(CORE, replace(request_of, span=Span(1, 3), blobs=tight))
    left = entries(folder)
    assert names[spans[0]] in left
    assert names[spans[1]] not in left
    assert sum(path.stat().st_size for path in left) <= room


@pytest.mark.parametrize("limit", [{"most_bytes": 1000}, {"most_cpu_bytes": 1000}])
def test_what_is_too_large_is_not_kept(request_of: ShardRequest, folder: Path, limit) -> None:
    load_stateful(CORE, replace(request_of, blobs=BlobCache(folder, MODEL, **limit)))
    assert not folder.exists() or not any(folder.iterdir())


def test_a_folder_that_cannot_be_written_does_not_matter(request_of: ShardRequest, tmp_path: Path, caplog) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder", encoding="utf-8")
    shard = load_stateful(CORE, replace(request_of, blobs=BlobCache(in_the_way, MODEL)))
    assert logits(shard).shape == (31, 300)
    assert "could not be kept" in caplog.text


def test_what_an_ended_process_left_is_removed(request_of: ShardRequest, folder: Path) -> None:
    folder.mkdir()
    old, new = folder / ".old.part", folder / ".new.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    load_stateful(CORE, request_of)
    assert not old.exists()
    assert new.exists()


LOAD = """
import sys
from pathlib import Path
import openvino as ov
from idlepool.engine.backends.blob_cache import BlobCache
from idlepool.engine.backends.load import ShardRequest, load_stateful
from idlepool.engine.types import ElementType, ModelId, Span
model, folder, wire = Path(sys.argv[1]), Path(sys.argv[2]), ElementType(sys.argv[3])
sys.stdin.readline()
blobs = BlobCache(folder, ModelId("a" * 64))
request = ShardRequest(model, Span(0, 4), "CPU", wire, threads=1, blobs=blobs)
load_stateful(ov.Core(), request)
"""


def test_two_processes_at_once_leave_one_good_entry(
    tiny_model: Path, request_of: ShardRequest, folder: Path, caplog
) -> None:
    command = [sys.executable, "-c", LOAD, str(tiny_model), str(folder), WIRE.value]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.wait(60) for process in both] == [0, 0]
    assert [path.suffix for path in folder.iterdir()] == [".blob"]
    kept = contents(folder)
    load_stateful(CORE, request_of)
    assert contents(folder) == kept
    assert "anew" not in caplog.text
