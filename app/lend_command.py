"""`idlepool lend`: when this PC lends, what holds at the moment, and why.

A node that runs with this data folder is asked and told. Where there is none, the rules are kept for its next start,
and what would hold is found out here.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from idlepool.app.event_lines import Speaker, next_of
from idlepool.app.lend_values import rules_in_words, snooze_end
from idlepool.app.own_pool import data_folder
from idlepool.app.running_node import running_node
from idlepool.app.terminal_chat import say, write
from idlepool.engine.errors import PoolError
from idlepool.engine.events import LendingChanged, LendingRules, SetLending, Snooze, StopLending
from idlepool.engine.lending_events import LendingCommand
from idlepool.engine.lending_rules import LendingMode
from idlepool.engine.machine.idle import idle_source
from idlepool.engine.machine.machine import Machine
from idlepool.engine.pool.donation import decide
from idlepool.engine.pool.lending import STOPPED, changed, facts_of
from idlepool.engine.pool.lending_file import KeptLending, RulesUnreadable, read_lending, write_lending


class LendsAlways(PoolError):
    """The node that runs was told so when it was started."""

    def __init__(self) -> None:
        super().__init__(
            "The Idlepool that runs here was started with --lend always.", "End it, and start it without that."
        )


MODES: dict[str, LendingMode] = {"when-idle": "when_idle", "always": "always", "never": "never"}


def run(arguments: argparse.Namespace) -> int:
    """Change what was asked for, show what holds, and return the exit code."""
    root = data_folder(arguments)
    kept = _kept(root, anew=arguments.mode is not None)
    commands = _commands(arguments, kept.rules)
    node = running_node(root)
    if node is None:
        state = _kept_for_later(root, kept, commands)
    else:
        with node:
            state = _told(node, commands)
    if arguments.json:
        write(msgspec.json.encode(_facts(state, runs=node is not None)).decode() + "\n")
        return 0
    write(_shown(state))
    if commands and node is None:
        say("Idlepool does not run here: this holds from its next start on.")
    return 0


def _kept(root: Path, *, anew: bool) -> KeptLending:
    """The rules so far; the defaults in place of unreadable ones, where that is wanted."""
    try:
        return read_lending(root)
    except RulesUnreadable:
        if anew:
            return KeptLending()
        raise


def _commands(arguments: argparse.Namespace, rules: LendingRules) -> list[LendingCommand]:
    """What the command line asks for."""
    commands: list[LendingCommand] = []
    changes = dict(arguments.set) | ({"mode": MODES[arguments.mode]} if arguments.mode else {})
    if changes:
        commands.append(SetLending(msgspec.structs.replace(rules, **changes)))
    if arguments.snooze:
        commands.append(Snooze(snooze_end(arguments.snooze, datetime.now().astimezone())))
    if arguments.stop:
        commands.append(StopLending())
    return commands


def _told(node: Speaker, commands: Sequence[LendingCommand]) -> LendingChanged:
    """Tell the node one command after the other; each is answered by how it is then."""
    state = next_of(node, LendingChanged)
    if commands and state.rules is None:
        raise LendsAlways
    for command in commands:
        node.send(command)
        state = next_of(node, LendingChanged)
    return state


def _kept_for_later(root: Path, kept: KeptLending, commands: Sequence[LendingCommand]) -> LendingChanged:
    """Write down what is wanted, and find out what would hold now."""
    now = datetime.now().astimezone()
    for command in commands:
        match command:
            case SetLending(rules=rules):
                kept = KeptLending(rules, kept.snoozed_until)
            case Snooze(until=until):
                kept = KeptLending(kept.rules, until)
            case StopLending():
                kept = KeptLending(kept.rules, now + STOPPED)
    if commands:
        write_lending(root, kept)
    told = Machine().conditions(programs=bool(kept.rules.exclusive_programs))
    facts = facts_of(now, idle_source().seconds(), told)
    return changed(kept, decide(kept.rules, facts, snoozed_until=kept.snoozed_until))


def _facts(state: LendingChanged, *, runs: bool) -> dict[str, object]:
    return {"runs": runs} | {name: getattr(state, name) for name in state.__struct_fields__}


def _shown(state: LendingChanged) -> str:
    until = f" Until {_moment(state.until)}." if state.until else ""
    lines = [f"{state.sentence}{until}"]
    if state.rules is None:
        lines.append("It was started to lend always, whatever the rules say.")
    else:
        width = max(len(name) for name, _ in rules_in_words(state.rules)) + 2
        lines += [f"  {name:{width}}{words}" for name, words in rules_in_words(state.rules)]
    return "\n".join(lines) + "\n"


def _moment(at: datetime) -> str:
    """In this PC's time zone, with the day unless it is today."""
    local, today = at.astimezone(), datetime.now().astimezone().date()
    return f"{local:%H:%M}" if local.date() == today else f"{local:%A} {local:%H:%M}"
