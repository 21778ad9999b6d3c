"""Commands speak to the node that runs with their data folder, beside its window, and leave it running."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from idlepool.app.node_client import NodeClient
from idlepool.app.running_node import NodeGone, running_node
from idlepool.engine.commands import EnterCode, LeavePool, OpenPairing, RereadModels
from idlepool.engine.events import (
    AddModel,
    AnswerDone,
    Ask,
    ChatMessage,
    ModelsChanged,
    NodeReady,
    PoolChanged,
    Trouble,
)
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pairing_events import MembersChanged, PairingFailed, PairingOpen
from idlepool.engine.pool.child_process import python_module


@pytest.fixture
def window(tmp_path: Path) -> Iterator[NodeClient]:
    """A node with its window."""
    options = ["--control", "--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file"]
    options += ["--listen", "127.0.0.1", "--lend", "always"]
    with NodeClient(python_module("idlepool.app", "node", *options)) as client:
        next_of(client, NodeReady)
        yield client


def next_of(client, kind):
    while not isinstance(event := client.next_event(), kind):
        pass
    return event


def ask(request: int) -> Ask:
    return Ask(request, "chat", "nobody", (ChatMessage("user", "Hello"),))


def test_a_command_is_told_how_things_are_and_is_answered_alone(window, tmp_path):
    with running_node(tmp_path) as first, running_node(tmp_path) as second:
        assert next_of(first, NodeReady).name == "north"
        assert next_of(second, PoolChanged).peers[0].name == "north"
        for speaker in (first, second, window):  # each counts its own questions
            speaker.send(ask(4))
        for speaker in (first, second, window):
            done = next_of(speaker, AnswerDone)
            assert (done.request, done.finish) == (4, "failed")
            assert "There is no model called “nobody”" in done.detail
            speaker.send(ask(5))
        for speaker in (first, second, window):
            assert next_of(speaker, AnswerDone).request == 5, "and no answer twice, or of somebody else"


def test_all_hear_of_a_model_that_somebody_added(window, tmp_path, tiny_model):
    with running_node(tmp_path) as speaker:
        speaker.send(AddModel(str(tiny_model)))
        (added,) = next_of(window, ModelsChanged).models
        assert next_of(speaker, ModelsChanged).models == (added,)
        ModelStore(tmp_path).remove(added.name)
        speaker.send(RereadModels())
        assert next_of(window, ModelsChanged).models == ()
    with running_node(tmp_path) as later:
        assert next_of(later, ModelsChanged).models == ()


def test_a_code_that_a_command_shows_is_its_own_and_void_when_it_ends(window, tmp_path):
    with running_node(tmp_path) as shows:
        shows.send(OpenPairing())
        code = next_of(shows, PairingOpen).code
    with running_node(tmp_path) as leaves:
        next_of(leaves, MembersChanged)
        leaves.send(LeavePool())
        assert [member.name for member in next_of(leaves, MembersChanged).members] == ["north"]
        leaves.send(EnterCode(code))
        assert "No PC in this network shows" in next_of(leaves, PairingFailed).sentence
    window.send(AddModel("no such thing"))
    while not isinstance(event := window.next_event(), Trouble):
        assert not isinstance(event, PairingOpen | PairingFailed), "the window asked for nothing of it"


def test_a_node_without_a_window_serves_commands_until_it_is_ended(tmp_path, run):
    options = ("--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file", "--listen", "127.0.0.1")
    node = run("node", *options, home=tmp_path)
    while (speaker := running_node(tmp_path)) is None:
        pass
    with speaker:
        assert next_of(speaker, NodeReady).name == "north"
        node.send_signal(signal.SIGINT)
        with pytest.raises(NodeGone, match="The Idlepool that runs here ended"):
            next_of(speaker, Trouble)
    assert node.finish() == 0
    assert running_node(tmp_path) is None
    assert not (tmp_path / "control.json").exists()


def test_what_a_crashed_node_left_is_noticed_and_replaced(tmp_path, run):
    options = ("--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file", "--listen", "127.0.0.1")
    for _ in range(2):
        node = run("node", *options, home=tmp_path)
        while (speaker := running_node(tmp_path)) is None:
            pass
        with speaker:
            next_of(speaker, NodeReady)
        node.end()
        assert (tmp_path / "control.json").exists()
        assert running_node(tmp_path) is None
