"""The key that programs must show: 256 random bits in a file that only this user may read."""

from __future__ import annotations

import secrets
from pathlib import Path

from idlepool.engine.disk_errors import FileUnreadable
from idlepool.engine.net.key_store import write_for_user

FILE = "api.key"
_PREFIX = "idlepool-"
"""So that whoever finds one in a log or a repository knows what it opens."""
_BYTES = 32
_MOST_BYTES = 200


def read_api_key(root: Path) -> str:
    """The key in the data folder; empty: there is none.

    Raises:
        FileUnreadable: the system does not give it.
    """
    try:
        data = (root / FILE).read_bytes()[:_MOST_BYTES]
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise FileUnreadable(str(root / FILE), error.strerror or str(error)) from error
    return data.decode("ascii", errors="ignore").strip()


def make_api_key(root: Path) -> str:
    """Another key; the one before is worth nothing. Raises StorageError where it cannot be kept."""
    key = _PREFIX + secrets.token_urlsafe(_BYTES)
    write_for_user(root / FILE, key.encode("ascii"))
    return key
