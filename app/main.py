"""The command line. `idlepool` opens the chat window; each other word has a file of its own in this folder."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence

from idlepool.app import demo, models_command, node_command
from idlepool.app.launch import launch, window_problem
from idlepool.app.node_client import NodeClient
from idlepool.app.signals import INTERRUPTED, raise_on_termination
from idlepool.app.terminal_chat import converse, say
from idlepool.engine.errors import IdlepoolError
from idlepool.engine.events import Sampling
from idlepool.engine.pool.child_process import python_module


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parsed = _parser().parse_args(arguments)
    level = logging.DEBUG if parsed.debug else logging.WARNING
    logging.basicConfig(level=level, format="%(name)s: %(message)s", stream=sys.stderr)
    raise_on_termination()
    try:
        return _dispatch(parsed)
    except IdlepoolError as error:
        if parsed.debug:
            raise
        say(f"idlepool: {error}")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def main_windowed() -> int:
    """The entry point without a console."""
    return main()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="idlepool", description="Pools idle AI PCs: runs language models that no single one of them can hold."
    )
    parser.add_argument("--debug", action="store_true", help="log everything and show tracebacks")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    demo.add_arguments(commands.add_parser("demo", help="several PCs played on this one, set up by itself"))
    _add_chat(commands.add_parser("chat", help="chat in the terminal"))
    node_command.add_arguments(commands.add_parser("node", help="take part in the pool without a window"))
    models_command.add_arguments(commands.add_parser("models", help="add, list, verify and remove models"))
    return parser


def _add_chat(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default="starter")
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--max-tokens", type=int, default=1024)


def _dispatch(parsed: argparse.Namespace) -> int:
    match parsed.command:
        case "demo":
            return demo.run(parsed)
        case "node":
            return node_command.run(parsed)
        case "models":
            return models_command.run(parsed)
        case "chat":
            return _chat(parsed.model, temperature=parsed.temperature, max_tokens=parsed.max_tokens)
    problem = window_problem()
    if problem is None:
        return launch(_node())
    say(f"{problem} Chatting in the terminal instead.")
    return _chat("starter", temperature=0.7, max_tokens=1024)


def _node() -> list[str]:
    return python_module("idlepool.app", "node", "--control")


def _chat(model: str, *, temperature: float, max_tokens: int) -> int:
    with NodeClient(_node()) as client:
        converse(client, model, sampling=Sampling(temperature=temperature, top_p=0.9), max_tokens=max_tokens)
    return 0
