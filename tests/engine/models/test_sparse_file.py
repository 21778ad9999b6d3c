from __future__ import annotations

import sys

import pytest

from idlepool.engine.models.sparse_file import allocated_bytes, create_sparse, punch_hole, write_at

MB = 1 << 20


def test_only_what_is_written_takes_disk_space(tmp_path):
    path = tmp_path / "weights.bin"
    create_sparse(path, 512 * MB)
    assert path.stat().st_size == 512 * MB
    assert allocated_bytes(path) < MB
    with path.open("r+b") as file:
        write_at(file, 300 * MB + 7, b"x" * MB)
        assert path.read_bytes()[300 * MB + 7 : 301 * MB + 7] == b"x" * MB  # seen before it is closed
    assert MB <= allocated_bytes(path) < 2 * MB
    assert path.stat().st_size == 512 * MB


def test_creating_again_empties_the_file(tmp_path):
    path = tmp_path / "weights.bin"
    path.write_bytes(b"x" * MB)
    create_sparse(path, 2 * MB)
    assert path.read_bytes() == bytes(2 * MB)
    assert allocated_bytes(path) < MB


@pytest.mark.skipif(sys.platform != "linux", reason="how much is given back depends on the file system's blocks")
def test_a_hole_gives_its_space_back_and_leaves_what_is_around_it(tmp_path):
    path = tmp_path / "weights"
    create_sparse(path, 4 * MB)
    with path.open("r+b") as file:
        write_at(file, MB, bytes([7]) * MB)
        before = allocated_bytes(path)
        punch_hole(file, MB + 1000, MB // 2)
    data = path.read_bytes()
    assert len(data) == 4 * MB
    assert data[MB : MB + 1000] == bytes([7]) * 1000
    assert not any(data[MB + 1000 : MB + 1000 + MB // 2])
    assert data[MB + 1000 + MB // 2 : 2 * MB] == bytes([7]) * (MB // 2 - 1000)
    assert before - allocated_bytes(path) >= MB // 2 - 3 * 4096


def test_a_hole_in_a_file_that_is_only_read_is_refused(tmp_path):
    path = tmp_path / "weights"
    create_sparse(path, MB)
    with path.open("rb") as file, pytest.raises(OSError, match=r"descriptor|handle|denied|permitted"):
        punch_hole(file, 0, MB)
