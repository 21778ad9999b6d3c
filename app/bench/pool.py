"""The PCs of a measurement: nodes as real processes, each pinned to a core of its own, joined by a line with a delay.

user -> node "pc-1" (head, first layers) -> line -> node "pc-2" -> line -> "pc-1" -> user
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from idlepool.app.bench.cores import pin
from idlepool.app.node_client import NodeClient, end_process
from idlepool.engine.models.store import cache_folder, default_root
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pool.child_process import isolation, python_module
from idlepool.engine.pool.founding import pair_homes

HOST = "127.0.0.1"
LOOKUP = "lookup"


@dataclass(frozen=True, slots=True)
class Setup:
    """How the pool of a measurement runs."""

    stages: int
    cores: tuple[int, ...]
    """Cores to share out among the nodes; none: the system does as it likes."""
    speculation: str = "off"
    """off, LOOKUP, or the folder of a draft model."""
    microbatches: int = 0
    """Frames in flight; 0: as the head sees fit."""
    delay_ms: float = 0.0
    """Each way, on every line between two nodes."""

    def of(self, *, everything: bool, delay_ms: float) -> Setup:
        """The same PCs over such a line, plain or not. The plain loop over a slow line has one frame in flight."""
        if everything:
            return replace(self, delay_ms=delay_ms)
        return replace(self, delay_ms=delay_ms, speculation="off", microbatches=1 if delay_ms else 0)

    def core_of(self, number: int) -> int | None:
        """The core of node `number`, counted from 0."""
        return self.cores[number % len(self.cores)] if self.cores else None


@contextmanager
def played_pool(setup: Setup) -> Iterator[NodeClient]:
    """The head's node, with the others around it; nothing is left of them afterwards."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="idlepool-", ignore_cleanup_errors=True)))
        pair_homes({home / name: name for name in map(_name, range(setup.stages))})
        ports = [free_port() for _ in range(setup.stages)]
        reached = [free_port() for _ in ports] if setup.delay_ms else ports
        commands = [_node_command(setup, number, home, port=port, reached=reached) for number, port in enumerate(ports)]
        if setup.delay_ms:
            _start(stack, _line_command(setup, ports, reached), core=None)
        for number, command in enumerate(commands[1:], start=1):
            _start(stack, command, core=setup.core_of(number))
        client = stack.enter_context(NodeClient(commands[0]))
        pin(client.pid, setup.core_of(0))
        yield client


def _name(number: int) -> str:
    return f"pc-{number + 1}"


def _node_command(setup: Setup, number: int, home: Path, *, port: int, reached: Sequence[int]) -> list[str]:
    """The one place that knows the node's options. `reached`: the ports at which the others find each node."""
    name = _name(number)
    options = ["node", "--control", "--name", name, "--home", str(home / name), "--key-file", "--threads", "1"]
    options += ["--library", str(default_root()), "--cache", str(cache_folder(default_root())), "--port", str(port)]
    options += ["--listen", "127.0.0.1", "--lend", "always"]
    options += ["--device", "CPU"]  # whatever else is here: cores are what is compared
    if number == 0:
        options += ["--stages", str(setup.stages)]
        options += ["--speculation", setup.speculation, "--microbatches", str(setup.microbatches)]
    else:
        options += ["--peer", f"{HOST}:{reached[0]}"]
    if reached[number] != port:
        options += ["--via", f"{HOST}:{reached[number]}"]
    return python_module("idlepool.app", *options)


def _line_command(setup: Setup, ports: Sequence[int], reached: Sequence[int]) -> list[str]:
    hops = [f"{near}:{far}" for near, far in zip(reached, ports, strict=True)]
    return python_module("idlepool.app.bench.proxy", "--delay-ms", str(setup.delay_ms), *hops)


def _start(stack: ExitStack, command: Sequence[str], *, core: int | None) -> None:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, **isolation())
    stack.callback(end_process, process)
    pin(process.pid, core)
