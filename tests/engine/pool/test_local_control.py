"""Who gets through the door for commands of the same user, and who does not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys

import pytest

from idlepool.app.running_node import running_node
from idlepool.engine.commands import AddModel
from idlepool.engine.events import Trouble, encode_line
from idlepool.engine.pool import local_control
from idlepool.engine.pool.control_file import FILE, ControlFile, read_control_file, write_control_file
from idlepool.engine.pool.local_control import LocalControl


class Echo:
    """A client who is told what it said, and that it is gone."""

    def __init__(self, send, gone: asyncio.Event) -> None:
        self._send = send
        self._gone = gone

    def take(self, line: bytes) -> None:
        self._send(encode_line(Trouble(line.decode())))

    async def close(self) -> None:
        self._gone.set()


@pytest.fixture
async def gone(tmp_path):
    """A door in front of Echoes, with the news that one is gone."""
    gone = asyncio.Event()
    control = LocalControl(tmp_path, lambda send: Echo(send, gone))
    await control.start()
    yield gone
    await control.close()


async def call(port: int, answer=lambda challenge: b"") -> bytes:
    """What a caller hears after the challenge, until the door closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(answer(await reader.readexactly(32)))
    heard = await reader.read()
    writer.close()
    return heard


def talk(root, text: str) -> str:
    with running_node(root) as node:
        node.send(AddModel(text))
        return json.loads(node.next_event().sentence)["source"]


@pytest.mark.parametrize("text", ["starter", "x" * 3_000_000])
async def test_whoever_has_read_the_file_is_heard_and_answered(gone, tmp_path, text):
    assert await asyncio.to_thread(talk, tmp_path, text) == text
    await gone.wait()


async def test_several_are_served_at_once(gone, tmp_path):
    texts = [str(number) for number in range(5)]
    assert await asyncio.gather(*(asyncio.to_thread(talk, tmp_path, text) for text in texts)) == texts


@pytest.mark.skipif(sys.platform == "win32", reason="there the rights are those of the user's own folder")
async def test_only_this_user_may_read_the_file(gone, tmp_path):
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert (tmp_path / FILE).stat().st_uid == os.getuid()


async def test_whoever_does_not_know_the_secret_is_told_nothing(gone, tmp_path):
    file = read_control_file(tmp_path)
    foreign = ControlFile(file.port, bytes(32))

    def guessed(challenge: bytes) -> bytes:
        return bytes(32) + foreign.proof("client", challenge + bytes(32))

    def echoed(challenge: bytes) -> bytes:
        """As the node itself would prove itself, had somebody got it to."""
        return challenge + file.proof("node", challenge + challenge)

    assert await call(file.port, guessed) == b""
    assert await call(file.port, echoed) == b""
    assert not gone.is_set(), "nobody became a client"


async def test_a_caller_who_proves_nothing_is_not_waited_for(gone, tmp_path, monkeypatch):
    monkeypatch.setattr(local_control, "PROOF_S", 0.05)
    assert await call(read_control_file(tmp_path).port) == b""


async def test_callers_are_few_and_the_place_of_one_who_went_is_free(gone, tmp_path):
    port = read_control_file(tmp_path).port
    callers = [await asyncio.open_connection("127.0.0.1", port) for _ in range(local_control.MOST_CALLERS)]
    for reader, _ in callers:
        await reader.readexactly(32)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b""
    writer.close()
    for _, writer in callers:
        writer.close()
    while True:
        with contextlib.suppress(TypeError):  # running_node() is None as long as there is no place
            assert await asyncio.to_thread(talk, tmp_path, "now") == "now"
            return


async def test_an_endless_line_ends_the_talk(gone, tmp_path, monkeypatch):
    monkeypatch.setattr(local_control, "MOST_LINE_BYTES", 1000)
    with await asyncio.to_thread(running_node, tmp_path) as node:
        node.send(AddModel("x" * 100_000))
        await gone.wait()


async def test_at_the_end_nothing_is_left(tmp_path):
    gone = asyncio.Event()
    control = LocalControl(tmp_path, lambda send: Echo(send, gone))
    await control.start()
    node = await asyncio.to_thread(running_node, tmp_path)
    await control.close()
    assert gone.is_set()
    assert not (tmp_path / FILE).exists()
    assert running_node(tmp_path) is None
    node.__exit__(None, None, None)


@pytest.mark.parametrize("damaged", [b"", b"{}", b'{"port": 99999, "secret": ""}'])
def test_what_a_crash_left_is_no_node(tmp_path, damaged):
    (tmp_path / FILE).write_bytes(damaged)
    assert running_node(tmp_path) is None


async def test_a_stranger_on_the_port_of_a_crashed_node_is_no_node(gone, tmp_path):
    """Nor does the stranger learn anything to speak to a node with."""
    write_control_file(tmp_path, port=read_control_file(tmp_path).port)
    assert await asyncio.to_thread(running_node, tmp_path) is None
