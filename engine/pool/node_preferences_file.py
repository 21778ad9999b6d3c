"""The owner's choices for the node, kept in the data folder over restarts."""

from __future__ import annotations

from pathlib import Path

import msgspec

from idlepool.engine.models.files import replace_file, writing
from idlepool.engine.node_preferences import NodePreferences
from idlepool.engine.pool.broken_file import put_aside

FILE = "node.json"


def read_node_preferences(root: Path) -> tuple[NodePreferences, str]:
    """What was kept in a data folder, and what is wrong with its file in a sentence; empty: nothing.

    The defaults hold where nothing was kept, or nothing that can be read. A file that means nothing is put aside.
    """
    path = root / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=NodePreferences), ""
    except FileNotFoundError:
        return NodePreferences(), ""
    except OSError as error:
        return NodePreferences(), f"The settings in {path} cannot be read: {error.strerror or error}."
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        try:
            name = put_aside(path).name
        except OSError:
            return NodePreferences(), f"The settings in {path} made no sense."
        return NodePreferences(), f"The settings in {path} made no sense; the old file is called {name} now."


def write_node_preferences(root: Path, preferences: NodePreferences) -> None:
    """Keep them.

    Raises:
        StorageError: the folder cannot be written.
    """
    with writing(root):
        root.mkdir(parents=True, exist_ok=True)
    replace_file(root / FILE, msgspec.json.format(msgspec.json.encode(preferences), indent=2))
