"""Addresses as people type them and as sockets report them."""

from __future__ import annotations

import ipaddress
import re

from idlepool.engine.errors import LinkError
from idlepool.engine.types import Address

DEFAULT_PORT = 24_753
"""Where a node listens unless told otherwise: below the ports that systems hand out to clients."""

_HOST_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*")
_BRACKETED = re.compile(r"\[([^]]+)](?::(.*))?")


def parse_address(text: str, *, default_port: int = DEFAULT_PORT) -> Address:
    """Read `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address, with `%adapter` where it is link-local.

    Raises:
        LinkError: it is none of these.
    """
    typed = text.strip()
    bracketed = _BRACKETED.fullmatch(typed)
    if bracketed:
        host, port = bracketed[1], bracketed[2]
        valid = _is_ipv6(host)
    elif _is_ipv6(typed):
        host, port, valid = typed, None, True
    else:
        host, colon, rest = typed.partition(":")
        port = rest if colon else None
        valid = _is_host(host.lower())
    if not valid or (port is not None and not _is_port(port)):
        raise LinkError(f"“{text[:80]}” is no address.", f"Write it like 192.168.1.20 or office-pc:{default_port}.")
    if _is_ipv6(host) and (v6 := ipaddress.IPv6Address(host)).is_link_local and not v6.scope_id:
        raise LinkError(
            f"“{text[:80]}” may be behind any adapter of this PC.", f"Add the adapter, like {host}%eth0 or {host}%12."
        )
    return Address(host, default_port if port is None else int(port))


def seen_address(remote: tuple[object, ...], *, port: int) -> Address:
    """The address of a peer that connected from `remote` (as a socket names it) and listens on `port`."""
    host = str(remote[0])
    if host.startswith("::ffff:"):
        return Address(host.removeprefix("::ffff:"), port)
    scope = remote[3] if len(remote) > 3 else 0
    # A link-local address leads nowhere without the interface it was seen on.
    return Address(f"{host}%{scope}" if scope and "%" not in host else host, port)


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _is_host(text: str) -> bool:
    if re.fullmatch(r"[\d.]+", text):
        try:
            ipaddress.IPv4Address(text)
        except ValueError:
            return False
        return True
    return _HOST_NAME.fullmatch(text) is not None


def _is_port(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,5}", text) is not None and 0 < int(text) < 2**16
