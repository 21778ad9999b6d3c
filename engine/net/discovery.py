"""Finding nodes on the local network by mDNS: announces this one, and reports where others may be.

What it reports is a hint, an address to try: anybody on the network can announce anything. Who is really there shows
when a link is opened, and a node is present only while a link to it lives.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from idlepool.engine.net.interfaces import OwnAddress, own_addresses
from idlepool.engine.net.mdns import looked_up, reason_of, say_goodbye
from idlepool.engine.net.messages import PROTOCOL_VERSION
from idlepool.engine.types import Address, NodeId

_log = logging.getLogger("idlepool.discovery")
# Adapters that come and go are what it warns of, and what Discovery is there for.
logging.getLogger("zeroconf").setLevel(logging.ERROR)

SERVICE_TYPE = "_idlepool._tcp.local."
_SHORT_ID = re.compile(r"[0-9a-f]{16}")
_NUMBER = re.compile(r"[0-9]{1,5}")
_MAX_ADDRESSES = 8
_MAX_LOOKUPS = 64
_MAX_JOINED = 12
"""Adapters of each kind of IP: Linux joins a socket to 20 groups."""
_MAX_ANNOUNCED = 8


@dataclass(frozen=True, slots=True)
class NodeHint:
    """A node that somebody announced: the first 16 digits of its id, where it is said to listen, and its protocol's
    version, 0 where that makes no sense."""

    short_id: str
    addresses: tuple[Address, ...]
    version: int = PROTOCOL_VERSION


def short_id(node: NodeId) -> str:
    """What a node is announced as."""
    return node[:16]


@dataclass(frozen=True, slots=True)
class _Reach:
    """Where mDNS is spoken, IPv4 addresses and numbers of adapters with IPv6, and what is announced there."""

    joined: tuple[str | int, ...]
    announced: tuple[str, ...]

    @classmethod
    def of(cls, own: Sequence[OwnAddress], listens: str) -> Self:
        """Everywhere; announced is only where the node listens."""
        versions = {"0.0.0.0": (4,), "::": (4, 6)}.get(listens, ())
        by_ip = [address.host for address in own if address.interface.version in versions or address.host == listens]
        v4 = dict.fromkeys(address.host for address in own if address.interface.version == 4)
        v6 = dict.fromkeys(address.index for address in own if address.interface.version == 6)
        joined: tuple[str | int, ...] = (*list(v4)[:_MAX_JOINED], *list(v6)[:_MAX_JOINED]) or ("127.0.0.1",)
        return cls(joined, tuple(dict.fromkeys(by_ip))[:_MAX_ANNOUNCED] or (listens,))


class Discovery:
    """Announces `node` at `port` and calls `on_seen` for every other node, again when its announcement changes, and
    `on_gone` with its short id when the announcement is taken back or ran out.

    `listens` is the address it listens on, which may be that of all adapters. `interfaces` are IPv4 addresses of this
    PC to use; None: all that it has, which `refresh` keeps up to date. Where the network does not allow it,
    `on_trouble` gets a sentence for the user, once, and it is tried again when the network changes.
    """

    def __init__(
        self,
        node: NodeId,
        port: int,
        *,
        on_seen: Callable[[NodeHint], None],
        on_gone: Callable[[str], None] = lambda short_id: None,
        on_trouble: Callable[[str], None],
        listens: str = "0.0.0.0",
        interfaces: Sequence[str] | None = None,
    ) -> None:
        self._own = short_id(node)
        self._port = port
        self._on_seen = on_seen
        self._on_gone = on_gone
        self._on_trouble = on_trouble
        self._listens = listens
        self._interfaces = interfaces
        self._told = False
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._tasks: set[asyncio.Future[None]] = set()
        self._changing = asyncio.Lock()

    async def start(self) -> None:
        """Announce and listen. Never raises for what the network does."""
        own = () if self._interfaces else await asyncio.to_thread(own_addresses)
        async with self._changing:
            await self._start(self._reach(own))

    async def refresh(self, own: Sequence[OwnAddress]) -> None:
        """The PC has these addresses now, or slept: announce itself on all of them, and ask anew who is there."""
        async with self._changing:
            reach = self._reach(own)
            if self._zeroconf is None:
                await self._start(reach)
                return
            try:
                await self._zeroconf.zeroconf.async_update_interfaces(list(reach.joined))
                self._keep(asyncio.ensure_future(await self._zeroconf.async_update_service(self._announcement(reach))))
            except (OSError, RuntimeError, ZeroconfError) as error:
                _log.warning("no discovery on %s: %r", reach.joined, error)
                await self._stop()
                await self._start(reach)
                return
            await self._browse(self._zeroconf)

    async def close(self) -> None:
        """Take the announcement back and stop listening; at most a second. Idempotent."""
        async with self._changing:
            await self._stop()

    async def _start(self, reach: _Reach) -> None:
        try:
            self._zeroconf = await _open(reach)
            # The name is the node's own, so nobody has to be asked for it first: that would take a second.
            announced = await self._zeroconf.async_register_service(
                self._announcement(reach), cooperating_responders=True
            )
        except (OSError, RuntimeError, ZeroconfError) as error:
            await self._stop()
            _log.warning("no discovery on %s: %s", reach.joined, error)
            if not self._told:
                self._told = True
                self._on_trouble(
                    f"Other PCs are not found by themselves here ({reason_of(error)}). Add them by their address."
                )
            return
        self._keep(asyncio.ensure_future(announced))
        await self._browse(self._zeroconf)

    async def _browse(self, zeroconf: AsyncZeroconf) -> None:
        """Ask who is there; a browser asks when it begins, and then ever more rarely."""
        if self._browser is not None:
            await self._browser.async_cancel()
        self._browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, handlers=[self._on_change])

    async def _stop(self) -> None:
        zeroconf, self._zeroconf = self._zeroconf, None
        if self._browser is not None:
            await self._browser.async_cancel()
            self._browser = None
        for task in list(self._tasks):
            task.cancel()
        if zeroconf is not None:
            await say_goodbye(zeroconf)

    def _reach(self, own: Sequence[OwnAddress]) -> _Reach:
        if self._interfaces:
            return _Reach(tuple(self._interfaces), tuple(self._interfaces))
        return _Reach.of(own, self._listens)

    def _announcement(self, reach: _Reach) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            SERVICE_TYPE,
            f"{self._own}.{SERVICE_TYPE}",
            port=self._port,
            properties={"version": str(PROTOCOL_VERSION), "id": self._own, "port": str(self._port)},
            server=f"{self._own}.local.",
            parsed_addresses=list(reach.announced),
        )

    def _on_change(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if name.startswith(f"{self._own}."):
            return
        if state_change is ServiceStateChange.Removed:
            self._on_gone(name.partition(".")[0])
            return
        # A flood of announcements must not become a flood of questions.
        if len(self._tasks) < _MAX_LOOKUPS:
            self._keep(asyncio.ensure_future(self._look_up(zeroconf, name)))

    async def _look_up(self, zeroconf: Zeroconf, name: str) -> None:
        info = await looked_up(zeroconf, SERVICE_TYPE, name)
        hint = read_hint(info.properties, info.parsed_scoped_addresses()) if info is not None else None
        if hint is not None and hint.short_id != self._own:
            self._on_seen(hint)

    def _keep(self, task: asyncio.Future[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _open(reach: _Reach) -> AsyncZeroconf:
    try:
        return AsyncZeroconf(interfaces=list(reach.joined), ip_version=_versions(reach))
    except (OSError, RuntimeError) as error:
        by_v4 = [interface for interface in reach.joined if isinstance(interface, str)]
        if not by_v4 or len(by_v4) == len(reach.joined):
            raise
        _log.info("no discovery by IPv6: %r", error)
        return AsyncZeroconf(interfaces=by_v4, ip_version=IPVersion.V4Only)


def _versions(reach: _Reach) -> IPVersion:
    kinds = {type(interface) for interface in reach.joined}
    return IPVersion.All if len(kinds) > 1 else IPVersion.V4Only if kinds == {str} else IPVersion.V6Only


def read_hint(properties: Mapping[bytes, bytes | None], hosts: Sequence[str]) -> NodeHint | None:
    """The hint in a TXT record and the addresses beside it; None where a stranger wrote nonsense."""
    identity = (properties.get(b"id") or b"").decode("ascii", "replace")
    port = (properties.get(b"port") or b"").decode("ascii", "replace")
    version = (properties.get(b"version") or b"").decode("ascii", "replace")
    if not _SHORT_ID.fullmatch(identity) or not _NUMBER.fullmatch(port) or not 0 < int(port) < 2**16:
        return None
    addresses = tuple(Address(host, int(port)) for host in hosts[:_MAX_ADDRESSES] if _can_be_dialled(host))
    return NodeHint(identity, addresses, int(version) if _NUMBER.fullmatch(version) else 0) if addresses else None


def _can_be_dialled(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    # A link-local address leads nowhere without the adapter it was seen on.
    lost = isinstance(address, ipaddress.IPv6Address) and address.is_link_local and not address.scope_id
    return not (address.is_multicast or address.is_unspecified or lost)
