"""Where this PC keeps what Idlepool needs. Imports nothing of the engine: the window asks for it before it is shown."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

HOME_VARIABLE = "IDLEPOOL_HOME"


def default_root() -> Path:
    """Where this PC keeps models: the platform's data folder, or what IDLEPOOL_HOME says."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser().absolute() if home else user_data_path("idlepool", appauthor=False)


def cache_folder(root: Path) -> Path:
    """Where a node with its data in `root` keeps what it can make again: see LoadShard."""
    return root / "cache"
