"""Errors about the disk; a part of the tree in errors.py.

StorageError
├── FileUnreadable            a file that is there and cannot be read
└── NoDiskRoom                fetched layers may take no more of the disk
ModelError
└── ModelInUse                files that are read cannot be removed or changed
"""

from __future__ import annotations

from idlepool.engine.errors import IdlepoolError, ModelError, StorageError


class FileUnreadable(StorageError):
    """A file of the data folder is there, and the system does not give it."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        IdlepoolError.__init__(
            self, f"{path} could not be read: {reason}.", "Allow Idlepool to read it, or move it to another place."
        )


class NoDiskRoom(StorageError):
    """Layers were not fetched, or no more of them: the disk has no room that they may take. `limit` says whose rule."""

    def __init__(self, name: str, needed_bytes: int, left_bytes: int, limit: str) -> None:
        self.name, self.needed_bytes, self.left_bytes, self.limit = name, needed_bytes, left_bytes, limit
        IdlepoolError.__init__(
            self,
            f"Layers of “{name}” need {needed_bytes / 1e6:,.1f} MB more of the disk, and they may have "
            f"{left_bytes / 1e6:,.1f} MB: {limit}.",
            "Allow more, free some space, or remove fetched layers with: idlepool models clean",
        )


class ModelInUse(ModelError):
    """The files of a model are read at the moment; `reason` says by whom."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f"“{name}” is in use: {reason}.", "Try it again when that has ended.")
