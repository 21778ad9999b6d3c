"""What adding a model leaves on the disk where it stops before the end: only models of the Hub are gone on with."""

from __future__ import annotations

import shutil
from pathlib import Path

_DOWNLOADS = "downloads"
_HUB = "hf:"


def keeps_what_came(source: str) -> bool:
    """Whether adding `source` again goes on with what an earlier try fetched."""
    return source.startswith(_HUB)


def download_folder(root: Path, repository: str, commit: str) -> Path:
    """Where the files of a model of the Hub lie until it is in the store."""
    return root / _DOWNLOADS / f"{repository.replace('/', '--')}-{commit[:12]}"


def discard_leftovers(root: Path, source: str) -> None:
    """Remove what came of `source`, of any commit."""
    if not keeps_what_came(source):
        return
    repository = source.removeprefix(_HUB).partition("@")[0]
    beginning = download_folder(root, repository, "").name
    folders = list((root / _DOWNLOADS).glob("*")) if (root / _DOWNLOADS).is_dir() else []
    for folder in folders:
        if folder.name.startswith(beginning) and "-" not in folder.name.removeprefix(beginning):
            shutil.rmtree(folder, ignore_errors=True)
