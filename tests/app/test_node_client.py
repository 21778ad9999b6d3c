"""A terminal's end of a node process: its events come, its end is told, and it never outlives the terminal's block."""

from __future__ import annotations

import sys

import psutil
import pytest

from idlepool.app.node_client import NodeClient, NodeEnded
from idlepool.engine.events import AddModel, AnswerDone, Ask, ChatMessage, NodeReady, PoolChanged, Trouble
from idlepool.engine.pool.child_process import python_module


@pytest.fixture
def command(tmp_path):
    options = ["--control", "--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file"]
    options += ["--listen", "127.0.0.1", "--lend", "always"]
    return python_module("idlepool.app", "node", *options)


def next_of(client: NodeClient, kind):
    while not isinstance(event := client.next_event(), kind):
        pass
    return event


def child(command) -> psutil.Process:
    return next(c for c in psutil.Process().children() if c.cmdline()[1:] == command[1:])


def test_a_node_tells_who_it_is_and_ends_with_the_block(command):
    with NodeClient(command) as client:
        ready = next_of(client, NodeReady)
        assert (ready.name, ready.host, ready.models) == ("north", "127.0.0.1", ())
        assert ready.port > 0
        assert [peer.name for peer in next_of(client, PoolChanged).peers if peer.state != "unverified"] == ["north"]
        process = child(command)
        stages = process.children()
    assert not any(p.is_running() for p in (process, *stages))


def test_mistakes_are_answered(command):
    with NodeClient(command) as client:
        client.send(AddModel("no such thing"))
        assert "no such thing is no OpenVINO language model" in next_of(client, Trouble).sentence
        client.send(Ask(4, "chat", "nobody", (ChatMessage("user", "Hello"),)))
        done = next_of(client, AnswerDone)
        assert (done.request, done.finish) == (4, "failed")
        assert "There is no model called “nobody”" in done.detail


def test_where_the_system_has_no_key_store_the_user_is_told(command, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    for _ in range(2):  # at every start
        with NodeClient([option for option in command if option != "--key-file"]) as client:
            node = next_of(client, NodeReady).node
            assert "The private key of this PC lies in a file" in next_of(client, Trouble).sentence
    assert (tmp_path / f"{node}.key").is_file()


def test_a_pc_without_its_key_does_not_start_as_another_one(command, tmp_path):
    with NodeClient(command) as client:
        next_of(client, NodeReady)
    (key,) = tmp_path.glob("*.key")
    key.unlink()
    with NodeClient(command) as client:
        trouble = next_of(client, Trouble)
        assert "The private key of this PC cannot be read" in trouble.sentence
        assert "certificate.der" in trouble.hint
        with pytest.raises(NodeEnded):
            next_of(client, NodeReady)


def test_a_node_that_dies_is_told_of(command):
    with NodeClient(command) as client:
        next_of(client, NodeReady)
        child(command).kill()
        with pytest.raises(NodeEnded, match=r"^The node process ended \(exit code -?\d+\)\."):
            next_of(client, Trouble)
        client.send(AddModel("starter"))  # nobody is there; the end was told


def test_what_is_no_event_is_passed_over():
    chatter = [sys.executable, "-c", "print('hello'); print('{}'); raise SystemExit(3)"]
    with NodeClient(chatter) as client, pytest.raises(NodeEnded, match="exit code 3"):
        client.next_event()
