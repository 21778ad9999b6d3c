"""The two PCs of `idlepool bench transfer`, each a process: one has a model, the other fetches it in turn in two ways.

`python -m idlepool.app.bench.transfer_ends give HOME MODEL` prints the ports it listens on, and ends with its standard
input. `take HOME MODEL LINK_PORT RAW_PORT ROUNDS` prints a JSON object for each round.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from idlepool.engine.models.child import end_with_parent
from idlepool.engine.models.manifest import WEIGHTS_FILE, Manifest, decode_manifest
from idlepool.engine.models.partial import MANIFEST_FILE, PartialModel
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello
from idlepool.engine.net.tls import Credentials
from idlepool.engine.pool.membership import load_membership
from idlepool.engine.pool.model_bytes import fetch_span
from idlepool.engine.pool.model_serving import serve_models
from idlepool.engine.pool.model_source import LinkSource
from idlepool.engine.types import Address, Span

HOST = "127.0.0.1"
RAW_BLOCK = 256 << 10
"""What the raw copy reads and sends at once; larger and smaller ones are slower."""


class Round(msgspec.Struct, frozen=True):
    """One turn of both ways: seconds of wall time, and of processor time of the process that fetches."""

    raw_s: float
    raw_processor_s: float
    model_s: float
    model_processor_s: float


def main() -> None:
    """Be one of the two PCs; see the module."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    role, home, model, *numbers = sys.argv[1:]
    credentials = load_membership(Path(home), role, FileKeyStore(Path(home))).credentials
    if role == "give":
        asyncio.run(_give(credentials, Path(model)))
    else:
        link_port, raw_port, rounds = map(int, numbers)
        _take(credentials, Path(model), Path(home), link_port=link_port, raw_port=raw_port, rounds=rounds)


async def _give(credentials: Credentials, folder: Path) -> None:
    manifest = decode_manifest((folder / MANIFEST_FILE).read_bytes())
    stored = StoredModel("random", manifest, manifest.model, folder)
    server = LinkServer(HOST, 0, credentials=credentials, on_link=lambda link: serve_models(link, lambda _: stored))
    await server.start()
    listener = socket.create_server((HOST, 0))
    give_raw = (listener, credentials.server_context, folder / WEIGHTS_FILE)
    threading.Thread(target=_give_raw, args=give_raw, daemon=True).start()
    _say({"link_port": server.port, "raw_port": listener.getsockname()[1]})
    await asyncio.Event().wait()


def _give_raw(listener: socket.socket, tls: ssl.SSLContext, weights: Path) -> None:
    while True:
        plain, _ = listener.accept()
        room = memoryview(bytearray(RAW_BLOCK))
        with tls.wrap_socket(plain, server_side=True) as connection, weights.open("rb", buffering=0) as file:
            while count := file.readinto(room):
                connection.sendall(room[:count])
            connection.unwrap()


def _take(credentials: Credentials, folder: Path, home: Path, *, link_port: int, raw_port: int, rounds: int) -> None:
    manifest = decode_manifest((folder / MANIFEST_FILE).read_bytes())

    def raw() -> None:
        _take_raw(Address(HOST, raw_port), credentials.client_context, home / "raw", size=manifest.weights_bytes)
        (home / "raw").unlink()

    def model() -> None:
        asyncio.run(_take_model(Address(HOST, link_port), credentials, home / "model", manifest))
        shutil.rmtree(home / "model")

    for way in (raw, model):  # memory that was never used before is slow: neither way should be the first to use it
        way()
    _say("warm")
    for number in range(rounds):
        if number % 2:
            model_s, raw_s = _timed(model), _timed(raw)
        else:
            raw_s, model_s = _timed(raw), _timed(model)
        _say(Round(*raw_s, *model_s))


def _take_raw(address: Address, tls: ssl.SSLContext, target: Path, *, size: int) -> None:
    room = memoryview(bytearray(RAW_BLOCK))
    with (
        socket.create_connection((address.host, address.port)) as plain,
        tls.wrap_socket(plain) as connection,
        target.open("wb", buffering=0) as file,
    ):
        left = size
        while left:
            filled = 0
            while filled < min(left, RAW_BLOCK):
                filled += connection.recv_into(room[filled : min(left, RAW_BLOCK)])
            file.write(room[:filled])
            left -= filled
        os.fsync(file.fileno())
        connection.unwrap()


async def _take_model(address: Address, credentials: Credentials, target: Path, manifest: Manifest) -> None:
    async def connect() -> Link:
        return await dial(address, Hello("model", credentials.identity.node, "take", 0), credentials=credentials)

    source = LinkSource("give", manifest.model, connect)
    try:
        partial = PartialModel(target, manifest)
        await fetch_span(partial, Span(0, manifest.layers), [source], progress=lambda done, total: None)
    finally:
        await source.close()


def _timed(work: Callable[[], None]) -> tuple[float, float]:
    """Seconds of wall and of processor time."""
    start, spent = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - spent


def _say(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
