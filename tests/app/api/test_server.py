"""The server by itself: it starts and stops in a loop of somebody else, and ends what is under way."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys

import pytest

from idlepool.app.api import embedded
from idlepool.app.api.asgi import Message, Receive, Scope, Send, read_body, send_json, start
from idlepool.app.api.refusals import TooSlow
from idlepool.app.api.server import LocalApi
from idlepool.engine.errors import PortInUse
from idlepool.engine.net.sockets import free_port, listening_socket

KEY = "idlepool-key"
REQUEST = f"GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {KEY}\r\n\r\n".encode()


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    await send_json(send, {"path": scope["path"]})


async def answer_for_ever(scope: Scope, receive: Receive, send: Send) -> None:
    await start(send, 200, b"text/plain")
    while True:
        await send({"type": "http.response.body", "body": b"more", "more_body": True})
        await asyncio.sleep(0.01)


async def test_it_answers_from_start_to_stop_and_again() -> None:
    api, port = LocalApi(answer), free_port()
    assert api.address == ""
    for _ in range(2):
        await api.start(port, KEY)
        assert api.address == f"http://127.0.0.1:{port}/v1"
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST)
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        await api.stop()
        assert api.address == ""
        writer.close()
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", port)


async def test_stopped_at_once_it_leaves_the_port() -> None:
    api, port = LocalApi(answer), free_port()
    await api.start(port, KEY)
    await api.stop()
    with pytest.raises(OSError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_an_answer_under_way_does_not_keep_it_from_stopping() -> None:
    api, port = LocalApi(answer_for_ever), free_port()
    await api.start(port, KEY)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    await reader.readline()
    await api.stop()
    await asyncio.wait_for(reader.read(), 30)
    writer.close()


async def test_a_port_that_is_taken_is_told() -> None:
    api = LocalApi(answer)
    with listening_socket("127.0.0.1", 0) as taken, pytest.raises(PortInUse):
        await api.start(taken.getsockname()[1], KEY)
    assert api.address == ""
    await api.stop()


async def test_signals_stay_with_whoever_has_them() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    api = LocalApi(answer)
    await api.start(free_port(), KEY)
    await asyncio.sleep(0)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
    await api.stop()


def test_the_http_library_is_imported_only_where_programs_are_answered() -> None:

    code = "import sys, idlepool.app.node_command; print('uvicorn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "False"


async def test_who_listens_under_the_other_name_of_this_pc_is_shown_no_key() -> None:
    """A program that was told “localhost” asks at ::1 first, and shows the key there."""
    api = LocalApi(answer)
    with listening_socket("::1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse):
            await api.start(port, KEY)
    assert api.address == ""
    await api.start(port, KEY)
    await api.stop()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost:"])
@pytest.mark.parametrize("answered", [False, True])
async def test_who_holds_a_connection_and_asks_for_nothing_is_let_go(
    monkeypatch: pytest.MonkeyPatch, said: bytes, answered: bool
) -> None:
    monkeypatch.setattr(embedded, "HEAD_S", 0.2)
    monkeypatch.setattr(embedded, "IDLE_S", 1)
    api, port = LocalApi(answer), free_port()
    await api.start(port, KEY)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    if answered:
        writer.write(REQUEST)
        await reader.readuntil(b"}")
    writer.write(said)
    await asyncio.wait_for(reader.read(), 30)
    writer.close()
    await api.stop()


async def test_an_answer_takes_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "HEAD_S", 0.1)
    api, port = LocalApi(answer_for_ever), free_port()
    await api.start(port, KEY)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    for _ in range(100):
        assert await reader.readline()
    writer.close()
    await api.stop()


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def nothing() -> Message:
        await asyncio.Event().wait()
        return {}

    with pytest.raises(TooSlow):
        await read_body(nothing, most=10, within_s=0.05)
