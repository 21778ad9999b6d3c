"""`idlepool models` and the PCs of the pool: models that only they have, and what a node that runs is told."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack

import pytest

from idlepool.app import models_command
from idlepool.app.arguments import make_parser
from idlepool.app.event_lines import next_of
from idlepool.app.node_client import NodeClient
from idlepool.engine.events import ModelsChanged, NodeReady, PoolChanged
from idlepool.engine.models.store import HOME_VARIABLE, ModelStore
from idlepool.engine.pool.child_process import python_module
from idlepool.engine.pool.founding import pair_homes


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "north"))
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    return tmp_path / "north"


def run(*arguments: str) -> int:
    return models_command.run(make_parser().parse_args(["models", *arguments]))


@pytest.fixture
def other_pc(home, tiny_model):
    """Nodes of two PCs of one pool; the model is on the other one."""
    other = home.with_name("south")
    ModelStore(other).add_folder(tiny_model, name="distant")
    with ExitStack() as stack:
        for name, root in (("south", other), ("north", home)):
            options = [
                "--control",
                "--name",
                name,
                "--home",
                str(root),
                "--port",
                "0",
                "--key-file",
                "--lend",
                "always",
            ]
            command = python_module("idlepool.app", "node", *options, "--listen", "127.0.0.1")
            node = stack.enter_context(NodeClient(command))
            next_of(node, NodeReady)
        yield node


def test_models_of_other_pcs_are_listed_with_where_they_are(other_pc, home, tiny_model, capsys):
    while not any(peer.whole for peer in next_of(other_pc, PoolChanged).peers):
        pass
    assert run("list") == 0
    listed = capsys.readouterr().out.splitlines()
    assert listed[0] == "On other PCs of the pool, which answer about them:"
    assert re.fullmatch(r"distant  4 layers, \d+ MB, context [\d,]+  on south", listed[1])
    assert run("list", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["name"], row["on"], row["complete"]) == ("distant", ["south"], False)
    assert run("add", str(tiny_model), "--name", "distant") == 0
    assert run("list", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["name"], row["complete"]) == ("distant", True)


def test_the_window_hears_of_what_a_command_adds_and_removes(other_pc, tiny_model):
    for action, names in (("add", ["mine"]), ("remove", [])):
        source = (str(tiny_model), "--name", "mine") if action == "add" else ("mine",)
        assert run(action, *source) == 0
        assert [model.name for model in next_of(other_pc, ModelsChanged).models] == names


def test_without_a_node_it_is_said_when_those_of_others_are_listed(home, capsys):
    assert run("list") == 0
    assert "listed while Idlepool runs here" in capsys.readouterr().err
