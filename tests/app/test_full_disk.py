"""A disk that takes nothing any more keeps nobody from chatting."""

from __future__ import annotations

from pathlib import Path

from small_disk import fill, small_disk

from idlepool.app.event_lines import next_of
from idlepool.app.node_client import NodeClient
from idlepool.engine.events import NodePreferencesChanged, NodeReady, Trouble
from idlepool.engine.node_preferences import NodePreferences, SetNodePreferences
from idlepool.engine.plan_events import ExcludePcs
from idlepool.engine.pool.child_process import python_module


def node(home: Path) -> list[str]:
    options = ["--name", "north", "--home", str(home), "--port", "0", "--key-file", "--listen", "127.0.0.1"]
    return python_module("idlepool.app", "node", "--control", *options, "--lend", "always")


def test_a_node_on_a_full_disk_runs_says_what_that_costs_and_goes_on_when_there_is_room(tmp_path: Path):
    with small_disk(tmp_path / "disk", "300k") as disk:
        home = disk / "home"
        with NodeClient(node(home)) as first:
            was = next_of(first, NodeReady)
        fill(disk)
        with NodeClient(node(home)) as again:
            assert "control.json could not be written: No space left on device." in next_of(again, Trouble).sentence
            assert next_of(again, NodeReady).node == was.node
            kept = next_of(again, NodePreferencesChanged).preferences
            again.send(SetNodePreferences(NodePreferences(model_bytes_per_s=7)))
            assert "node.json could not be written" in next_of(again, Trouble).sentence
            assert next_of(again, NodePreferencesChanged).preferences == kept
            again.send(ExcludePcs(("somebody",)))
            assert "plans.json could not be written" in next_of(again, Trouble).sentence
            (disk / "filler").unlink()
            again.send(SetNodePreferences(NodePreferences(model_bytes_per_s=7)))
            assert next_of(again, NodePreferencesChanged).preferences.model_bytes_per_s == 7
        assert not [path.name for path in home.iterdir() if path.name.startswith(".") or path.suffix == ".new"]
