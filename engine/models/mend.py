"""Right bytes over wrong ones of a model in the store."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from idlepool.engine.errors import ModelDamaged
from idlepool.engine.models.damage import Damage
from idlepool.engine.models.files import replace_file, writing
from idlepool.engine.models.manifest import WEIGHTS_FILE, FileEntry
from idlepool.engine.models.sparse_file import write_at
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.types import Span


class MendedModel:
    """A Destination for what was found wrong with `model`, whatever the span. Methods may be called from threads."""

    def __init__(self, model: StoredModel, damage: Damage) -> None:
        self.name = model.name
        self.manifest = model.manifest
        self._model = model
        self._files = {name: model.manifest.file(name) for name in damage.files}
        self._chunks = set(damage.chunks)

    def begin(self) -> None:
        """Give the weights file the length that it has to have, whatever is left of it. Raises StorageError."""
        path = self._weights
        with writing(path):
            path.touch()
            with path.open("r+b") as file:
                file.truncate(self.manifest.weights_bytes)

    def missing(self, span: Span) -> tuple[int, ...]:
        """Indices of the chunks that are still wrong."""
        return tuple(sorted(self._chunks))

    def missing_files(self) -> tuple[FileEntry, ...]:
        """The small files that are."""
        return tuple(self._files.values())

    def read_file(self, name: str) -> bytes:
        """See StoredModel."""
        return self._model.read_file(name)

    def write_file(self, name: str, data: bytes | memoryview) -> None:
        """Replace a small file. Raises ModelDamaged where these are not its bytes, StorageError."""
        path = self._model.folder / name
        _check(path, data, self.manifest.file(name).sha256)
        replace_file(path, bytes(data))
        self._files.pop(name, None)

    def write_chunk(self, index: int, data: bytes | memoryview) -> None:
        """Write a chunk in its place. Raises ModelDamaged where these are not its bytes, StorageError."""
        chunk = self.manifest.chunks[index]
        _check(self._weights, data, chunk.sha256)
        with writing(self._weights), self._weights.open("r+b") as file:
            write_at(file, chunk.offset, data)
        self._chunks.discard(index)

    def flush(self) -> None:
        """Make what was written survive a crash. Raises StorageError."""
        with writing(self._weights), self._weights.open("r+b") as file:
            os.fsync(file.fileno())

    @property
    def left(self) -> Damage:
        """What is still wrong."""
        return Damage(tuple(self._files), self.missing(Span(0, self.manifest.layers)))

    @property
    def _weights(self) -> Path:
        return self._model.folder / WEIGHTS_FILE


def _check(path: Path, data: bytes | memoryview, sha256: str) -> None:
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelDamaged(str(path), "what came to mend it is wrong as well")
