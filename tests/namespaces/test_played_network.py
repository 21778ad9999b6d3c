"""The played network itself: PCs reach one another, and nothing that passes is overlooked."""

from __future__ import annotations

import subprocess
import sys

import pytest
from played_network import PlayedNetwork, why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be played here")

LISTEN = """
import socket
server = socket.create_server(("{host}", 9))
print("ready", flush=True)
print(server.accept()[0].recv(99).decode())
"""
SAY = "import socket; socket.create_connection(('{host}', 9), 5).sendall(b'plain words')"


def test_what_is_said_in_the_open_is_seen():
    with PlayedNetwork(["a", "b"]) as network, network.capture([b"plain words", b"other words"]) as capture:
        listen, say = (
            network.command(name, [sys.executable, "-c", code.format(host=network.addresses["a"])])
            for name, code in (("a", LISTEN), ("b", SAY))
        )
        with subprocess.Popen(listen, stdout=subprocess.PIPE, text=True) as listener:
            assert listener.stdout is not None
            assert listener.stdout.readline() == "ready\n"
            subprocess.run(say, check=True)
            assert listener.communicate(timeout=10)[0] == "plain words\n"
    assert capture.found == {b"plain words"}
