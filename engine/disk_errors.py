"""Errors about the disk; a part of the tree in errors.py.

StorageError
└── NoDiskRoom                fetched layers may take no more of the disk
"""

from __future__ import annotations

from idlepool.engine.errors import IdlepoolError, StorageError


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
