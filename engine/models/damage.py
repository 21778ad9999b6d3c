"""Which bytes of a model are not what they were when it was added, so that only those need to be fetched again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from idlepool.engine.errors import ModelDamaged
from idlepool.engine.graph.weight_ranges import ByteRange, merge
from idlepool.engine.models.files import Progress, sha256_of, unseen
from idlepool.engine.models.manifest import FileEntry, Manifest
from idlepool.engine.models.stored import StoredModel


@dataclass(frozen=True, slots=True)
class Damage:
    """Small files by name, and chunks of the weights by index; without any, every byte is right."""

    files: tuple[str, ...] = ()
    chunks: tuple[int, ...] = ()

    def bytes_in(self, manifest: Manifest) -> int:
        """How much is to be fetched again."""
        return manifest.bytes_of(self.chunks) + sum(manifest.file(name).size for name in self.files)

    def ranges_in(self, manifest: Manifest) -> tuple[ByteRange, ...]:
        """The bytes of the weights file that are wrong."""
        chunks = (manifest.chunks[index] for index in self.chunks)
        return merge(ByteRange(chunk.offset, chunk.length) for chunk in chunks)


def find_damage(model: StoredModel, *, progress: Progress = unseen) -> Damage:
    """Hash all of `model`; `progress` counts bytes as step "checking", and whatever it raises ends the work."""
    manifest = model.manifest
    done, total = 0, model.bytes_in_all
    files: list[str] = []
    chunks: list[int] = []
    for file in manifest.files:
        if not _is_right(model, file):
            files.append(file.name)
        done += file.size
        progress("checking", done, total)
    for index, chunk in enumerate(manifest.chunks):
        if not _is_chunk_right(model, index):
            chunks.append(index)
        done += chunk.length
        progress("checking", done, total)
    progress("checking", total, total)  # bytes that no layer reads are in no chunk
    return Damage(tuple(files), tuple(chunks))


def _is_right(model: StoredModel, file: FileEntry) -> bool:
    path = model.folder / file.name
    try:
        return path.stat().st_size == file.size and sha256_of(path) == file.sha256
    except OSError:  # it is gone, or the disk does not read it any more
        return False


def _is_chunk_right(model: StoredModel, index: int) -> bool:
    try:
        return hashlib.sha256(model.read_chunk(index)).hexdigest() == model.manifest.chunks[index].sha256
    except (ModelDamaged, OSError):
        return False
