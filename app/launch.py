"""Opening the window, where there can be one."""

from __future__ import annotations

from collections.abc import Sequence

from idlepool.engine.pool.child_process import python_module


def node_command() -> list[str]:
    """The command that starts this PC's node for a window or a terminal."""
    return python_module("idlepool.app", "node", "--control")


def window_problem() -> str:
    """Why no window can be shown here, in a sentence; empty where one can."""
    from idlepool.ui.display import display_problem  # Qt is imported only where a window is wanted

    return display_problem()


def launch(node_command: Sequence[str], *, title: str = "Idlepool") -> int:
    """Show the chat window, served by the node process that the command starts; returns the exit code."""
    from idlepool.ui.application import run

    return run(list(node_command), title=title)
