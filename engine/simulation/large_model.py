"""A model of 70 billion parameters without its weights: how many bytes each layer has follows from its shape."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

from idlepool.engine.graph.weight_ranges import ByteRange
from idlepool.engine.models.chunking import cut_into_chunks
from idlepool.engine.models.manifest import Chunk, Manifest

GROUP = 128
"""Weights that share a scale and a zero point in OpenVINO's int4 models."""

INT4_BYTES = 0.5 + (2 + 0.5) / GROUP
"""Of a weight: four bits, and its share of a scale of 16 bits and a zero point of four."""

NOT_LOADED = "0" * 64


@dataclass(frozen=True, slots=True)
class Shape:
    """A llama of the usual build; as it stands, the one of 70 billion parameters."""

    layers: int = 80
    hidden: int = 8192
    inner: int = 28_672
    heads: int = 64
    key_heads: int = 8
    vocabulary: int = 128_256
    context: int = 131_072

    @property
    def key_width(self) -> int:
        """Values of a token's keys in one layer; its values are as many."""
        return self.hidden // self.heads * self.key_heads

    @property
    def layer_weights(self) -> int:
        """Query and output, key and value, and the three matrices of the multilayer perceptron."""
        return self.hidden * (2 * self.hidden + 2 * self.key_width + 3 * self.inner)

    @property
    def layer_bytes(self) -> int:
        """Matrices in int4, and two norms in 32 bits."""
        return int(self.layer_weights * INT4_BYTES) + 2 * 4 * self.hidden

    @property
    def embedding_bytes(self) -> int:
        """A byte a weight, and a scale and a zero point for each row; the head has as many."""
        return self.vocabulary * (self.hidden + 3)

    @property
    def cache_bytes(self) -> int:
        """Keys and values of a token in all layers, of 16 bits each."""
        return 2 * 2 * self.layers * self.key_width

    @property
    def row_bytes(self) -> int:
        """A token's hidden state on the wire, of 16 bits a value."""
        return 2 * self.hidden

    def manifest(self) -> Manifest:
        """As if the model had been added; nothing can be read of it."""
        sizes = [self.layer_bytes] * self.layers
        sizes[0] += self.embedding_bytes
        costs = [self.layer_bytes] * self.layers
        sizes[-1] += self.embedding_bytes
        costs[-1] += self.embedding_bytes
        places = list(accumulate(sizes, initial=0))
        chunks, layer_chunks = cut_into_chunks([[ByteRange(first, last - first)] for first, last in pairwise(places)])
        return Manifest(
            layers=self.layers,
            hidden=self.hidden,
            vocabulary=self.vocabulary,
            context=self.context,
            files=(),
            weights_bytes=places[-1],
            chunks=tuple(Chunk(chunk.offset, chunk.length, NOT_LOADED) for chunk in chunks),
            layer_chunks=layer_chunks,
            layer_costs=tuple(costs),
        )
