"""The Hub as a source of a span's bytes, for what no PC of the pool has: only the ranges needed are fetched."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from idlepool.engine.errors import ModelIncomplete
from idlepool.engine.models.destination import Destination, ReadsFiles
from idlepool.engine.models.manifest import SETTINGS_FILE, WEIGHTS_FILE, Manifest

if TYPE_CHECKING:
    from idlepool.engine.models.hub import Hub, HubPlace


class HubSource:
    """See ByteSource. The commit that the model was added from is the one that is read; every chunk is verified."""

    def __init__(self, hub: Hub, place: HubPlace, manifest: Manifest) -> None:
        self.name = str(place)
        self._hub = hub
        self._place = place
        self._manifest = manifest

    async def have(self, manifest: Manifest) -> frozenset[int]:
        """All of them."""
        return frozenset(range(len(manifest.chunks)))

    async def read_file(self, name: str, size: int) -> bytes:
        """See ByteSource."""
        return await asyncio.to_thread(self._hub.read_range, self._place, name, offset=0, length=size)

    async def read_chunk(self, index: int, room: bytearray) -> bytes:
        """See ByteSource."""
        chunk = self._manifest.chunks[index]
        return await asyncio.to_thread(
            self._hub.read_range, self._place, WEIGHTS_FILE, offset=chunk.offset, length=chunk.length
        )


def source_of(model: ReadsFiles) -> str:
    """Where a model came from, by its own settings file; empty where that does not say."""
    try:
        settings = msgspec.json.decode(model.read_file(SETTINGS_FILE), type=dict[str, object])
    except (KeyError, ModelIncomplete, OSError, msgspec.DecodeError):
        return ""
    return str(settings.get("source", ""))


def origin_of(partial: Destination) -> HubSource | None:
    """Where a model came from, if that is a place on the Hub."""
    from idlepool.engine.models.hub import Hub, HubPlace  # brings huggingface_hub, which only this needs

    place = HubPlace.read(source_of(partial))
    return HubSource(Hub(), place, partial.manifest) if place is not None else None
