"""`idlepool api` shows address and key, switches the API of the node that runs, or keeps what is said for its start."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from owned_node import Owner, owned_node

from idlepool.app.event_lines import next_of
from idlepool.app.node_client import NodeClient
from idlepool.engine.events import NodePreferencesChanged, NodeReady, Trouble
from idlepool.engine.net.sockets import free_port, listening_socket
from idlepool.engine.node_preferences import NodePreferences, SetNodePreferences
from idlepool.engine.pool.node_preferences_file import read_node_preferences

Api = Callable[..., dict[str, Any]]


@pytest.fixture
def api(run: Callable[..., Any], tmp_path: Path) -> Api:
    """What `idlepool api --json` says."""

    def start(*arguments: str, code: int = 0) -> dict[str, Any]:
        command = run("api", "--json", *arguments, home=tmp_path)
        assert command.finish() == code, command.error
        told: dict[str, Any] = json.loads(command.out)
        return told

    return start


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., NodeClient]]:
    Owner(tmp_path / "idle").goes()
    options = ["--control", "--home", str(tmp_path), "--port", "0", "--key-file", "--listen", "127.0.0.1"]
    clients: list[NodeClient] = []

    def start_it(*more: str) -> NodeClient:
        client = NodeClient(owned_node(tmp_path / "idle", *options, *more))
        clients.append(client.__enter__())
        return client

    yield start_it
    for client in clients:
        client.__exit__(None, None, None)


def test_what_is_said_before_the_first_start_is_kept(api: Api, tmp_path: Path) -> None:
    assert not api()["on"]
    told = api("on", "--port", "7777")
    assert (told["runs"], told["on"], told["port"], told["address"]) == (False, True, 7777, "")
    assert read_node_preferences(tmp_path)[0] == NodePreferences(api_on=True, api_port=7777)
    assert not api("off")["on"]


def test_the_node_that_runs_is_switched(api: Api, start: Callable[..., NodeClient]) -> None:
    node = start("--name", "north")
    assert not next_of(node, NodePreferencesChanged).api_address
    port = free_port()
    on = api("on", "--port", str(port))
    assert on["address"] == f"http://127.0.0.1:{port}/v1"
    assert len(on["key"]) > 40
    assert next_of(node, NodePreferencesChanged).api_key == on["key"]
    again = api("--renew-key")
    assert again["address"] == on["address"]
    assert again["key"] != on["key"]
    assert api("off")["address"] == ""


def test_a_port_that_is_taken_is_told(api: Api, start: Callable[..., NodeClient], run: Any, tmp_path: Path) -> None:
    next_of(start(), NodePreferencesChanged)
    with listening_socket("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        assert f"Port {port} is used by another program" in api("on", "--port", port, code=1)["problem"]
    shown = run("api", home=tmp_path)
    assert shown.finish() == 1
    assert shown.out.startswith("Programs are not answered: Port")


def test_what_the_disk_does_not_take_is_told(start: Callable[..., NodeClient], run: Any, tmp_path: Path) -> None:
    next_of(start(), NodePreferencesChanged)
    (tmp_path / "node.json" / "in the way").mkdir(parents=True)
    for arguments in (("on",), ("off", "--port", "7777")):
        command = run("api", *arguments, home=tmp_path)
        assert command.finish() == 1
        assert command.error.startswith("idlepool: ")
        assert "node.json could not be written" in command.error
        assert command.out == ""


def test_a_damaged_file_is_put_aside_and_told(start: Callable[..., NodeClient], tmp_path: Path) -> None:
    (tmp_path / "node.json").write_text('{"api_port": "often"}')
    node = start()
    assert "made no sense" in next_of(node, Trouble).sentence
    assert next_of(node, NodePreferencesChanged).preferences == NodePreferences()
    assert (tmp_path / "node.json.broken").exists()


def test_the_name_changes_at_once_unless_the_command_line_says_it(
    start: Callable[..., NodeClient], tmp_path: Path
) -> None:
    node = start()
    state = next_of(node, NodePreferencesChanged)
    assert state.fixed == ()
    node.send(SetNodePreferences(NodePreferences(name="lagoon", model_bytes_per_s=5_000_000)))
    assert next_of(node, NodePreferencesChanged).preferences.name == "lagoon"
    node.__exit__(None, None, None)
    again = start()
    assert next_of(again, NodeReady).name == "lagoon"
    again.__exit__(None, None, None)
    named = start("--name", "north", "--model-rate", "0")
    assert next_of(named, NodeReady).name == "north"
    assert next_of(named, NodePreferencesChanged).fixed == ("name", "model_bytes_per_s")
