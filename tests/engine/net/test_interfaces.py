"""Which way to another PC is tried first, and what counts as a change of the network."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import itertools

import pytest

from idlepool.engine.net.interfaces import (
    AdapterKind,
    OwnAddress,
    adapter_kind,
    network_changes,
    own_addresses,
    preferred,
)
from idlepool.engine.types import Address


def own(text: str, adapter: str = "eth0", index: int = 2) -> OwnAddress:
    return OwnAddress(ipaddress.ip_interface(text), adapter, index, adapter_kind(adapter))


LAPTOP = (
    own("192.168.1.20/24", "wlan0", 3),
    own("fe80::1/64", "wlan0", 3),
    own("10.8.0.6/24", "tun0", 4),
    own("172.17.0.1/16", "docker0", 5),
)


def hosts(addresses: tuple[Address, ...]) -> list[str]:
    return [address.host for address in addresses]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("eth0", AdapterKind.LAN),
        ("enp3s0", AdapterKind.LAN),
        ("wlan0", AdapterKind.LAN),
        ("en0", AdapterKind.LAN),
        ("br0", AdapterKind.LAN),
        ("thunderbolt0", AdapterKind.LAN),
        ("Intel(R) Wi-Fi 6E AX211 160MHz", AdapterKind.LAN),
        ("Realtek PCIe GbE Family Controller", AdapterKind.LAN),
        ("tun0", AdapterKind.TUNNEL),
        ("wg0", AdapterKind.TUNNEL),
        ("utun4", AdapterKind.TUNNEL),
        ("tailscale0", AdapterKind.TUNNEL),
        ("TAP-Windows Adapter V9", AdapterKind.TUNNEL),
        ("WireGuard Tunnel", AdapterKind.TUNNEL),
        ("Cisco AnyConnect Virtual Miniport Adapter", AdapterKind.TUNNEL),
        ("docker0", AdapterKind.CONTAINER),
        ("br-3f1a2b4c5d6e", AdapterKind.CONTAINER),
        ("veth12ab", AdapterKind.CONTAINER),
        ("bridge100", AdapterKind.CONTAINER),
        ("Hyper-V Virtual Ethernet Adapter", AdapterKind.CONTAINER),
        ("VMware Virtual Ethernet Adapter for VMnet8", AdapterKind.CONTAINER),
        ("VirtualBox Host-Only Ethernet Adapter", AdapterKind.CONTAINER),
    ],
)
def test_an_adapter_is_known_by_its_name(name, kind):
    assert adapter_kind(name) is kind


def test_a_common_lan_comes_first_and_nothing_is_left_out():
    announced = ["172.17.0.9", "100.80.1.2", "10.8.0.9", "203.0.113.5", "192.168.1.44", "127.0.0.1"]
    ordered = preferred([Address(host, 4001) for host in announced], LAPTOP)
    assert hosts(ordered)[:3] == ["192.168.1.44", "203.0.113.5", "127.0.0.1"]
    assert set(hosts(ordered)[3:5]) == {"100.80.1.2", "10.8.0.9"}
    assert hosts(ordered)[5:] == ["172.17.0.9"]


def test_a_link_local_address_counts_on_the_adapter_it_was_seen_on():
    wlan, vpn = Address("fe80::9%3", 1), Address("fe80::9%4", 1)
    assert preferred([vpn, wlan], LAPTOP) == (wlan, vpn)
    assert preferred([vpn, Address("fe80::9%wlan0", 1)], LAPTOP)[0] == Address("fe80::9%wlan0", 1)


def test_ones_own_address_is_not_taken_for_another_pcs():
    """Every PC with containers is 172.17.0.1 there."""
    announced = [Address("172.17.0.1", 24_753), Address("192.168.1.44", 24_753), Address("192.168.1.44", 24_753)]
    assert hosts(preferred(announced, LAPTOP, port=24_753)) == ["192.168.1.44"]
    assert hosts(preferred(announced, LAPTOP, port=4002)) == ["192.168.1.44", "172.17.0.1"]


def test_a_name_is_an_address_too():
    assert hosts(preferred([Address("10.8.0.9", 1), Address("office-pc", 1)], LAPTOP)) == ["office-pc", "10.8.0.9"]


def test_this_pc_has_addresses():
    found = own_addresses()
    assert found
    assert list(found) == sorted(found, key=lambda address: address.kind)
    loopback = [address for address in found if address.kind is AdapterKind.LOOPBACK]
    assert not loopback or len(loopback) == len(found)


async def changes(readings, *, clock=lambda: 0.0, count):
    """The first `count` changes where `readings` are what the adapters say, one after another."""
    following = iter(readings)
    watched = network_changes(every_s=0.0, read=lambda: next(following), clocks=(lambda: 0.0, clock))
    async with asyncio.timeout(10), contextlib.aclosing(watched):
        return [await anext(watched) for _ in range(count)]


async def test_another_set_of_addresses_is_a_change_and_has_time_to_settle():
    offline, home, office = (), LAPTOP[:1], LAPTOP[1:]
    readings = [offline, offline, offline, home, home, home, home, office, offline, offline, offline, home]
    found = await changes(readings, count=7)
    assert [change.addresses for change in found] == [offline, home, home, office, offline, offline, home]
    assert not any(change.slept for change in found)


async def test_a_clock_that_jumped_means_that_the_pc_slept():
    clock = itertools.chain([0.0, 0.1, 0.2, 0.3, 10.0, 3610.0], itertools.repeat(3610.0)).__next__
    first, woken, settled = await changes(itertools.repeat(LAPTOP), clock=clock, count=3)
    assert [first.slept, woken.slept, settled.slept] == [False, True, False]
    assert woken.addresses == LAPTOP


async def test_a_clock_that_was_set_back_means_nothing():
    clock = itertools.chain([5000.0, 0.0], itertools.repeat(0.0)).__next__
    found = await changes([LAPTOP, LAPTOP, LAPTOP, ()], clock=clock, count=2)
    assert not any(change.slept for change in found)
