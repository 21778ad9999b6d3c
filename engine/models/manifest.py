"""What a model consists of, byte by byte: its files, the chunks of its weights, and which chunks each layer needs.

The manifest is made once, where the model is added; SHA-256 of its canonical JSON is the model's id. A PC that holds
only some layers holds the manifest, the small files and the chunks of those layers, each checked by its own SHA-256.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable
from itertools import pairwise

import msgspec

from idlepool.engine.errors import MessageError
from idlepool.engine.models.chunking import CHUNK_BYTES
from idlepool.engine.models.names import is_device, leads_elsewhere
from idlepool.engine.types import ModelId, Span

GRAPH_FILE = "openvino_model.xml"
WEIGHTS_FILE = "openvino_model.bin"
TOKENIZER_FILES = ("openvino_tokenizer.xml", "openvino_detokenizer.xml")
SETTINGS_FILE = "idlepool.json"
"""Written by our own conversion: {"context": tokens, "source": where the model came from}."""

NEEDED_FILES = (GRAPH_FILE, *TOKENIZER_FILES)
SMALL_FILES = (
    *NEEDED_FILES,
    "openvino_tokenizer.bin",
    "openvino_detokenizer.bin",
    "config.json",
    "generation_config.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    SETTINGS_FILE,
)
"""All that may stand in a manifest: a peer's manifest can name no other file."""

MOST_MANIFEST_BYTES = 64 << 20
MOST_FILE_BYTES = 256 << 20
MOST_WEIGHTS_BYTES = 8 << 40
MOST_LAYERS = 4096
MOST_HIDDEN = 65_536
MOST_VOCABULARY = 1 << 24
MOST_CONTEXT = 1 << 31

_DIGEST = re.compile(r"[0-9a-f]{64}")


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small file, held whole: the graph, the tokenizer graphs, settings. `name` is one of SMALL_FILES."""

    name: str
    size: int
    sha256: str


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """Bytes `[offset, offset + length)` of the weights."""

    offset: int
    length: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    """Ascending, without overlap. Bytes that no layer reads are in none."""
    layer_chunks: tuple[tuple[int, ...], ...]
    """For each layer the chunks it reads, by index; the first layer's include the embedding, the last's the head."""
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

    def file(self, name: str) -> FileEntry:
        """The small file of that name. Raises KeyError where there is none: never read a path that a peer asks for."""
        for file in self.files:
            if file.name == name:
                return file
        raise KeyError(name)

    def chunks_of(self, span: Span) -> tuple[int, ...]:
        """Indices of the chunks that the layers of `span` read, ascending, each once."""
        return tuple(sorted({index for layer in span for index in self.layer_chunks[layer]}))

    def spans_in(self, chunks: Collection[int]) -> tuple[Span, ...]:
        """The layers all of whose chunks are among `chunks`, as the longest spans."""
        whole = [layer for layer, read in enumerate(self.layer_chunks) if all(index in chunks for index in read)]
        firsts = [layer for before, layer in pairwise([-2, *whole]) if layer != before + 1]
        lasts = [layer + 1 for layer, after in pairwise([*whole, -2]) if after != layer + 1]
        return tuple(Span(first, last) for first, last in zip(firsts, lasts, strict=True))

    def bytes_of(self, chunks: Iterable[int]) -> int:
        """Bytes in those chunks."""
        return sum(self.chunks[index].length for index in chunks)


def decode_manifest(data: bytes | memoryview) -> Manifest:
    """Read a manifest from a file or a peer.

    Raises:
        MessageError: it does not decode, contradicts itself or passes a limit of this module.
    """
    if len(data) > MOST_MANIFEST_BYTES:
        raise MessageError(f"A model's manifest of {len(data):,} bytes is larger than {MOST_MANIFEST_BYTES:,}.")
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MessageError(f"A model's manifest does not decode: {error}.") from error
    for fault in _faults(manifest):
        raise MessageError(f"A model's manifest contradicts itself: {fault}.")
    return manifest


def _faults(manifest: Manifest) -> Iterable[str]:
    if manifest.format != 1:
        yield f"its format {manifest.format} is not known here"
    yield from _wrong_numbers(manifest)
    yield from _wrong_files(manifest.files)
    yield from _wrong_chunks(manifest.chunks, manifest.weights_bytes)
    yield from _wrong_layers(manifest)


def _wrong_numbers(manifest: Manifest) -> Iterable[str]:
    limits = (
        ("layers", manifest.layers, MOST_LAYERS),
        ("hidden", manifest.hidden, MOST_HIDDEN),
        ("vocabulary", manifest.vocabulary, MOST_VOCABULARY),
        ("context", manifest.context, MOST_CONTEXT),
        ("weights_bytes", manifest.weights_bytes, MOST_WEIGHTS_BYTES),
    )
    for name, value, most in limits:
        if not 1 <= value <= most:
            yield f"{name} is {value}, not 1 to {most}"


def _wrong_files(files: tuple[FileEntry, ...]) -> Iterable[str]:
    names = [file.name for file in files]
    if len(set(names)) != len(names):
        yield "a file is named twice"
    for name in set(NEEDED_FILES) - set(names):
        yield f"{name} is missing"
    for file in files:
        if file.name not in SMALL_FILES:
            yield f"{file.name[:80]!r} {_wrong_with(file.name)}"
        if not 0 <= file.size <= MOST_FILE_BYTES:
            yield f"{file.name} has {file.size} bytes, not 0 to {MOST_FILE_BYTES}"
        if not _DIGEST.fullmatch(file.sha256):
            yield f"{file.name} has no SHA-256"


def _wrong_with(name: str) -> str:
    """Why a file that is none of SMALL_FILES may not stand in a manifest."""
    if leads_elsewhere(name):
        return "leads out of the model's folder"
    return "is a device on Windows" if is_device(name) else "is no file of a model"


def _wrong_chunks(chunks: tuple[Chunk, ...], weights_bytes: int) -> Iterable[str]:
    for index, chunk in enumerate(chunks):
        if not 1 <= chunk.length <= CHUNK_BYTES:
            yield f"chunk {index} has {chunk.length} bytes, not 1 to {CHUNK_BYTES}"
        if not 0 <= chunk.offset <= weights_bytes - chunk.length:
            yield f"chunk {index} lies outside the weights"
        if not _DIGEST.fullmatch(chunk.sha256):
            yield f"chunk {index} has no SHA-256"
    for index, (before, after) in enumerate(pairwise(chunks)):
        if after.offset < before.offset + before.length:
            yield f"chunk {index + 1} overlaps the one before"


def _wrong_layers(manifest: Manifest) -> Iterable[str]:
    if not len(manifest.layer_chunks) == len(manifest.layer_costs) == manifest.layers:
        yield f"chunks or costs are given for another number of layers than {manifest.layers}"
    for layer, indices in enumerate(manifest.layer_chunks):
        if any(not 0 <= index < len(manifest.chunks) for index in indices):
            yield f"layer {layer} reads a chunk that does not exist"
        if any(after <= before for before, after in pairwise(indices)):
            yield f"the chunks of layer {layer} are not in order"
    if any(cost < 0 for cost in manifest.layer_costs):
        yield "a layer's cost is negative"
