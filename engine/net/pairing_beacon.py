"""How a PC that shows a code is found: while it does, it announces where, and the code's first two characters.

Anybody can announce anything: who really shows the code is proved by pairing itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from idlepool.engine.net.discovery import short_id
from idlepool.engine.net.interfaces import own_addresses
from idlepool.engine.net.mdns import looked_up, reason_of, say_goodbye
from idlepool.engine.pairing_errors import PairingError
from idlepool.engine.types import Address, NodeId

_log = logging.getLogger("idlepool.pairing")

SERVICE_TYPE: Final = "_idlepool-pair._tcp.local."
_MAX_INTERFACES: Final = 12
_MAX_FOUND: Final = 4
"""A stranger may announce the same beginning: each that is tried could be guessed at once."""
_MAX_ADDRESSES: Final = 8


@asynccontextmanager
async def announced(node: NodeId, plate: str, port: int, *, hosts: Sequence[str]) -> AsyncIterator[str]:
    """Announce for the block that `node` shows a code beginning with `plate` at `port` of `hosts`.

    Gives why it cannot be found by others; empty where it can.
    """
    name = f"{plate}-{short_id(node)}"
    service = AsyncServiceInfo(
        SERVICE_TYPE, f"{name}.{SERVICE_TYPE}", port=port, server=f"{name}.local.", parsed_addresses=list(hosts)
    )
    async with contextlib.AsyncExitStack() as stack:
        try:
            zeroconf = await stack.enter_async_context(_zeroconf(hosts))
            # The name is the node's own: nobody has to be asked for it first. It is said several times, and nobody
            # need wait for that.
            said = asyncio.ensure_future(await zeroconf.async_register_service(service, cooperating_responders=True))
            stack.callback(said.cancel)
        except (OSError, RuntimeError, ZeroconfError) as error:
            _log.warning("a code is not announced: %r", error)
            yield reason_of(error)
        else:
            yield ""


@asynccontextmanager
async def found(plate: str, *, hosts: Sequence[str]) -> AsyncIterator[asyncio.Queue[tuple[Address, ...]]]:
    """Look for the block, on the networks of this PC's addresses `hosts`, for PCs that show a code beginning with
    `plate`: the addresses of each come into the queue.

    Raises:
        PairingError: this network does not let PCs find each other.
    """
    queue: asyncio.Queue[tuple[Address, ...]] = asyncio.Queue()
    async with contextlib.AsyncExitStack() as stack:
        search = _Search(plate, queue)
        try:
            zeroconf = await stack.enter_async_context(_zeroconf(hosts))
        except (OSError, RuntimeError, ZeroconfError) as error:
            raise PairingError(
                f"Other PCs are not found by themselves here ({reason_of(error)}).",
                "Type the address as well that the other PC shows.",
            ) from error
        stack.callback(search.cancel)
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, handlers=[search.on_change])
        stack.push_async_callback(browser.async_cancel)
        yield queue


async def pairing_hosts(listens: str, interfaces: Sequence[str] | None) -> tuple[str, ...]:
    """This PC's IPv4 addresses at which it can be found, where it listens on `listens`; LANs first."""
    if interfaces:
        return tuple(interfaces)
    if listens not in ("0.0.0.0", "::"):
        return (listens,)
    own = await asyncio.to_thread(own_addresses)
    v4 = dict.fromkeys(address.host for address in own if address.interface.version == 4)
    return tuple(v4)[:_MAX_INTERFACES] or ("127.0.0.1",)


class _Search:
    """Looks up whatever is announced with the right beginning."""

    def __init__(self, plate: str, queue: asyncio.Queue[tuple[Address, ...]]) -> None:
        self._prefix = f"{plate}-".lower()
        self._queue = queue
        self._lookups: dict[str, asyncio.Task[None]] = {}

    def on_change(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        fitting = name.lower().startswith(self._prefix) and state_change is not ServiceStateChange.Removed
        if fitting and name not in self._lookups and len(self._lookups) < _MAX_FOUND:
            self._lookups[name] = asyncio.ensure_future(self._look_up(zeroconf, name))

    def cancel(self) -> None:
        for task in self._lookups.values():
            task.cancel()

    async def _look_up(self, zeroconf: Zeroconf, name: str) -> None:
        info = await looked_up(zeroconf, SERVICE_TYPE, name)
        if info is not None and info.port:
            hosts = info.parsed_scoped_addresses(IPVersion.V4Only)[:_MAX_ADDRESSES]
            self._queue.put_nowait(tuple(Address(host, info.port) for host in hosts))


@asynccontextmanager
async def _zeroconf(hosts: Sequence[str]) -> AsyncIterator[AsyncZeroconf]:
    zeroconf = AsyncZeroconf(interfaces=list(hosts), ip_version=IPVersion.V4Only)
    try:
        yield zeroconf
    finally:
        await say_goodbye(zeroconf)
