"""Adding a model from the Hugging Face Hub: its OpenVINO files, of one commit, into the store.

What is fetched lies in a folder of its own until the model is in the store, see leftovers.py: a download goes on where
it stopped, even after a restart.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from idlepool.engine.errors import ModelDamaged, ModelError, NameRefused, NotAModel, StorageError, UnknownModel
from idlepool.engine.models.allowance import Take, unlimited
from idlepool.engine.models.files import Progress, replace_file, unseen, writing
from idlepool.engine.models.hub import Hub, HubFile, HubModel, HubPlace, came
from idlepool.engine.models.leftovers import download_folder
from idlepool.engine.models.licence import Announce, Licence, unheard
from idlepool.engine.models.manifest import NEEDED_FILES, SETTINGS_FILE, SMALL_FILES, WEIGHTS_FILE
from idlepool.engine.models.names import name_candidates
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel

NEEDED = (*NEEDED_FILES, WEIGHTS_FILE)
"""Without these no repository has a model that can be added."""

WANTED = {WEIGHTS_FILE, *SMALL_FILES} - {SETTINGS_FILE}


def add_from_hub(
    store: ModelStore,
    place: HubPlace,
    *,
    hub: Hub,
    name: str | None = None,
    progress: Progress = unseen,
    announce: Announce = unheard,
    take: Take = unlimited,
) -> StoredModel:
    """Fetch the model at `place` and give it a place in the store; the same commit is not fetched twice.

    `announce` hears its licence before that; `take` is asked for its bytes. Without a `name` it gets one that no other
    model has.

    Raises:
        FetchFailed, NotAModel, ModelCannotBeCut, NameRefused, StorageError
    """
    model = hub.look_up(place)
    name = name or _free_name(store, model)
    present = _present(store, name, model)
    if present is not None:
        return present
    files = wanted_files(model)
    announce(Licence(place.repository, model.licence))
    folder = download_folder(store.root, model.place.repository, model.place.revision)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    _check_room(folder, files)
    _fetch_all(hub, model.place, files, folder, progress, take)
    replace_file(folder / SETTINGS_FILE, _settings(model))
    return _publish(store, folder, name, model.licence, progress)


def _publish(store: ModelStore, folder: Path, name: str, licence: str, progress: Progress) -> StoredModel:
    """From where it was fetched: a check takes minutes, and whoever ends it need not fetch again."""
    try:
        published = store.publish(folder, name=name, licence=licence, progress=progress)
    except ModelError as error:
        if not isinstance(error, NameRefused):  # what came is no good, and would not be the next time
            shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)  # it is still there where another process added the same meanwhile
    return published


def _settings(model: HubModel) -> bytes:
    """Travels with the model, so that any PC knows where to get what no other PC has."""
    return msgspec.json.encode({"source": str(model.place)})


def _free_name(store: ModelStore, model: HubModel) -> str:
    """What it is called in its repository; with a number where another model is, found before anything is fetched."""
    others = {known.name.casefold() for known in store.list() if not _is_from(known, model)}
    names = name_candidates(model.place.repository.partition("/")[2])
    return next(name for name in names if name.casefold() not in others)


def _is_from(known: StoredModel, model: HubModel) -> bool:
    try:
        return known.read_file(SETTINGS_FILE) == _settings(model)
    except (KeyError, OSError):
        return False


def _present(store: ModelStore, name: str, model: HubModel) -> StoredModel | None:
    """The same commit under that name, if it is here and whole."""
    try:
        known = store.get(name)
    except (UnknownModel, ModelDamaged):
        return None
    return known if _is_from(known, model) else None


def wanted_files(model: HubModel) -> list[HubFile]:
    """The files to fetch, the large one last: what is missing is told before it comes. Raises NotAModel."""
    there = {file.name: file for file in model.files}
    missing = [name for name in NEEDED if name not in there]
    if missing:
        raise NotAModel(str(model.place), f"{', '.join(missing)} missing in the repository")
    return sorted((there[name] for name in WANTED & there.keys()), key=lambda file: file.size)


def _check_room(folder: Path, files: list[HubFile]) -> None:
    here = sum(file.stat().st_size for file in folder.iterdir())
    needed, free = sum(file.size for file in files) - here, shutil.disk_usage(folder).free
    if free < needed:
        raise StorageError(str(folder.parent), f"{needed / 1e6:,.0f} MB are needed and {free / 1e6:,.0f} MB are free")


def _fetch_all(hub: Hub, place: HubPlace, files: list[HubFile], folder: Path, progress: Progress, take: Take) -> None:
    here, total = {file.name: came(folder / file.name) for file in files}, sum(file.size for file in files)
    progress("fetching", sum(here.values()), total)
    for file in files:

        def look(count: int, name: str = file.name) -> None:
            here[name] = count
            progress("fetching", sum(here.values()), total)

        def look_at_it(count: int, file: HubFile = file) -> None:
            if file is files[-1]:  # the others are checked before anybody could read it
                progress("checking", count, file.size)

        if not (folder / file.name).exists():
            hub.fetch(place, file, folder / file.name, on_bytes=look, on_checked=look_at_it, take=take)
