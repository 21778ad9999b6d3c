"""`idlepool lend` shows what holds and why, keeps the rules for the next start, and tells a node that runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from owned_node import Owner, owned_node

from idlepool.app.node_client import NodeClient
from idlepool.engine.events import LendingChanged, NodeReady, Trouble
from idlepool.engine.machine_events import MachineFacts, WantMachineFacts
from idlepool.engine.pool.lending_file import FILE, read_lending

Lend = Callable[..., dict[str, Any]]


@pytest.fixture
def lend(run: Callable[..., Any], tmp_path: Path) -> Lend:
    """What `idlepool lend --json` says."""

    def start(*arguments: str) -> dict[str, Any]:
        command = run("lend", "--json", *arguments, home=tmp_path)
        assert command.finish() == 0, command.error
        told: dict[str, Any] = json.loads(command.out)
        return told

    return start


@pytest.fixture
def owner(tmp_path: Path) -> Owner:
    owner = Owner(tmp_path / "idle")
    owner.goes()
    return owner


@pytest.fixture
def node(tmp_path: Path, owner: Owner) -> Iterator[NodeClient]:
    """A node with an owner, who is away."""
    options = ["--control", "--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file"]
    with NodeClient(owned_node(tmp_path / "idle", *options, "--listen", "127.0.0.1")) as client:
        next_of(client, NodeReady)
        yield client


def next_of(client: NodeClient, kind: type) -> Any:
    while not isinstance(event := client.next_event(), kind):
        pass
    return event


def test_without_a_node_it_shows_what_would_hold_and_keeps_what_is_said(lend: Lend, tmp_path: Path) -> None:
    first = lend()
    assert (first["runs"], first["mode"], first["rules"]["memory_share"]) == (False, "when_idle", 0.5)
    assert not (tmp_path / FILE).exists()
    assert lend("never")["sentence"] == "This PC lends nothing: its owner wants to lend nothing."
    told = lend("always", "--set", "on_battery=yes", "--set", "memory_share=0.25", "--snooze", "1h")
    assert (told["lends"], told["reason"]) == (False, "snoozed")
    kept = read_lending(tmp_path)
    assert (kept.rules.mode, kept.rules.on_battery, kept.rules.memory_share) == ("always", True, 0.25)
    assert kept.snoozed_until is not None
    assert lend("--snooze", "off")["lends"]
    assert read_lending(tmp_path).snoozed_until is None


def test_rules_can_be_set_before_the_first_start(run: Callable[..., Any], tmp_path: Path) -> None:
    home = tmp_path / "not" / "yet"
    assert run("lend", "never", home=home).finish() == 0
    assert read_lending(home).rules.mode == "never"


def test_a_person_reads_why_and_that_it_holds_from_the_next_start(run: Callable[..., Any], tmp_path: Path) -> None:
    command = run("lend", "never", home=tmp_path)
    assert command.finish() == 0
    assert command.out.startswith("This PC lends nothing: its owner wants to lend nothing.\n")
    assert "memory" in command.out
    assert "next start" in command.error


def test_unreadable_rules_are_told_and_can_be_set_anew(run: Callable[..., Any], lend: Lend, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    command = run("lend", home=tmp_path)
    assert command.finish() == 1
    assert "cannot be read" in command.error
    assert "idlepool lend when-idle" in command.error
    assert lend("when-idle")["mode"] == "when_idle"


def test_a_node_that_runs_is_told_and_its_window_hears_it(lend: Lend, node: NodeClient) -> None:
    assert lend()["runs"]
    told = lend("never")
    assert (told["runs"], told["mode"], told["lends"], told["reason"]) == (True, "never", False, "never")
    while next_of(node, LendingChanged).reason != "never":
        pass
    assert lend("when-idle", "--set", "idle_minutes=1")["lends"]
    assert lend("--snooze", "until-tomorrow")["reason"] == "snoozed"
    assert lend("--snooze", "off")["lends"]
    assert lend("--stop")["reason"] == "snoozed"


def test_a_node_notices_its_owner(lend: Lend, node: NodeClient, owner: Owner) -> None:
    owner.returns()
    while next_of(node, LendingChanged).reason != "user active":
        pass
    assert lend()["sentence"] == "This PC lends nothing: somebody uses it."


def test_a_node_that_lends_always_is_not_told_otherwise(run: Callable[..., Any], tmp_path: Path) -> None:
    options = ["--control", "--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file"]
    with NodeClient(owned_node(tmp_path / "idle", *options, "--listen", "127.0.0.1", "--lend", "always")) as client:
        next_of(client, NodeReady)
        command = run("lend", "never", home=tmp_path)
        assert command.finish() == 1
        assert "--lend always" in command.error
        shown = run("lend", home=tmp_path)
        assert shown.finish() == 0
        assert "whatever the rules say" in shown.out


def test_a_node_with_damaged_rules_starts_lends_nothing_and_tells_its_window(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"rules": {"mode": "alw')
    options = ["--control", "--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file"]
    idle = tmp_path / "idle"
    Owner(idle).goes()
    with NodeClient(owned_node(idle, *options, "--listen", "127.0.0.1")) as client:
        trouble = next_of(client, Trouble)
        while "rules" not in trouble.sentence:
            trouble = next_of(client, Trouble)
        told = next_of(client, LendingChanged)
        assert "lending.json.broken" in trouble.sentence
        assert (told.mode, told.lends) == ("never", False)
        client.send(WantMachineFacts())
        facts = next_of(client, MachineFacts)
        assert facts.memory_bytes > 1e9
        assert any("python" in program for program in facts.programs)
    assert (tmp_path / "lending.json.broken").exists()
