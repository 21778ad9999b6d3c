"""Finding nodes on the local network by mDNS: announces this one, and reports where others may be.

What it reports is a hint, an address to try: anybody on the network can announce anything. Who is really there shows
when a link is opened, and a node is present only while a link to it lives.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import psutil
from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from idlepool.engine.net.messages import PROTOCOL_VERSION
from idlepool.engine.types import Address, NodeId

_log = logging.getLogger("idlepool.discovery")

SERVICE_TYPE = "_idlepool._tcp.local."
_SHORT_ID = re.compile(r"[0-9a-f]{16}")
_PORT = re.compile(r"[0-9]{1,5}")
_MAX_ADDRESSES = 8
_MAX_LOOKUPS = 64
_LOOKUP_MS = 3000
_CLOSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class NodeHint:
    """A node that somebody announced: the first 16 digits of its id, and where it is said to listen."""

    short_id: str
    addresses: tuple[Address, ...]


def short_id(node: NodeId) -> str:
    """What a node is announced as."""
    return node[:16]


class Discovery:
    """Announces `node` at `port` and calls `on_seen` for every other node, again when its announcement changes, and
    `on_gone` with its short id when the announcement is taken back or ran out.

    `interfaces` are IPv4 addresses of this PC; None: all but loopback. Where the network does not allow it,
    `on_trouble` gets a sentence for the user, once, and nothing else happens.
    """

    def __init__(
        self,
        node: NodeId,
        port: int,
        *,
        on_seen: Callable[[NodeHint], None],
        on_gone: Callable[[str], None] = lambda short_id: None,
        on_trouble: Callable[[str], None],
        interfaces: Sequence[str] | None = None,
    ) -> None:
        self._own = short_id(node)
        self._port = port
        self._on_seen = on_seen
        self._on_gone = on_gone
        self._on_trouble = on_trouble
        self._interfaces = interfaces
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._tasks: set[asyncio.Future[None]] = set()

    async def start(self) -> None:
        """Announce and listen. Never raises for what the network does."""
        interfaces = list(self._interfaces or _own_interfaces())
        try:
            self._zeroconf = AsyncZeroconf(interfaces=interfaces, ip_version=IPVersion.V4Only)
            # The name is the node's own, so nobody has to be asked for it first: that would take a second.
            announced = await self._zeroconf.async_register_service(
                self._announcement(interfaces), cooperating_responders=True
            )
        except (OSError, ZeroconfError) as error:
            await self.close()
            _log.warning("no discovery on %s: %s", interfaces, error)
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            self._on_trouble(f"Other PCs are not found by themselves here ({reason}). Add them by their address.")
            return
        self._keep(asyncio.ensure_future(announced))
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE_TYPE, handlers=[self._on_change])

    async def close(self) -> None:
        """Take the announcement back and stop listening; at most a second. Idempotent."""
        zeroconf, self._zeroconf = self._zeroconf, None
        if self._browser is not None:
            await self._browser.async_cancel()
            self._browser = None
        for task in list(self._tasks):
            task.cancel()
        if zeroconf is None:
            return
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await zeroconf.async_close()
        except (TimeoutError, OSError, ZeroconfError) as error:
            _log.info("discovery did not say goodbye: %r", error)

    def _announcement(self, interfaces: list[str]) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            SERVICE_TYPE,
            f"{self._own}.{SERVICE_TYPE}",
            port=self._port,
            properties={"version": str(PROTOCOL_VERSION), "id": self._own, "port": str(self._port)},
            server=f"{self._own}.local.",
            parsed_addresses=interfaces,
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
        try:
            info = AsyncServiceInfo(SERVICE_TYPE, name)
            complete = await info.async_request(zeroconf, _LOOKUP_MS)
        except (OSError, ZeroconfError) as error:
            _log.info("an announcement could not be read: %r", error)
            return
        hint = read_hint(info.properties, info.parsed_scoped_addresses()) if complete else None
        if hint is not None and hint.short_id != self._own:
            self._on_seen(hint)

    def _keep(self, task: asyncio.Future[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def read_hint(properties: Mapping[bytes, bytes | None], hosts: Sequence[str]) -> NodeHint | None:
    """The hint in a TXT record and the addresses beside it; None where a stranger wrote nonsense."""
    identity = (properties.get(b"id") or b"").decode("ascii", "replace")
    port = (properties.get(b"port") or b"").decode("ascii", "replace")
    if not _SHORT_ID.fullmatch(identity) or not _PORT.fullmatch(port) or not 0 < int(port) < 2**16:
        return None
    addresses = tuple(Address(host, int(port)) for host in hosts[:_MAX_ADDRESSES] if _can_be_dialled(host))
    return NodeHint(identity, addresses) if addresses else None


def _can_be_dialled(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return not (address.is_multicast or address.is_unspecified)


def _own_interfaces() -> list[str]:
    """IPv4 addresses of this PC on adapters that are up, loopback only where there is nothing else."""
    up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    addresses = [
        address.address
        for name, adapter in psutil.net_if_addrs().items()
        if name in up
        for address in adapter
        if address.family == socket.AF_INET and not address.address.startswith("127.")
    ]
    return addresses or ["127.0.0.1"]
