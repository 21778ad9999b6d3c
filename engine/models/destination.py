"""What the bytes of a model are brought into: a sparse copy of some layers, or a copy that was damaged."""

from __future__ import annotations

from typing import Protocol

from idlepool.engine.models.manifest import FileEntry, Manifest
from idlepool.engine.types import Span


class ReadsFiles(Protocol):
    """Has small files of a model."""

    def read_file(self, name: str) -> bytes:
        """A small file. Raises KeyError, ModelIncomplete, OSError where it is not to be had."""


class Destination(ReadsFiles, Protocol):
    """Methods may be called from several threads."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def manifest(self) -> Manifest:
        """Of the model."""

    def missing(self, span: Span) -> tuple[int, ...]:
        """Indices of the chunks that are wanted for a span."""

    def missing_files(self) -> tuple[FileEntry, ...]:
        """The small files that are wanted."""

    def write_file(self, name: str, data: bytes | memoryview) -> None:
        """Take a small file. Raises ModelDamaged, StorageError."""

    def write_chunk(self, index: int, data: bytes | memoryview) -> None:
        """Take a chunk. Raises ModelDamaged, StorageError."""

    def flush(self) -> None:
        """Make what was written survive a crash. Raises StorageError."""
