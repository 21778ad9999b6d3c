"""PCs with networks of their own, played on this one: Linux network namespaces around a bridge in one more of them.

No namespace has a name: each lives as long as a process in it, the holders as long as whoever started them. So nothing
is left, whatever ends a test.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Self

NETWORK = "10.77.0."
_TOOLS = ("ip", "unshare", "nsenter")
_CLONE_NEWNET = 0x4000_0000
_ETH_P_ALL = 3
_SO_RCVBUFFORCE = 33
_BUFFER_BYTES = 64 * 2**20
_LARGEST_PACKET = 2**17


def why_not() -> str:
    """Why no networks can be made here; empty: they can."""
    if not sys.platform.startswith("linux"):
        return "only Linux has network namespaces"
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        return f"{missing[0]} is not installed"
    tried = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "this system lets nobody make network namespaces"


class PlayedNetwork:
    """A switch and the PCs that are plugged into it, by name; there while the `with` block lasts."""

    def __init__(self, names: Sequence[str]) -> None:
        self.addresses = {name: f"{NETWORK}{number}" for number, name in enumerate(names, 1)}
        self._stack = ExitStack()
        self._switch = 0
        self._pids: dict[str, int] = {}

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._switch = stack.enter_context(_holder())
            # Snooping would keep multicast, and so discovery, from ports that nobody asked for yet.
            _run(self._switch, "ip link add bridge0 type bridge mcast_snooping 0")
            _run(self._switch, "ip link set bridge0 up")
            for number, (name, address) in enumerate(self.addresses.items(), 1):
                pid = self._pids[name] = stack.enter_context(_holder())
                _run(self._switch, f"ip link add port{number} type veth peer name eth0 netns {pid}")
                _run(self._switch, f"ip link set port{number} master bridge0 up")
                _run(pid, f"ip address add {address}/24 dev eth0")
                _run(pid, "ip link set lo up")
                _run(pid, "ip link set eth0 up")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def command(self, name: str, command: Sequence[str]) -> list[str]:
        """The same command, on the PC `name`."""
        return _inside(self._pids[name], command)

    def capture(self, needles: Sequence[bytes]) -> Capture:
        """Looks into every packet that passes the switch."""
        return Capture(_packet_socket(self._switch), needles)


class Capture:
    """Which of the `needles` stood in a packet, and how many bytes passed while the `with` block lasted."""

    def __init__(self, packets: socket.socket, needles: Sequence[bytes]) -> None:
        self.found: set[bytes] = set()
        self.bytes = 0
        self._packets = packets
        self._needles = tuple(needles)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._packets.settimeout(0.1)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._packets.close()

    def _look(self) -> None:
        while True:
            try:
                packet = self._packets.recv(_LARGEST_PACKET)
            except TimeoutError:
                if self._over.is_set():
                    return
                continue
            self.bytes += len(packet)
            self.found.update(needle for needle in self._needles if needle in packet)


@contextlib.contextmanager
def _holder() -> Iterator[int]:
    """A process in a network namespace of its own; ends with its input."""
    pipe = subprocess.PIPE
    with subprocess.Popen(["unshare", "--net", "cat"], stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()  # it is in its namespace
        yield process.pid


def _inside(pid: int, command: Sequence[str]) -> list[str]:
    return ["nsenter", "--target", str(pid), "--net", *command]


def _run(pid: int, command: str) -> None:
    subprocess.run(_inside(pid, command.split()), check=True)


def _packet_socket(pid: int) -> socket.socket:
    """A socket that gets what passes in the namespace of the process `pid`."""

    def opened() -> socket.socket:
        libc = ctypes.CDLL(None, use_errno=True)
        with Path(f"/proc/{pid}/ns/net").open() as namespace:
            if libc.setns(namespace.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "the namespace could not be entered")
        return socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))

    with ThreadPoolExecutor(1) as once:  # a thread that entered a namespace stays there
        packets = once.submit(opened).result()
    packets.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER_BYTES)
    return packets
