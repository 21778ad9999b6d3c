"""Opening the window, where there can be one, and once only."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from idlepool.engine.pool.child_process import python_module


def node_command() -> list[str]:
    """The command that starts this PC's node for a window or a terminal, or speaks for one that runs already."""
    return python_module("idlepool.app", "node", "--control", "--attach")


def window_problem() -> str:
    """Why no window can be shown here, in a sentence; empty where one can."""
    from idlepool.ui.display import display_problem  # Qt is imported only where a window is wanted

    return display_problem()


def launch(node_command: Sequence[str], *, title: str = "Idlepool") -> int:
    """Show a window that keeps nothing, served by the node process that the command starts; returns the exit code."""
    with _for_good():
        from idlepool.ui.application import run

    return run(list(node_command), title=title)


def launch_once(folder: Path, *, hidden: bool) -> int:
    """Show this user's window, or bring the one to the front that is open already; returns the exit code.

    `hidden`: nobody asked for a window now, it starts with the system.

    Raises:
        NotAnswering: a window is open already and does not react.
    """
    with _for_good():
        from idlepool.app.autostart import autostart, mend
        from idlepool.app.single_instance import first_instance, wake_first
        from idlepool.ui.application import run

    with first_instance(folder) as first:
        if first is not None:
            switch = autostart()
            mend(switch)
            return run(node_command(), folder=folder, hidden=hidden, autostart=switch, other_starts=first)
    if not hidden:
        wake_first(folder)
    return 0


@contextmanager
def _for_good() -> Iterator[None]:
    """What is made in here stays as long as the program: looking for garbage in it takes time at the start, and later
    makes the window stumble in the middle of an answer."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
