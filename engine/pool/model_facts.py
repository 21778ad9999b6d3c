"""What the window shows of the models on this PC, read from the disk."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import PurePosixPath

from idlepool.engine.errors import ConverterMissing, ModelDamaged, UnknownModel
from idlepool.engine.model_events import CatalogueEntry, CatalogueTold, FetchedFacts, ModelDetails, ModelFacts
from idlepool.engine.models.add import check_installed, room_for
from idlepool.engine.models.catalogue import CATALOGUE, PartsModel, WheelModel
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.pool.hub_source import source_of
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.types import ModelId


def details(store: ModelStore, folders: ModelFolders, *, in_use: Collection[ModelId]) -> ModelDetails:
    """All that is here: the models of `store`, complete or not, those of a library, and fetched layers."""
    readable = {model.name: model for model in store.list()}
    own = [facts for name in store.names() if (facts := _facts_of(store, name, readable.get(name))) is not None]
    known = {facts.name.casefold() for facts in own}
    others = [_facts(model) for model in folders.complete() if model.name.casefold() not in known]
    fetched = tuple(_fetched(partial, in_use) for partial in folders.fetched())
    return ModelDetails((*own, *others), fetched, _free(store))


def catalogue() -> CatalogueTold:
    """What can be had by name alone, and what has to be installed for it."""
    return CatalogueTold(tuple(_entry(entry) for entry in CATALOGUE.values()))


def _facts_of(store: ModelStore, name: str, readable: StoredModel | None) -> ModelFacts | None:
    """None: it was removed at this moment."""
    try:
        return _facts(store.get(name), store)
    except UnknownModel:
        return None
    except ModelDamaged as error:
        if readable is not None:
            return _facts(readable, store, problem=error.sentence)
        return ModelFacts(name, "", 0, 0, 0, "", "", own=True, removable=True, problem=error.sentence)


def _facts(model: StoredModel, store: ModelStore | None = None, *, problem: str = "") -> ModelFacts:
    """`store` None: it is of a library, which is only read."""
    manifest = model.manifest
    return ModelFacts(
        model.name,
        model.model,
        manifest.layers,
        manifest.context,
        model.bytes_in_all,
        model.licence,
        str(model.folder),
        own=store is not None and model.folder.is_relative_to(store.root),
        removable=store is not None,
        problem=problem,
        source=_source(model),
    )


def _source(model: StoredModel) -> str:
    """What AddModel named: what was converted here knows only the file that it was made of."""
    said = source_of(model)
    return next((name for name, entry in CATALOGUE.items() if said == _file(entry)), said)


def _file(entry: WheelModel | PartsModel) -> str:
    return entry.file if isinstance(entry, PartsModel) else PurePosixPath(entry.member).name


def _fetched(partial: PartialModel, in_use: Collection[ModelId]) -> FetchedFacts:
    return FetchedFacts(
        source_of(partial) or partial.name,
        partial.manifest.layers,
        tuple((span.first, span.last) for span in partial.spans),
        partial.bytes_on_disk,
        partial.model in in_use,
        max(partial.last_used.times),
    )


def _entry(entry: WheelModel | PartsModel) -> CatalogueEntry:
    try:
        check_installed(entry)
        missing = ""
    except ConverterMissing as error:
        missing = str(error)
    parts = entry.parts if isinstance(entry, PartsModel) else (entry,)
    fetched = sum(part.wheel_bytes for part in parts)
    return CatalogueEntry(entry.name, entry.title, entry.licence, entry.terms, fetched, room_for(entry), missing)


def _free(store: ModelStore) -> int:
    existing = next(path for path in (store.root, *store.root.parents) if path.exists())
    return shutil.disk_usage(existing).free
