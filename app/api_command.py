"""`idlepool api`: the API for programs of this PC, its address and its key; switched on and off.

A node that runs with this data folder is asked and told. Where there is none, what is said is kept for its next start.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from idlepool.app.api.key import make_api_key, read_api_key
from idlepool.app.event_lines import Speaker, next_of
from idlepool.app.own_pool import data_folder
from idlepool.app.running_node import running_node
from idlepool.app.terminal_chat import say, write
from idlepool.engine.errors import PoolError
from idlepool.engine.events import Trouble
from idlepool.engine.node_preferences import (
    NodePreferences,
    NodePreferencesChanged,
    NodePreferencesCommand,
    RenewApiKey,
    SetNodePreferences,
)
from idlepool.engine.pool.node_preferences_file import read_node_preferences, write_node_preferences


def run(arguments: argparse.Namespace) -> int:
    """Change what was asked for, show what holds, and return the exit code."""
    root = data_folder(arguments)
    node = running_node(root)
    if node is None:
        state = _kept_for_later(root, arguments)
    else:
        with node:
            state = _told(node, arguments)
    if arguments.json:
        write(msgspec.json.encode(_facts(state, runs=node is not None)).decode() + "\n")
    else:
        write(_shown(state))
        if node is None:
            say("Idlepool does not run here: this holds from its next start on.")
    return 1 if state.api_problem else 0


def _wanted(arguments: argparse.Namespace, kept: NodePreferences) -> NodePreferences:
    """What the command line makes of what was kept."""
    api_on = kept.api_on if arguments.switch is None else arguments.switch == "on"
    port = kept.api_port if arguments.port is None else arguments.port
    return msgspec.structs.replace(kept, api_on=api_on, api_port=port)


def _told(node: Speaker, arguments: argparse.Namespace) -> NodePreferencesChanged:
    """Tell the node one command after the other; each is answered by how it is then."""
    state = next_of(node, NodePreferencesChanged)
    wanted = _wanted(arguments, state.preferences)
    commands: list[NodePreferencesCommand] = [SetNodePreferences(wanted)] if wanted != state.preferences else []
    for command in commands + [RenewApiKey()] * arguments.renew_key:
        state = _after(node, command, state)
    return state


def _after(node: Speaker, command: NodePreferencesCommand, before: NodePreferencesChanged) -> NodePreferencesChanged:
    """How it is once the node has done it. Raises PoolError with what the node said where it could not."""
    node.send(command)
    problem: Trouble | None = None
    while not isinstance(event := node.next_event(), NodePreferencesChanged):
        if isinstance(event, Trouble):
            problem = event
    if problem is not None and (event.preferences, event.api_key) == (before.preferences, before.api_key):
        raise PoolError(problem.sentence, problem.hint)
    return event


def _kept_for_later(root: Path, arguments: argparse.Namespace) -> NodePreferencesChanged:
    kept, problem = read_node_preferences(root)
    if problem:
        say(problem)
    wanted = _wanted(arguments, kept)
    if wanted != kept:
        write_node_preferences(root, wanted)
    key = make_api_key(root) if arguments.renew_key else read_api_key(root)
    return NodePreferencesChanged(wanted, api_key=key)


def _facts(state: NodePreferencesChanged, *, runs: bool) -> dict[str, object]:
    return {
        "runs": runs,
        "on": state.preferences.api_on,
        "port": state.preferences.api_port,
        "address": state.api_address,
        "key": state.api_key,
        "problem": state.api_problem,
    }


def _shown(state: NodePreferencesChanged) -> str:
    return "\n".join(_lines(state)) + "\n"


def _lines(state: NodePreferencesChanged) -> Sequence[str]:
    if state.api_problem:
        return [f"Programs are not answered: {state.api_problem}"]
    if not state.preferences.api_on:
        return ["Programs are not answered. Switch the API on with: idlepool api on"]
    if not state.api_address:
        return [f"Programs will be answered on port {state.preferences.api_port}."]
    return [f"address  {state.api_address}", f"key      {state.api_key}"]
