"""What `idlepool models` says of layers that were fetched for other PCs' models, and how it removes them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from idlepool.app.running_node import running_node
from idlepool.app.terminal_chat import say
from idlepool.engine.commands import CleanModels
from idlepool.engine.errors import PoolError
from idlepool.engine.events import Trouble
from idlepool.engine.local_events import ModelsCleaned
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.folder_lock import folder_lock
from idlepool.engine.pool.hub_source import source_of
from idlepool.engine.pool.shelf import Shelf


def fetched_facts(partial: PartialModel) -> dict[str, object]:
    """A row of `idlepool models list --json`; see models_command.py."""
    used = max(partial.last_used.times)
    return {
        "name": "",
        "id": partial.model,
        "layers": partial.manifest.layers,
        "context": partial.manifest.context,
        "bytes": partial.bytes_on_disk,
        "licence": "",
        "folder": str(partial.folder),
        "complete": False,
        "held": [[span.first, span.last] for span in partial.spans],
        "last_used": _time(used).isoformat() if used else None,
    }


def write_fetched(partials: Sequence[PartialModel]) -> None:
    """For a person: a line for each model."""
    if partials:
        sys.stdout.write("Fetched for other PCs (remove it with: idlepool models clean):\n")
    for partial in partials:
        layers = ", ".join(f"{span.first}-{span.last - 1}" for span in partial.spans)
        what = f"layers {layers} of {partial.manifest.layers}" if layers else "parts of layers"
        used = max(partial.last_used.times)
        when = f", last used {_time(used):%Y-%m-%d %H:%M}" if used else ""
        name = source_of(partial) or partial.name
        sys.stdout.write(f"{name}  {what}, {partial.bytes_on_disk / 1e6:,.0f} MB{when}  {partial.folder}\n")


def clean(root: Path) -> None:
    """Remove them, by the node that runs with this data folder if there is one.

    Raises:
        PoolError, StorageError: it did not work.
    """
    went, stayed = _clean(root)
    in_use = f" {stayed / 1e6:,.0f} MB stay: they are in use." if stayed else ""
    say(f"{went / 1e6:,.0f} MB of fetched layers were removed.{in_use}")


def _clean(root: Path) -> tuple[int, int]:
    node = running_node(root)
    if node is None:
        with folder_lock(root):
            shelf = Shelf(ModelStore(root))
            return asyncio.run(shelf.clear()), shelf.room().taken
    with node:
        node.send(CleanModels())
        while True:
            match node.next_event():
                case ModelsCleaned(went_bytes=went, stayed_bytes=stayed):
                    return went, stayed
                case Trouble(sentence=sentence, hint=hint, once=False):
                    raise PoolError(sentence, hint)


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds).astimezone()
