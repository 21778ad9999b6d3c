"""Opening the window, where there can be one."""

from __future__ import annotations

from collections.abc import Sequence


def window_problem() -> str | None:
    """Why no window can be shown here, in a sentence; None where one can."""
    from idlepool.ui.display import display_problem  # Qt is imported only where a window is wanted

    return display_problem()


def launch(node_command: Sequence[str], *, title: str = "Idlepool") -> int:
    """Show the chat window, served by the node process that the command starts; returns the exit code."""
    from idlepool.ui.application import run

    return run(list(node_command), title=title)
