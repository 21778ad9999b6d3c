"""How a child process is started on each system, so that it lives exactly as long as it should.

A child reads its standard input and ends when that ends, which also holds when its parent was killed. Ctrl+C in a
terminal goes to the parent alone, which then ends its children in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

log = logging.getLogger("idlepool.process")

KILLED_S: Final = 5.0
"""What a killed process gets to be gone. One that hangs in a driver stays until the driver lets go of it."""


def python_module(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this program in a new process.

    -P: never a module of the folder that the user happens to be in.
    """
    return [sys.executable, "-P", "-m", module, *arguments]


def isolation() -> dict[str, Any]:
    """Options of subprocess.Popen that keep Ctrl+C away from the child, and on Windows a console from popping up."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": flags}
    return {"start_new_session": True}


async def start(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> asyncio.subprocess.Process:
    """Start a child with pipes to its standard input and output; its standard error is ours.

    `environment` None: ours.
    """
    program, *arguments = command
    pipes: dict[str, Any] = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    return await asyncio.create_subprocess_exec(program, *arguments, env=environment, **pipes, **isolation())


async def end(process: asyncio.subprocess.Process, *, grace_s: float = 2.0, killed_s: float = KILLED_S) -> None:
    """Close the child's standard input, give it `grace_s` to leave, then kill it; returns when it is gone, or cannot be
    killed within `killed_s`: whoever ends it must not hang with it.

    What it still writes is thrown away meanwhile: with a full pipe it could not leave. Nobody else may read it then.
    """
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(grace_s):
            await _drain(process)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        try:
            async with asyncio.timeout(killed_s):
                await _drain(process)
        except TimeoutError:
            log.warning("process %d was killed and is not gone: something in the system holds it", process.pid)


async def _drain(process: asyncio.subprocess.Process) -> None:
    while process.stdout is not None and await process.stdout.read(1 << 20):
        pass
    await process.wait()
