"""A chat in the terminal uses the node that runs, and finds models that only other PCs have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from idlepool.app.event_lines import next_of
from idlepool.app.node_client import NodeClient
from idlepool.engine.events import AddModel, NodeReady, PipelineChanged, Trouble
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.child_process import python_module
from idlepool.engine.pool.founding import pair_homes

JAPAN = "What is the capital of Japan?\n"


@pytest.fixture
def start(tmp_path: Path) -> Iterator:
    """A node of that name with its window."""
    with ExitStack() as stack:

        def start_node(name: str, *, lend: str = "always") -> NodeClient:
            options = ["--control", "--name", name, "--home", str(tmp_path / name), "--key-file", "--port", "0"]
            options += ["--listen", "127.0.0.1", "--lend", lend]
            window = stack.enter_context(NodeClient(python_module("idlepool.app", "node", *options)))
            next_of(window, NodeReady)
            return window

        yield start_node


@pytest.mark.model
def test_a_chat_uses_the_node_that_runs_and_leaves_it_running(start, run, tmp_path, starter_store):
    ModelStore(tmp_path / "north").add_folder(starter_store.get("starter").folder, name="starter")
    window = start("north")
    for _ in range(2):
        chat = run("chat", "--temperature", "0", "--max-tokens", "20", home=tmp_path / "north")
        assert chat.finish(typed=JAPAN) == 0, chat.error
        assert "Tokyo" in chat.out
        assert chat.processes() == []
    assert next_of(window, PipelineChanged).model == "starter", "the window sees what runs"
    window.send(AddModel("no such thing"))
    assert "no such thing" in next_of(window, Trouble).sentence


@pytest.mark.model
def test_a_model_that_only_another_pc_has_is_found_and_answers(start, run, tmp_path, starter_store):
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    ModelStore(tmp_path / "south").add_folder(starter_store.get("starter").folder, name="distant")
    start("south")
    start("north")
    chat = run("chat", "--model", "distant", "--temperature", "0", "--max-tokens", "20", home=tmp_path / "north")
    assert chat.finish(typed=JAPAN) == 0, chat.error
    assert "Tokyo" in chat.out
    lines = chat.error.splitlines()
    assert lines[:2] == ["“distant” is not on this PC. Looking for it on the others …", "It is on south."]
    assert "south answers, where this model runs." in lines


def test_a_pc_that_does_not_lend_is_not_asked(start, run, tmp_path, tiny_model):
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    ModelStore(tmp_path / "south").add_folder(tiny_model, name="distant")
    start("south", lend="never")
    start("north")
    chat = run("chat", "--model", "distant", home=tmp_path / "north")
    assert chat.finish() == 1
    assert "“distant” is on south, which does not lend at the moment" in chat.error


def test_a_model_that_nobody_has_is_told_before_anything_is_asked(start, run, tmp_path):
    start("north")
    chat = run("chat", "--model", "nobody", home=tmp_path / "north")
    assert chat.finish() == 1
    assert "There is no model called “nobody”." in chat.error
    assert "Type a question" not in chat.error
