"""A port that cannot be had is refused with the sentence that tells the user which and why."""

from __future__ import annotations

import socket

import pytest

from idlepool.engine.errors import PoolError, PortInUse
from idlepool.engine.net.sockets import listening_socket


def test_a_port_can_be_listened_on_once() -> None:
    with listening_socket("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(PortInUse) as caught:
            listening_socket("127.0.0.1", port)
        assert caught.value.port == port
    listening_socket("127.0.0.1", port).close()


def test_ipv6_addresses_are_listened_on_where_the_system_has_them() -> None:
    try:
        listener = listening_socket("::1", 0)
    except PoolError as error:
        pytest.skip(f"no IPv6 here: {error}")
    with listener, socket.create_connection(("::1", listener.getsockname()[1])):
        pass


def test_an_address_of_another_pc_is_refused_by_name() -> None:
    # An address for documentation (RFC 5737): no PC has it.
    with pytest.raises(PoolError, match=r"This PC cannot listen on 203.0.113.77, port 0: "):
        listening_socket("203.0.113.77", 0)


def test_the_address_of_everything_takes_both_kinds_of_ip() -> None:
    try:
        listener = listening_socket("::", 0)
    except PoolError as error:
        pytest.skip(f"no IPv6 here: {error}")
    with listener:
        for host in ("127.0.0.1", "::1"):
            socket.create_connection((host, listener.getsockname()[1])).close()
