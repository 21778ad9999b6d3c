"""`idlepool bench transfer`: how fast and with how much memory a model reaches a second PC, beside a plain TLS copy.

Two processes on this PC, paired, over the loopback network. The model is random bytes with a real manifest: it goes
through the same links, checks and files as any other. The plain copy is one TLS connection that a file is sent through.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import msgspec
import psutil

from idlepool.app.bench.transfer_ends import Round
from idlepool.app.node_client import end_process
from idlepool.app.terminal_chat import say
from idlepool.engine.errors import PoolError
from idlepool.engine.models.chunking import CHUNK_BYTES
from idlepool.engine.models.files import writing
from idlepool.engine.models.manifest import NEEDED_FILES, WEIGHTS_FILE, Chunk, FileEntry, Manifest
from idlepool.engine.models.partial import MANIFEST_FILE
from idlepool.engine.pool.child_process import isolation, python_module
from idlepool.engine.pool.founding import pair_homes

MODULE = "idlepool.app.bench.transfer_ends"
SAMPLE_S = 0.05


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    size = arguments.megabytes * 1_000_000
    with tempfile.TemporaryDirectory(prefix="idlepool-", dir=arguments.folder, ignore_cleanup_errors=True) as folder:
        say(f"Making {arguments.megabytes:,} MB of random bytes …")
        model = Path(folder) / "random"
        make_model(model, size=size)
        found = _measure(Path(folder), model, size=size, rounds=arguments.rounds)
    sys.stdout.write(json.dumps(found) + "\n" if arguments.json else _table(found))
    return 0


def make_model(folder: Path, *, size: int) -> Manifest:
    """A folder with `size` random bytes as the weights of one layer, and its manifest.

    Raises:
        StorageError: the disk is full.
    """
    chunks = []
    with writing(folder):
        folder.mkdir()
        with (folder / WEIGHTS_FILE).open("wb") as file:
            for offset in range(0, size, CHUNK_BYTES):
                data = os.urandom(min(CHUNK_BYTES, size - offset))
                chunks.append(Chunk(offset, len(data), hashlib.sha256(data).hexdigest()))
                file.write(data)
        files = []
        for name in NEEDED_FILES:
            (folder / name).write_bytes(data := os.urandom(1000))
            files.append(FileEntry(name, len(data), hashlib.sha256(data).hexdigest()))
        manifest = Manifest(
            layers=1,
            hidden=1,
            vocabulary=1,
            context=1,
            files=tuple(files),
            weights_bytes=size,
            chunks=tuple(chunks),
            layer_chunks=(tuple(range(len(chunks))),),
            layer_costs=(size,),
        )
        (folder / MANIFEST_FILE).write_bytes(manifest.encode())
    return manifest


def _measure(folder: Path, model: Path, *, size: int, rounds: int) -> dict[str, object]:
    homes = {folder / name: name for name in ("give", "take")}
    pair_homes(homes)
    with ExitStack() as stack:
        giver = stack.enter_context(_child("give", str(folder / "give"), str(model)))
        ports = json.loads(_line(giver))
        numbers = (ports["link_port"], ports["raw_port"], rounds)
        taker = stack.enter_context(_child("take", str(folder / "take"), str(model), *map(str, numbers)))
        _line(taker)
        memory = {"give": stack.enter_context(_Memory(giver.pid)), "take": stack.enter_context(_Memory(taker.pid))}
        done = []
        for number in range(rounds):
            say(f"Round {number + 1} of {rounds} …")
            done.append(msgspec.json.decode(_line(taker), type=Round))
        return _report(done, memory, size=size)


def _report(rounds: list[Round], memory: dict[str, _Memory], *, size: int) -> dict[str, object]:
    megabytes = size / 1e6
    return {
        "megabytes": megabytes,
        "raw_mb_per_s": [round(megabytes / turn.raw_s, 1) for turn in rounds],
        "model_mb_per_s": [round(megabytes / turn.model_s, 1) for turn in rounds],
        "ratio": round(median(turn.raw_s / turn.model_s for turn in rounds), 3),
        "raw_processor_s": [round(turn.raw_processor_s, 2) for turn in rounds],
        "model_processor_s": [round(turn.model_processor_s, 2) for turn in rounds],
        "memory_mb": {role: {"before": seen.before / 1e6, "most": seen.most / 1e6} for role, seen in memory.items()},
    }


def _table(found: dict[str, object]) -> str:
    """What was found, for a person."""
    return "".join(f"{name:18} {value}\n" for name, value in found.items())


@contextmanager
def _child(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = python_module(MODULE, *arguments)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **isolation())
    try:
        yield process
    finally:
        end_process(process)


def _line(process: subprocess.Popen[bytes]) -> bytes:
    """The next line that a process says.

    Raises:
        PoolError: it ended.
    """
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise PoolError("One of the two processes ended.", "What it said stands above.")
    return line


class _Memory:
    """The memory that a process takes for itself, looked at often during a `with` block."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self.before = self.most = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Memory:
        self.before = self.most = self._process.memory_info().rss
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.wait(SAMPLE_S):
            try:
                self.most = max(self.most, self._process.memory_info().rss)
            except psutil.NoSuchProcess:
                return
