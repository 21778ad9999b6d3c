"""Which layers of the model lie on a PC's disk: those used longest ago go first where the owner's cap is reached."""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property

from idlepool.engine.models.manifest import Manifest
from idlepool.engine.types import Span


class LayerSizes:
    """Bytes and chunks of each layer, worked out once for all PCs; no two layers of the played model share a chunk."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.bytes = [manifest.bytes_of(chunks) for chunks in manifest.layer_chunks]

    @cached_property
    def all_chunks(self) -> frozenset[int]:
        """Of the whole model."""
        return frozenset(range(len(self.manifest.chunks)))


class KeptLayers:
    """The layers on one disk; a PC that has the whole model never drops any."""

    def __init__(self, sizes: LayerSizes, *, most_bytes: int, whole: bool) -> None:
        self._sizes = sizes
        self._most_bytes = most_bytes
        self._whole = whole
        self._layers: dict[int, None] = {}
        """The one used longest ago first."""
        self._chunks: frozenset[int] | None = None

    @property
    def chunks(self) -> frozenset[int]:
        """What the planner takes for held."""
        if self._whole:
            return self._sizes.all_chunks
        if self._chunks is None:
            layer_chunks = self._sizes.manifest.layer_chunks
            self._chunks = frozenset(chunk for layer in self._layers for chunk in layer_chunks[layer])
        return self._chunks

    @property
    def bytes(self) -> int:
        """Of fetched layers."""
        return sum(self._sizes.bytes[layer] for layer in self._layers)

    def size_of(self, layer: int) -> int:
        """Bytes of a layer."""
        return self._sizes.bytes[layer]

    def missing(self, span: Span) -> list[int]:
        """Layers of a span that must be fetched."""
        return [] if self._whole else [layer for layer in span if layer not in self._layers]

    def use(self, span: Span) -> None:
        """These are needed now: they go last."""
        for layer in span:
            if layer in self._layers:
                self._layers[layer] = self._layers.pop(layer)

    def add(self, layer: int, *, needed: Container[int]) -> int:
        """Keep a fetched layer, and make room for it among those that are not needed.

        Returns its bytes.
        """
        self._layers[layer] = None
        self._chunks = None
        for old in list(self._layers):
            if self.bytes <= self._most_bytes:
                break
            if old not in needed and old != layer:
                del self._layers[old]
        return self._sizes.bytes[layer]
