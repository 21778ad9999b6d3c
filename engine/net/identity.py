"""Who this PC is: an id made once and kept in its data folder."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from idlepool.engine.errors import StorageError
from idlepool.engine.types import NodeId

FILE = "node_id"


def node_id(root: Path) -> NodeId:
    """The id of the node whose data folder is `root`; made at the first call.

    Raises:
        StorageError: the folder cannot be written.
    """
    path = root / FILE
    try:
        known = path.read_text(encoding="ascii").strip() if path.exists() else ""
        if not re.fullmatch(r"[0-9a-f]{64}", known):
            known = secrets.token_hex(32)
            root.mkdir(parents=True, exist_ok=True)
            path.write_text(known, encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(str(path), getattr(error, "strerror", None) or str(error)) from error
    return NodeId(known)
