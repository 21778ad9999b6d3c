"""This PC's own addresses on all its adapters, which of them lead to a LAN, and news of when they change.

Adapters of VPNs, containers and virtual machines are never hidden, since they may be the only way; they come last.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

import ifaddr
import psutil

from idlepool.engine.types import Address

WATCH_S = 3.0
"""How often the adapters are looked at."""

SLEEP_S = 5.0
"""A clock that is later than expected by so much means that the PC slept, or that this process was held."""


class AdapterKind(IntEnum):
    """What an adapter leads to; a smaller one is tried first."""

    LAN = 0
    TUNNEL = 2
    CONTAINER = 3
    LOOPBACK = 4


_ROUTED = 1
"""Rank of an address on none of this PC's own networks."""

# By the names that Linux and macOS give, and by the descriptions of drivers on Windows.
_TUNNEL = re.compile(
    r"(tun|tap|utun|wg|ppp|ipsec|zt|tailscale|nordlynx|proton)\w*$"
    r"|.*(vpn|wireguard|wintun|tailscale|zerotier|tap-windows|anyconnect|fortinet|hamachi|wan miniport|mullvad)",
    re.IGNORECASE,
)
_CONTAINER = re.compile(
    r"(docker|br-|veth|virbr|vnet|vmnet|vboxnet|lxc|lxd|cni|flannel|cali|podman|bridge1|vmenet|awdl|llw|anpi)"
    r"|.*(hyper-v|vmware|virtualbox|wsl|host-only)",
    re.IGNORECASE,
)
_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""RFC 6598; overlay networks hand out addresses from it."""


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this PC and the network it is on. `index` is the adapter's number, as IPv6 scopes name it."""

    interface: ipaddress.IPv4Interface | ipaddress.IPv6Interface
    adapter: str
    index: int
    kind: AdapterKind

    @property
    def host(self) -> str:
        """The address without its scope, which means nothing on another PC."""
        return str(self.interface.ip).partition("%")[0]


@dataclass(frozen=True, slots=True)
class NetworkChange:
    """The addresses are others than before, or the PC `slept` and what was known of the network is old."""

    addresses: tuple[OwnAddress, ...]
    slept: bool


def adapter_kind(name: str) -> AdapterKind:
    """What an adapter of that name or description is, but for loopback."""
    if _CONTAINER.match(name):
        return AdapterKind.CONTAINER
    return AdapterKind.TUNNEL if _TUNNEL.match(name) else AdapterKind.LAN


def own_addresses() -> tuple[OwnAddress, ...]:
    """The addresses of adapters that are up, LANs first, loopback only where there is nothing else.

    Asks the system, which takes milliseconds: call it in a thread.
    """
    up = {name: stats.isup for name, stats in psutil.net_if_stats().items()}
    found = [
        _own(adapter, ip)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        # On Windows psutil knows adapters by the connection's name, which is the address's here.
        if up.get(ip.nice_name, True)
    ]
    outward = [address for address in found if address.kind is not AdapterKind.LOOPBACK]
    return tuple(sorted(outward or found, key=lambda a: (a.kind, a.interface.version, a.index, a.interface)))


def preferred(addresses: Iterable[Address], own: Sequence[OwnAddress], *, port: int = 0) -> tuple[Address, ...]:
    """The addresses of another PC, the best way first: a LAN in common, then what is routed, VPNs, containers.

    `port` is where this PC listens: every PC with containers has the same address there, and it is its own.
    """
    here = {address.host for address in own}
    others = dict.fromkeys(a for a in addresses if not (a.port == port and a.host in here))
    return tuple(sorted(others, key=lambda address: _rank(address.host, own)))


async def network_changes(
    *,
    every_s: float = WATCH_S,
    read: Callable[[], tuple[OwnAddress, ...]] = own_addresses,
    clocks: Sequence[Callable[[], float]] = (time.time, time.monotonic),
) -> AsyncIterator[NetworkChange]:
    """Yield whenever this PC's addresses are others than before and whenever it slept, and once more a little later.

    An IPv6 address cannot be used in its first second or two, although it is there (RFC 4862, section 5.4).
    Some systems stop the monotonic clock while they sleep and some do not, so both `clocks` are looked at.
    """
    known = await asyncio.to_thread(read)
    settled = False
    while True:
        before = [clock() for clock in clocks]
        await asyncio.sleep(every_s)
        late = max(clock() - then for clock, then in zip(clocks, before, strict=True)) - every_s
        found = await asyncio.to_thread(read)
        changed = found != known or late > SLEEP_S
        if changed or not settled:
            known, settled = found, not changed
            yield NetworkChange(found, slept=late > SLEEP_S)


def _own(adapter: ifaddr.Adapter, ip: ifaddr.IP) -> OwnAddress:
    host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
    interface = ipaddress.ip_interface(f"{host.partition('%')[0]}/{ip.network_prefix}")
    kind = AdapterKind.LOOPBACK if interface.is_loopback else adapter_kind(adapter.nice_name)
    return OwnAddress(interface, adapter.nice_name, adapter.index or 0, kind)


def _rank(host: str, own: Sequence[OwnAddress]) -> int:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _ROUTED  # a name
    scope = address.scope_id if isinstance(address, ipaddress.IPv6Address) else None
    plain = ipaddress.ip_address(host.partition("%")[0])
    kinds = [o.kind for o in own if plain in o.interface.network and scope in (None, str(o.index), o.adapter)]
    if kinds:
        return min(kinds)
    return AdapterKind.TUNNEL if plain in _SHARED else _ROUTED
