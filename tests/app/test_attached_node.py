"""A window on a data folder with a node that runs already speaks to that one, and takes its place when it ends."""

from __future__ import annotations

import subprocess
from pathlib import Path

import psutil
import pytest

from idlepool.app.attached_node import NODE_ENDED
from idlepool.app.node_client import NodeClient, NodeEnded
from idlepool.app.running_node import running_node
from idlepool.engine.commands import OpenPairing
from idlepool.engine.events import AnswerDone, Ask, ChatMessage, NodeReady
from idlepool.engine.local_events import SpeaksForNode
from idlepool.engine.pairing_events import PairingOpen
from idlepool.engine.pool.child_process import python_module


def node(home: Path, *more: str, name: str = "north") -> list[str]:
    options = ["--name", name, "--home", str(home), "--port", "0", "--key-file", "--listen", "127.0.0.1"]
    return python_module("idlepool.app", "node", "--control", *options, "--lend", "always", *more)


def next_of(client, kind):
    while not isinstance(event := client.next_event(), kind):
        pass
    return event


def test_it_speaks_for_the_node_that_runs_and_leaves_it_running(tmp_path: Path):
    with NodeClient(node(tmp_path)) as running:
        next_of(running, NodeReady)
        with NodeClient(node(tmp_path, "--attach", name="south")) as attached:
            assert isinstance(attached.next_event(), SpeaksForNode)
            assert next_of(attached, NodeReady).name == "north"
            assert attached.pid != running.pid
            attached.send(Ask(7, "chat", "nobody", (ChatMessage("user", "Hello"),)))
            assert next_of(attached, AnswerDone).request == 7
            attached.send(OpenPairing())
            next_of(attached, PairingOpen)
            assert psutil.Process(attached.pid).memory_info().rss < 100e6, "it has no engine of its own"
        with running_node(tmp_path) as still:
            assert next_of(still, NodeReady).name == "north"


def test_when_the_node_ends_so_does_the_one_that_spoke_for_it_and_the_next_is_a_node(tmp_path: Path):
    with NodeClient(node(tmp_path)) as running:
        next_of(running, NodeReady)
        with NodeClient(node(tmp_path, "--attach", name="south")) as attached:
            next_of(attached, NodeReady)
            psutil.Process(running.pid).kill()
            with pytest.raises(NodeEnded, match=f"exit code {NODE_ENDED}"):
                next_of(attached, AnswerDone)
    with NodeClient(node(tmp_path, "--attach", name="south")) as alone:
        assert next_of(alone, NodeReady).node
        with running_node(tmp_path) as found:
            assert next_of(found, NodeReady)


def test_two_windows_that_come_at_once_share_one_node(tmp_path: Path):
    with NodeClient(node(tmp_path, "--attach")) as one, NodeClient(node(tmp_path, "--attach")) as other:
        ready = [next_of(client, NodeReady) for client in (one, other)]
        assert ready[0].node == ready[1].node
        assert ready[0].port == ready[1].port


def test_a_folder_that_something_else_holds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from idlepool.engine.pool.folder_lock import folder_lock

    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    with folder_lock(tmp_path):
        code = "import sys; from idlepool.app import attached_node; attached_node.STARTING_S = 0.0"
        code += "; from idlepool.app.main import main; sys.exit(main(sys.argv[1:]))"
        command = node(tmp_path, "--attach")
        command = [command[0], "-c", code, *command[command.index("node") :]]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Idlepool runs already" in done.stderr
    assert "Idlepool runs already" in done.stdout
