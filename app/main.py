"""The command line. `idlepool` opens the chat window; each other word has a file of its own in this folder.

What a command needs is imported when it runs: the engine takes a second to import, `--help` should not.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from idlepool.app.arguments import make_parser
from idlepool.app.signals import INTERRUPTED, raise_on_termination

COMMANDS = {
    "chat": "chat_command",
    "demo": "demo",
    "node": "node_command",
    "pair": "pair_command",
    "peers": "peers_command",
    "lend": "lend_command",
    "api": "api_command",
    "plan": "plan_command",
    "devices": "devices_command",
    "models": "models_command",
    "simulate": "simulate_command",
}
"""The module in this folder whose run() is a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    _prepare_streams()
    parsed = make_parser().parse_args(arguments)
    level = logging.DEBUG if parsed.debug else logging.WARNING
    logging.basicConfig(level=level, format="%(name)s: %(message)s", stream=sys.stderr)
    raise_on_termination()
    try:
        return _run(parsed)
    except KeyboardInterrupt:
        return INTERRUPTED


def main_windowed() -> int:
    """The entry point without a console."""
    return main()


def _prepare_streams() -> None:
    """On Windows redirected output knows no emoji, which answers have, and a windowed program has no streams at all."""
    nowhere = Path(os.devnull)
    if sys.stdout is None:
        sys.stdout = nowhere.open("w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _run(parsed: argparse.Namespace) -> int:
    from idlepool.engine.errors import IdlepoolError

    try:
        return _dispatch(parsed)
    except IdlepoolError as error:
        if parsed.debug:
            raise
        sys.stderr.write(f"idlepool: {error}\n")
        return 1


def _dispatch(parsed: argparse.Namespace) -> int:
    match parsed.command:
        case "node" if parsed.attach:
            from idlepool.app import attached_node

            return attached_node.run(parsed)
        case None:
            return _window(hidden=parsed.hidden)
        case "bench":
            return _bench(parsed)
    return int(import_module(f"idlepool.app.{COMMANDS[parsed.command]}").run(parsed))


def _bench(parsed: argparse.Namespace) -> int:
    match parsed.bench:
        case "pipeline":
            from idlepool.app.bench import pipeline

            return pipeline.run(parsed)
        case "transfer":
            from idlepool.app.bench import transfer

            return transfer.run(parsed)
        case "history":
            from idlepool.app.bench import history

            return history.run(parsed)
        case "window":
            from idlepool.app.bench import window

            return window.run(parsed)
    from idlepool.app import bench_engine

    return bench_engine.run(parsed)


def _window(*, hidden: bool) -> int:
    from idlepool.app.launch import launch_once, window_problem

    problem = window_problem()
    if not problem:
        from idlepool.engine.folders import default_root

        return launch_once(default_root(), hidden=hidden)
    sys.stderr.write(f"{problem} Chatting in the terminal instead.\n")
    return _dispatch(make_parser().parse_args(["chat"]))
