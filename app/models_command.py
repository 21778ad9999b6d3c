"""`idlepool models`: add, list, verify, clean and remove models."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from idlepool.app.fetched_layers import clean, fetched_facts, write_fetched
from idlepool.app.models_elsewhere import elsewhere_facts, models_elsewhere, tell_models_changed, write_elsewhere
from idlepool.app.terminal_chat import say
from idlepool.engine.models.add import add_model
from idlepool.engine.models.allowance import Take
from idlepool.engine.models.licence import Licence
from idlepool.engine.models.store import ModelStore, default_root
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.pool.bandwidth import Bandwidth
from idlepool.engine.pool.node_preferences_file import read_node_preferences
from idlepool.engine.pool.shelf import Shelf

if TYPE_CHECKING:
    from idlepool.engine.backends.check import ModelCheck


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked; returns the exit code."""
    store = ModelStore(default_root())
    match arguments.action:
        case "add":
            _add(store, arguments.source, name=arguments.name)
        case "list":
            _list(store, as_json=arguments.json)
        case "verify":
            store.verify(arguments.name, progress=ProgressLine())
            say(f"Every byte of {arguments.name} is right.")
        case "check":
            return _check(store, arguments)
        case "clean":
            clean(default_root())
        case "remove":
            store.remove(arguments.name)
            tell_models_changed(store.root)
            say(f"{arguments.name} was removed.")
    return 0


def _add(store: ModelStore, source: str, *, name: str | None) -> None:
    told: list[Licence] = []

    def announce(licence: Licence) -> None:
        told.append(licence)
        say(str(licence))

    take = network_share(store.root)
    model = add_model(store, source, name=name, progress=ProgressLine(), announce=announce, take=take)
    tell_models_changed(store.root)
    size = f"{model.manifest.layers} layers, {model.bytes_in_all / 1e6:,.0f} MB"
    licence = f" Licence: {model.licence}." if model.licence and not told else ""
    say(f"{model.name} is here: {size}.{licence}")


def _check(store: ModelStore, arguments: argparse.Namespace) -> int:
    from idlepool.engine.backends.check import check_model  # brings the engine, needed only here

    path = Path(arguments.model).expanduser()
    folder = path if path.is_dir() else store.get(arguments.model).folder
    found = check_model(folder, stages=arguments.stages)
    if arguments.json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")  # a difference that is no number becomes null
    else:
        write_check(found)
    return 0 if found.equal["stateful"] and found.equal["paged"] else 1


def write_check(found: ModelCheck) -> None:
    """What a check found, for a person."""
    family = f"{found.family}, " if found.family else ""
    sys.stdout.write(f"{family}{found.layers} layers, {found.boundaries} places to part it, ")
    sys.stdout.write(f"{found.fused_layers} attentions fused with their caches\n")
    if found.gathers_added:
        sys.stdout.write(
            f"{found.gathers_added} states lack what the fusion needs; it is put in when they are loaded\n"
        )
    for state, reason in found.unfused_states.items():
        sys.stdout.write(f"{state} is not fused: {reason}\n")
    for form, equal in found.equal.items():
        verdict = found.refused.get(form) or ("equal to the whole" if equal else "DIFFERS from the whole")
        sys.stdout.write(f"{form:9} {verdict}\n")


def ensure_model(store: ModelStore, name: str) -> StoredModel:
    """The catalogue model of that name; fetched and converted first where it is not here."""
    take = network_share(store.root)
    return add_model(store, name, progress=ProgressLine(), announce=lambda licence: say(str(licence)), take=take)


def network_share(root: Path) -> Take:
    """What is fetched in a terminal keeps to the limit of the settings, beside what a node of this PC fetches."""
    kept, _ = read_node_preferences(root)
    return Bandwidth(kept.model_bytes_per_s).take_alone


def _list(store: ModelStore, *, as_json: bool) -> None:
    models, fetched = store.list(), Shelf(store).all()
    elsewhere = models_elsewhere(store.root, here=[model.name for model in models])
    if as_json:
        rows = [*map(_facts, models), *map(fetched_facts, fetched), *map(elsewhere_facts, elsewhere)]
        sys.stdout.write(json.dumps(rows) + "\n")
        return
    if not models:
        say("No model is here yet. Add one with: idlepool models add starter")
    for model in models:
        facts = (
            f"{model.manifest.layers} layers, {model.bytes_in_all / 1e6:,.0f} MB, context {model.manifest.context:,}"
        )
        licence = f", {model.licence}" if model.licence else ""
        state = "" if model.complete else "  (files are missing)"
        sys.stdout.write(f"{model.name}  {facts}{licence}  {model.folder}{state}\n")
    write_elsewhere(elsewhere)
    write_fetched(fetched)


def _facts(model: StoredModel) -> dict[str, object]:
    return {
        "name": model.name,
        "id": model.model,
        "layers": model.manifest.layers,
        "context": model.manifest.context,
        "bytes": model.bytes_in_all,
        "licence": model.licence,
        "folder": str(model.folder),
        "complete": model.complete,
        "held": [[0, model.manifest.layers]] if model.complete else [],
    }


class ProgressLine:
    """Progress on standard error: one line that is rewritten on a terminal, a line a step elsewhere."""

    def __init__(self) -> None:
        self._step = ""
        self._shown = 0.0

    def __call__(self, step: str, done: int, total: int) -> None:
        """See engine.models.files.Progress."""
        terminal = sys.stderr.isatty()
        if step != self._step:
            if self._step and terminal:
                sys.stderr.write("\n")
            self._step = step
            if not terminal:
                say(f"{step} …")
        now = time.monotonic()
        if terminal and (now - self._shown > 0.1 or done == total):
            self._shown = now
            share = f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB" if total else f"{done / 1e6:,.1f} MB"
            sys.stderr.write(f"\r{step} {share}\x1b[K" + ("\n" if done == total and total else ""))
            sys.stderr.flush()
