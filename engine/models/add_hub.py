"""Adding a model from the Hugging Face Hub: its OpenVINO files, of one commit, into the store.

What is fetched lies in a folder of its own until it is whole, see leftovers.py, so that a download goes on where it
stopped, even after a restart.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from idlepool.engine.errors import ModelDamaged, NotAModel, StorageError, UnknownModel
from idlepool.engine.models.files import Progress, replace_file, unseen, writing
from idlepool.engine.models.hub import Hub, HubFile, HubModel, HubPlace
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
) -> StoredModel:
    """Fetch the model at `place` and give it a place in the store; the same commit is not fetched twice.

    `announce` hears its licence before that.

    Raises:
        FetchFailed, NotAModel, ModelCannotBeCut, NameRefused, StorageError
    """
    model = hub.look_up(place)
    name = name or next(name_candidates(place.repository.partition("/")[2]))
    present = _present(store, name, model)
    if present is not None:
        return present
    files = wanted_files(model)
    announce(Licence(place.repository, model.licence))
    folder = download_folder(store.root, model.place.repository, model.place.revision)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    _check_room(folder, files)
    _fetch_all(hub, model.place, files, folder, progress)
    replace_file(folder / SETTINGS_FILE, _settings(model))
    with store.staging() as staged:
        with writing(staged):
            for file in folder.iterdir():
                file.replace(staged / file.name)
            folder.rmdir()
        return store.publish(staged, name=name, licence=model.licence, progress=progress)


def _settings(model: HubModel) -> bytes:
    """Travels with the model, so that any PC knows where to get what no other PC has."""
    return msgspec.json.encode({"source": str(model.place)})


def _present(store: ModelStore, name: str, model: HubModel) -> StoredModel | None:
    """The same commit under that name, if it is here and whole."""
    try:
        known = store.get(name)
        return known if known.read_file(SETTINGS_FILE) == _settings(model) else None
    except (UnknownModel, ModelDamaged, KeyError):
        return None


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


def _fetch_all(hub: Hub, place: HubPlace, files: list[HubFile], folder: Path, progress: Progress) -> None:
    total, before = sum(file.size for file in files), 0
    for file in files:

        def look(here: int, before: int = before) -> None:
            progress("fetching", before + here, total)

        if not (folder / file.name).exists():
            hub.fetch(place, file, folder / file.name, on_bytes=look)
        before += file.size
        progress("fetching", before, total)
