"""A model of which only some layers are here: a sparse weights file that fills up chunk by chunk, each one verified."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Collection
from pathlib import Path

from idlepool.engine.errors import MessageError, ModelDamaged, ModelIncomplete, StorageError
from idlepool.engine.graph.weight_ranges import ByteRange, merge
from idlepool.engine.models.chunk_set import pack_chunks, unpack_chunks
from idlepool.engine.models.files import replace_file, writing
from idlepool.engine.models.last_used import LastUsed
from idlepool.engine.models.manifest import GRAPH_FILE, WEIGHTS_FILE, FileEntry, Manifest
from idlepool.engine.models.sparse_file import allocated_bytes, create_sparse, punch_hole, write_at
from idlepool.engine.types import Span

MANIFEST_FILE = "manifest.json"
_HELD_FILE = "held"
_USED_FILE = "used.json"
_FLUSH_BYTES = 256 << 20
"""A crash loses at most this much of what was written; flushing each chunk would cost more than fetching it."""

log = logging.getLogger("idlepool.models")


class PartialModel:
    """What this PC holds of a model, in a folder of its own.

    The file `held` has a bit for each chunk that is on the disk. A bit is set after its chunk was flushed, so a crash
    costs chunks that are fetched again and never leaves a wrong one; and in place, which works on a full disk too.
    Methods may be called from several threads.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        """Open the folder, or make it.

        Raises:
            StorageError: it cannot be made.
        """
        self.folder = folder
        self.manifest = manifest
        self.model = manifest.model
        self._held = self._open()
        self.last_used = LastUsed(folder / _USED_FILE, manifest.layers)
        self._unflushed = 0
        self._lock = threading.Lock()
        self._flushing = threading.Lock()

    @property
    def name(self) -> str:
        """What a log calls it: a partial model has no name of its own."""
        return self.model[:12]

    @property
    def graph(self) -> Path:
        """The graph file; the weights lie beside it."""
        return self.folder / GRAPH_FILE

    @property
    def held(self) -> frozenset[int]:
        """Indices of the chunks that are here."""
        return frozenset(self._held)

    @property
    def held_ranges(self) -> tuple[ByteRange, ...]:
        """The bytes of the weights file that are filled."""
        chunks = self.manifest.chunks
        return merge(ByteRange(chunks[index].offset, chunks[index].length) for index in self.held)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The layers that can be loaded from here."""
        return () if self.missing_files() else self.manifest.spans_in(self.held)

    @property
    def bytes_on_disk(self) -> int:
        """Disk space of the weights and the small files, holes not counted."""
        paths = (self.folder / name for name in (WEIGHTS_FILE, *(file.name for file in self.manifest.files)))
        return sum(allocated_bytes(path) for path in paths if path.exists())

    def bytes_needed(self, span: Span) -> int:
        """Bytes of the chunks of `span` and of the small files."""
        return self.manifest.bytes_of(self.manifest.chunks_of(span)) + sum(file.size for file in self.manifest.files)

    def missing(self, span: Span) -> tuple[int, ...]:
        """Indices of the chunks that `span` reads and that are not here."""
        return tuple(index for index in self.manifest.chunks_of(span) if index not in self._held)

    def missing_files(self) -> tuple[FileEntry, ...]:
        """The small files that are not here."""
        return tuple(file for file in self.manifest.files if not _has_size(self.folder / file.name, file.size))

    def write_chunk(self, index: int, data: bytes | memoryview) -> None:
        """Take a chunk.

        Raises:
            ModelDamaged: it is not the chunk of the manifest; nothing was written.
            StorageError: the disk is full or read-only.
        """
        chunk = self.manifest.chunks[index]
        _check(f"chunk {index} of {self.name}", data, chunk.length, chunk.sha256)
        with self._lock, writing(self.folder):
            with (self.folder / WEIGHTS_FILE).open("r+b") as file:
                write_at(file, chunk.offset, data)
            self._held.add(index)
            self._unflushed += chunk.length
            full = self._unflushed >= _FLUSH_BYTES
        if full:
            self.flush()

    def write_file(self, name: str, data: bytes | memoryview) -> None:
        """Take a small file. Raises as `write_chunk` does, and KeyError for a name that is not in the manifest."""
        entry = self.manifest.file(name)
        _check(f"{name} of {self.name}", data, entry.size, entry.sha256)
        replace_file(self.folder / name, bytes(data))

    def flush(self) -> None:
        """Make what was written survive a crash; called when a span is complete and when the work is given up.

        Chunks may be written meanwhile; they are of the next flush.
        """
        with self._flushing:
            with self._lock:
                held, unflushed, self._unflushed = frozenset(self._held), self._unflushed, 0
            try:
                if unflushed:
                    self._record(held)
            except StorageError:
                self._unflushed += unflushed
                raise

    def drop(self, chunks: Collection[int]) -> None:
        """Give the disk space of these chunks back. Those whose space the system does not give back stay.

        Raises:
            StorageError: the disk is read-only.
        """
        with self._flushing, writing(self.folder):
            with self._lock:
                self._held.difference_update(chunks)
            self._record(self.held)  # first, so that a crash leaves no chunk on record that is zeros
            kept = self._punch(chunks)
            if kept:
                with self._lock:
                    self._held.update(kept)
                self._record(self.held)

    def read_chunk(self, index: int) -> bytes:
        """A chunk that is here. Raises ModelIncomplete for another."""
        if index not in self._held:
            raise ModelIncomplete(self.name, self.manifest.chunks[index].length)
        return read_chunk(self.folder, self.manifest, index)

    def read_file(self, name: str) -> bytes:
        """A small file. Raises ModelIncomplete where it is not here, KeyError where it is not in the manifest."""
        entry = self.manifest.file(name)
        if not _has_size(self.folder / name, entry.size):
            raise ModelIncomplete(self.name, entry.size)
        return (self.folder / name).read_bytes()

    def _open(self) -> set[int]:
        weights, manifest = self.folder / WEIGHTS_FILE, self.manifest.encode()
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            if not _has_size(weights, self.manifest.weights_bytes):
                (self.folder / _HELD_FILE).unlink(missing_ok=True)
                create_sparse(weights, self.manifest.weights_bytes)
        if not _has_size(self.folder / MANIFEST_FILE, len(manifest)):
            replace_file(self.folder / MANIFEST_FILE, manifest)
        return self._recorded()

    def _punch(self, indices: Collection[int]) -> set[int]:
        """Make holes of chunks; returns those for which that did not work."""
        chunks = self.manifest.chunks
        left = set(indices)
        with (self.folder / WEIGHTS_FILE).open("r+b") as file:
            for item in merge(ByteRange(chunks[index].offset, chunks[index].length) for index in indices):
                try:
                    punch_hole(file, item.offset, item.length)
                except OSError as error:
                    log.warning("the space of some layers of %s stays taken: %s", self.name, error)
                    break
                left -= {index for index in left if chunks[index].offset < item.end}
        return left

    def _record(self, held: frozenset[int]) -> None:
        """Flush the weights, then note that these chunks are among them."""
        with writing(self.folder):
            with (self.folder / WEIGHTS_FILE).open("r+b") as file:
                os.fsync(file.fileno())
            with (self.folder / _HELD_FILE).open("r+b") as file:
                write_at(file, 0, pack_chunks(held, len(self.manifest.chunks)))
                os.fsync(file.fileno())

    def _recorded(self) -> set[int]:
        """What is on record; a broken one is made anew and means that all is fetched again."""
        count = len(self.manifest.chunks)
        try:
            return set(unpack_chunks((self.folder / _HELD_FILE).read_bytes(), count))
        except (FileNotFoundError, MessageError):
            replace_file(self.folder / _HELD_FILE, pack_chunks((), count))
            return set()


def read_chunk(folder: Path, manifest: Manifest, index: int) -> bytes:
    """Bytes of a chunk out of the weights file in `folder`.

    Raises:
        ModelDamaged: the file is shorter than it was.
    """
    chunk = manifest.chunks[index]
    with (folder / WEIGHTS_FILE).open("rb") as file:
        file.seek(chunk.offset)
        data = file.read(chunk.length)
    if len(data) != chunk.length:
        raise ModelDamaged(str(folder / WEIGHTS_FILE), f"it ends before byte {chunk.offset + chunk.length:,}")
    return data


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def _check(what: str, data: bytes | memoryview, size: int, sha256: str) -> None:
    if len(data) != size:
        raise ModelDamaged(what, f"it has {len(data):,} bytes instead of {size:,}")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelDamaged(what, "its SHA-256 is wrong")
