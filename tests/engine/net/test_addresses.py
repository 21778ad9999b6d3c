"""Typed addresses: what people write is understood, what makes no sense is refused with an example."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.errors import LinkError
from idlepool.engine.net.addresses import parse_address, seen_address
from idlepool.engine.types import Address


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("192.168.1.20", Address("192.168.1.20", 99)),
        ("192.168.1.20:8000", Address("192.168.1.20", 8000)),
        (" office-pc ", Address("office-pc", 99)),
        ("Office-PC.local:1", Address("Office-PC.local", 1)),
        ("[::1]", Address("::1", 99)),
        ("[fe80::1%3]:65535", Address("fe80::1%3", 65535)),
        ("fe80::1%eth0", Address("fe80::1%eth0", 99)),
        ("fd00::1", Address("fd00::1", 99)),
    ],
)
def test_an_address_is_understood(typed: str, address: Address) -> None:
    assert parse_address(typed, default_port=99) == address


@pytest.mark.parametrize(
    "typed",
    ["", ":80", "pc:", "pc:0", "pc:65536", "pc:http", "pc:１２", "a b", "http://pc", "pc:1:2", "[::1", "[pc]:1",
     "1.2.3", "1.2.3.400", "[]:1", "-pc", "pc..local", "x" * 254, "[::1]80"],
)  # fmt: skip
def test_nonsense_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(LinkError, match=r"is no address. Write it like 192.168.1.20 or office-pc:99"):
        parse_address(typed, default_port=99)


@pytest.mark.parametrize("typed", ["fe80::1", "[fe80::1]:80"])
def test_a_link_local_address_needs_its_adapter(typed: str) -> None:
    with pytest.raises(LinkError, match=r"may be behind any adapter of this PC\. Add the adapter, like fe80::1%eth0"):
        parse_address(typed)


@given(st.text(max_size=60))
def test_whatever_is_typed_gives_an_address_or_a_sentence(typed: str) -> None:
    try:
        address = parse_address(typed)
    except LinkError:
        return
    assert parse_address(str(address)) == address


def test_a_peer_is_called_back_where_it_was_seen() -> None:
    assert seen_address(("10.0.0.5", 51234), port=4711) == Address("10.0.0.5", 4711)
    assert seen_address(("::ffff:10.0.0.5", 51234, 0, 0), port=4711) == Address("10.0.0.5", 4711)
    assert seen_address(("fe80::2", 51234, 0, 3), port=4711) == Address("fe80::2%3", 4711)
