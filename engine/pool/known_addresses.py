"""Where each PC of the pool was reached last, kept over restarts: the first thing that is tried.

Only addresses at which a PC proved its identity get here, so nobody can fill the list with others.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container
from pathlib import Path

import msgspec

from idlepool.engine.errors import LinkError, StorageError
from idlepool.engine.models.files import replace_file
from idlepool.engine.net.addresses import parse_address
from idlepool.engine.types import Address, NodeId

log = logging.getLogger("idlepool.peers")

FILE = "addresses.json"
MAX_NODES = 64
MAX_ADDRESSES = 6
"""Of one PC: home, office, VPN, and each by both kinds of IP."""


class KnownAddresses:
    """The addresses in `root`, newest first. A list that cannot be read or written is only a slower start."""

    def __init__(self, root: Path) -> None:
        self._path = root / FILE
        self._nodes: dict[NodeId, tuple[Address, ...]] = {}
        self._saving = asyncio.Lock()

    async def load(self) -> None:
        """Read the list; empty where there is none or it is damaged."""
        self._nodes = await asyncio.to_thread(_read, self._path)

    def of(self, node: NodeId) -> tuple[Address, ...]:
        """Where the PC was reached, the last time first."""
        return self._nodes.get(node, ())

    async def remember(self, node: NodeId, address: Address) -> None:
        """The PC was reached there just now."""
        if self.of(node)[:1] == (address,):
            return
        others = (known for known in self._nodes.pop(node, ()) if known != address)
        self._nodes[node] = (address, *others)[:MAX_ADDRESSES]
        while len(self._nodes) > MAX_NODES:
            del self._nodes[next(iter(self._nodes))]
        await self._save()

    async def keep_only(self, members: Container[NodeId]) -> None:
        """Forget whoever is no member any more."""
        gone = [node for node in self._nodes if node not in members]
        for node in gone:
            del self._nodes[node]
        if gone:
            await self._save()

    async def _save(self) -> None:
        async with self._saving:
            nodes = {node: [str(address) for address in addresses] for node, addresses in self._nodes.items()}
            try:
                await asyncio.to_thread(replace_file, self._path, msgspec.json.encode(nodes))
            except StorageError as error:
                log.info("addresses could not be kept: %s", error)


def _read(path: Path) -> dict[NodeId, tuple[Address, ...]]:
    try:
        nodes = msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])
        return {
            NodeId(node): tuple(map(parse_address, addresses[:MAX_ADDRESSES]))
            for node, addresses in list(nodes.items())[-MAX_NODES:]
        }
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError, LinkError, RecursionError) as error:
        log.info("known addresses could not be read: %s", error)
        return {}
