"""`idlepool node` on a PC whose owner a test plays: `python owned_node.py FILE [options of idlepool node]`.

The file holds for how many seconds nobody has touched the PC; whatever is no number: nobody knows. The PC runs on mains
and nothing else stands in the way, so that its rules and its owner decide alone.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from idlepool.app.arguments import make_parser
from idlepool.app.node_command import run_node, settings_of
from idlepool.app.signals import raise_on_termination
from idlepool.engine.machine.machine import Conditions
from idlepool.engine.pool.node_settings import NodeSettings

AWAY_S = 3600.0


class Owner:
    """Somebody who uses a PC, or not; as a test says in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def returns(self) -> None:
        self._write("0")

    def goes(self) -> None:
        self._write(str(AWAY_S))

    def seconds(self) -> float | None:
        """See IdleSource."""
        try:
            return float(self._file.read_text())
        except (OSError, ValueError):
            return None

    def _write(self, text: str) -> None:
        beside = self._file.with_suffix(".new")
        beside.write_text(text)
        beside.replace(self._file)


class CalmPc:
    """A PC about which nothing but its owner matters."""

    def conditions(self, *, programs: bool) -> Conditions:
        return Conditions(on_battery=False, metered=False, full_screen=False, programs=frozenset())


def owned_node(file: Path, *options: str) -> list[str]:
    """The command that starts one."""
    return [sys.executable, __file__, str(file), *options]


def main() -> int:
    owner = Owner(Path(sys.argv[1]))

    def settings(arguments: argparse.Namespace) -> NodeSettings:
        return dataclasses.replace(settings_of(arguments), idle=owner, machine=CalmPc())

    raise_on_termination()
    return run_node(make_parser().parse_args(["node", *sys.argv[2:]]), settings)


if __name__ == "__main__":
    sys.exit(main())
