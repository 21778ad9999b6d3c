"""The listening socket, where the systems differ: who may share a port, and what the error says."""

from __future__ import annotations

import errno
import socket
import sys

from idlepool.engine.errors import PoolError, PortInUse


def everywhere() -> str:
    """The host to listen on for every address of this PC: of both kinds of IP, where the system can."""
    return "::" if socket.has_dualstack_ipv6() else "0.0.0.0"


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to `host` and `port` (0: any) that listens; `::` is every address of both kinds.

    Raises:
        PortInUse: another program listens there.
        PoolError: the system does not allow it.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only where the protocol is spelt out; without it small frames wait for each other.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if family is socket.AF_INET6:
            # The systems differ in whether IPv4 is taken in as well unless they are told.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, host != "::")
        if sys.platform == "win32":
            # Elsewhere a port in use is refused; Windows must be asked for that.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            # Lets a node start again at once; a port that is listened on is still refused.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # A link-local address means something only with its adapter, which is in the looked-up form of it.
        listener.bind(socket.getaddrinfo(host, port, family, socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][4])
        listener.listen()
    except OSError as error:
        listener.close()
        # Windows says "permission denied" where the other program asked for the port exclusively.
        taken = error.errno == errno.EADDRINUSE or (sys.platform == "win32" and isinstance(error, PermissionError))
        if taken:
            raise PortInUse(port) from error
        reason = error.strerror or str(error)
        raise PoolError(f"This PC cannot listen on {host}, port {port}: {reason}.", "Choose another one.") from error
    return listener


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nobody listens on at the moment, for a program that is told its port before it starts."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])
