"""What `idlepool models` says of models that only other PCs of the pool have, and tells the node that runs here."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from idlepool.app.looking import look_around
from idlepool.app.running_node import running_node
from idlepool.app.terminal_chat import say
from idlepool.engine.commands import RereadModels
from idlepool.engine.events import ModelInfo, PeerInfo
from idlepool.engine.pool.membership import known_members

LOOK_S = 3.0
"""What the other PCs get to come where the node has just started."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A model that is not here, and the PCs that have all of it."""

    model: ModelInfo
    pcs: tuple[PeerInfo, ...]


def models_elsewhere(root: Path, *, here: Collection[str]) -> list[Elsewhere]:
    """As the node that runs with this data folder knows them; `here` are the names of the models that need no other PC.

    Raises:
        PoolError: the node ended.
    """
    node = running_node(root)
    if node is None:
        if len(known_members(root)) > 1:
            say("What the other PCs of the pool have is listed while Idlepool runs here.")
        return []
    with node:
        peers, _ = look_around(node, LOOK_S)
    known = {name.casefold() for name in here}
    found: dict[ModelInfo, list[PeerInfo]] = {}
    for peer in peers:
        for model in peer.whole:
            if model.name.casefold() not in known:
                found.setdefault(model, []).append(peer)
    return [Elsewhere(model, tuple(pcs)) for model, pcs in found.items()]


def elsewhere_facts(found: Elsewhere) -> dict[str, object]:
    """A row of `idlepool models list --json`; see models_command.py."""
    model = found.model
    return {
        "name": model.name,
        "id": "",
        "layers": model.layers,
        "context": model.context,
        "bytes": model.bytes,
        "licence": "",
        "folder": "",
        "complete": False,
        "held": [],
        "on": [pc.name for pc in found.pcs],
    }


def write_elsewhere(models: Collection[Elsewhere]) -> None:
    """For a person: a line for each model."""
    if models:
        sys.stdout.write("On other PCs of the pool, which answer about them:\n")
    for found in models:
        model = found.model
        facts = f"{model.layers} layers, {model.bytes / 1e6:,.0f} MB, context {model.context:,}"
        sys.stdout.write(f"{model.name}  {facts}  on {', '.join(map(_place, found.pcs))}\n")


def tell_models_changed(root: Path) -> None:
    """The node that runs with this data folder, if one does, tells its window and the other PCs what is here now."""
    node = running_node(root)
    if node is not None:
        with node:
            node.send(RereadModels())


def _place(pc: PeerInfo) -> str:
    return pc.name if pc.lends else f"{pc.name} (does not lend at the moment)"
