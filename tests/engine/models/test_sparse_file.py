from __future__ import annotations

from idlepool.engine.models.sparse_file import allocated_bytes, create_sparse, write_at

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
