"""A complete model of the store: where its files are, whether they are still what they were, and their bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from idlepool.engine.errors import ModelDamaged
from idlepool.engine.models.files import Progress, sha256_of, unseen
from idlepool.engine.models.manifest import GRAPH_FILE, WEIGHTS_FILE, Manifest
from idlepool.engine.models.partial import read_chunk
from idlepool.engine.types import ModelId


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model that was added here, with all its layers."""

    name: str
    manifest: Manifest
    model: ModelId
    folder: Path
    """Where the files are: in the store, or the user's folder that was added."""
    licence: str = ""
    """What the catalogue says of its licence; empty where that is not known."""

    @property
    def complete(self) -> bool:
        """Whether all files are there with the right sizes."""
        return not any(self._wrong_sizes())

    @property
    def graph(self) -> Path:
        """The graph file; the weights lie beside it."""
        return self.folder / GRAPH_FILE

    @property
    def held(self) -> frozenset[int]:
        """Indices of the chunks that are here."""
        return frozenset(range(len(self.manifest.chunks))) if self.complete else frozenset()

    @property
    def bytes_in_all(self) -> int:
        """Size of the weights and the small files."""
        return self.manifest.weights_bytes + sum(file.size for file in self.manifest.files)

    def read_chunk(self, index: int) -> bytes:
        """A chunk of the weights. Raises ModelDamaged where the file is shorter than it was."""
        return read_chunk(self.folder, self.manifest, index)

    def read_file(self, name: str) -> bytes:
        """A small file. Raises KeyError for a name that is not in the manifest."""
        return (self.folder / self.manifest.file(name).name).read_bytes()

    def check_sizes(self) -> None:
        """Raise ModelDamaged for the first file that is gone or has another size than when it was added."""
        for path, reason in self._wrong_sizes():
            raise ModelDamaged(str(path), reason)

    def _wrong_sizes(self) -> Iterator[tuple[Path, str]]:
        sizes = [(file.name, file.size) for file in self.manifest.files]
        for name, size in (*sizes, (WEIGHTS_FILE, self.manifest.weights_bytes)):
            path = self.folder / name
            if not path.is_file():
                yield path, "it is gone"
            elif (found := path.stat().st_size) != size:
                yield path, f"it has {found:,} bytes instead of {size:,}"

    def verify(self, *, progress: Progress = unseen) -> None:
        """Hash every file and chunk again; `progress` counts bytes as step "checking".

        Raises:
            ModelDamaged: the first one that differs.
        """
        self.check_sizes()
        chunks = self.manifest.chunks
        done, total = 0, self.manifest.bytes_of(range(len(chunks))) + sum(file.size for file in self.manifest.files)
        for file in self.manifest.files:
            if sha256_of(self.folder / file.name) != file.sha256:
                raise ModelDamaged(str(self.folder / file.name), "its SHA-256 is wrong")
            done += file.size
            progress("checking", done, total)
        for index, chunk in enumerate(chunks):
            if hashlib.sha256(self.read_chunk(index)).hexdigest() != chunk.sha256:
                where = f"bytes {chunk.offset:,} to {chunk.offset + chunk.length:,} changed"
                raise ModelDamaged(str(self.folder / WEIGHTS_FILE), where)
            done += chunk.length
            progress("checking", done, total)
