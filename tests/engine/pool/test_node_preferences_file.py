"""What the owner chose for the node is there after a restart; a file that means nothing is put aside, not lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from idlepool.engine.errors import StorageError
from idlepool.engine.node_preferences import NodePreferences
from idlepool.engine.pool.node_preferences_file import FILE, read_node_preferences, write_node_preferences

BROKEN = "node.json.broken"

CHOSEN = NodePreferences(api_on=True, api_port=8000, model_bytes_per_s=3_000_000, name="Büro 3")


def test_defaults_hold_before_anything_was_chosen(tmp_path: Path) -> None:
    assert read_node_preferences(tmp_path) == (NodePreferences(), "")
    assert not NodePreferences().api_on


def test_what_was_chosen_is_read_again(tmp_path: Path) -> None:
    write_node_preferences(tmp_path / "new", CHOSEN)
    assert read_node_preferences(tmp_path / "new") == (CHOSEN, "")


def test_what_a_newer_version_wrote_beside_it_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"api_on": true, "colour": "blue"}')
    assert read_node_preferences(tmp_path) == (NodePreferences(api_on=True), "")


@pytest.mark.parametrize(
    "text", ["", "{", '{"api_port": 80}', '{"model_bytes_per_s": -1}', '{"name": 7}', "[" * 9999, "\udcff"]
)
def test_a_file_that_means_nothing_is_put_aside_and_told(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode("utf-8", "surrogateescape"))
    preferences, problem = read_node_preferences(tmp_path)
    assert preferences == NodePreferences()
    assert BROKEN in problem
    assert (tmp_path / BROKEN).exists()
    assert read_node_preferences(tmp_path) == (NodePreferences(), "")


def test_a_folder_that_takes_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        write_node_preferences(tmp_path / "file" / "home", CHOSEN)
