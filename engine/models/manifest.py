"""What a model consists of, byte by byte: its files, the chunks of its weights, and which chunks each layer needs.

The manifest is made once, where the model is added; SHA-256 of its canonical JSON is the model's id. A PC that holds
only some layers holds the manifest, the small files and the chunks of those layers, each checked by its own SHA-256.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from idlepool.engine.errors import MessageError
from idlepool.engine.types import ModelId, Span

GRAPH_FILE = "openvino_model.xml"
WEIGHTS_FILE = "openvino_model.bin"


class FileEntry(msgspec.Struct, frozen=True):
    """A small file, held whole: the graph, the tokenizer graphs, settings. `name` has no folder in it."""

    name: str
    size: int
    sha256: str


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """Bytes `[offset, offset + length)` of the weights."""

    offset: int
    length: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """Everything a PC must know of a model before it holds any of it."""

    layers: int
    hidden: int
    """Width of the tensor between layers."""
    vocabulary: int
    context: int
    """Most tokens a sequence may have."""
    files: tuple[FileEntry, ...]
    weights_bytes: int
    """Full length of the weights file."""
    chunks: tuple[Chunk, ...]
    layer_chunks: tuple[tuple[int, ...], ...]
    """For each layer the indices of the chunks it reads; the first layer's include the embedding, the last's the head."""
    layer_costs: tuple[int, ...]
    """For each layer the weight bytes that one token multiplies with: what its time is proportional to."""
    format: int = 1

    def encode(self) -> bytes:
        """Canonical JSON."""
        return msgspec.json.encode(self, order="deterministic")

    @property
    def model(self) -> ModelId:
        """SHA-256 of the canonical JSON."""
        return ModelId(hashlib.sha256(self.encode()).hexdigest())

    def chunks_of(self, span: Span) -> tuple[int, ...]:
        """Indices of the chunks that the layers of `span` read, ascending, each once."""
        return tuple(sorted({index for layer in span for index in self.layer_chunks[layer]}))

    def bytes_of(self, chunks: Iterable[int]) -> int:
        """Bytes in those chunks."""
        return sum(self.chunks[index].length for index in chunks)


def decode_manifest(data: bytes) -> Manifest:
    """Read a manifest from a file or a peer.

    Raises:
        MessageError: it does not decode or contradicts itself.
    """
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise MessageError(f"A model's manifest does not decode: {error}.") from error
    return manifest
