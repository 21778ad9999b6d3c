"""The models of this PC on disk: complete ones by name, and those of which only some layers are here.

root/models/<name>/manifest.json, entry.json, and the files unless entry.json names the user's folder they are in
root/shards/<model id>/   see partial.py
"""

from __future__ import annotations

import logging
import re
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from idlepool.engine.errors import MessageError, ModelDamaged, NameRefused, UnknownModel
from idlepool.engine.folders import HOME_VARIABLE, cache_folder, default_root
from idlepool.engine.models.files import Progress, replace_file, unseen, writing
from idlepool.engine.models.manifest import Manifest, decode_manifest
from idlepool.engine.models.names import check_name, name_candidates
from idlepool.engine.models.partial import MANIFEST_FILE, PartialModel
from idlepool.engine.models.staging import discard, rename_folder, staging_folder, sweep
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.types import ModelId

__all__ = ["HOME_VARIABLE", "ModelStore", "cache_folder", "default_root"]

_ENTRY_FILE = "entry.json"
_MODEL_ID = re.compile(r"[0-9a-f]{64}")

_log = logging.getLogger("idlepool.models")


class _Entry(msgspec.Struct, frozen=True):
    """How a model came here. `location`: the user's folder with its files; None: they are in the store."""

    location: str | None = None
    licence: str = ""


class ModelStore:
    """The models below `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._models = root / "models"
        self._shards = root / "shards"

    def names(self) -> tuple[str, ...]:
        """Names of all models added here, readable or not."""
        if not self._models.is_dir():
            return ()
        names = (folder.name for folder in self._models.iterdir() if folder.is_dir())
        return tuple(sorted(name for name in names if not name.startswith(".")))

    def list(self) -> tuple[StoredModel, ...]:
        """All models added here, by name. One that lost files is listed with `complete` False."""
        return tuple(model for name in self.names() if (model := self._readable(name)) is not None)

    def get(self, name: str) -> StoredModel:
        """The model called `name`; upper and lower case are the same.

        Raises:
            UnknownModel: there is none.
            ModelDamaged: a file of it is gone or has another size than it had.
        """
        model = self._look_up(name)
        model.check_sizes()
        return model

    def find(self, model: ModelId) -> StoredModel | None:
        """A complete model by its id."""
        return next((stored for stored in self.list() if stored.model == model and stored.complete), None)

    def verify(self, name: str, *, progress: Progress = unseen) -> None:
        """Hash the whole model again. Raises ModelDamaged and UnknownModel."""
        self._look_up(name).verify(progress=progress)

    def remove(self, name: str) -> None:
        """Forget a model of this store; its files go too if they are in the store, never a folder of the user's.

        Raises:
            UnknownModel: there is none of that name in this store.
            StorageError: it is in use, or the disk is read-only; it is still there.
        """
        stored = self._stored_name(name)
        if stored is None:
            raise UnknownModel(name, self.names())
        folder = self._models / stored
        known = self._readable(stored)
        with writing(folder):
            discard(folder)
            if known is not None and (self._shards / known.model).is_dir():
                discard(self._shards / known.model)  # what was held of it for a pool

    def rename(self, name: str, new_name: str) -> None:
        """Call a model of this store something else.

        Raises:
            UnknownModel: there is none of that name in this store.
            NameRefused: it cannot be called that.
            StorageError: it is in use, or the disk is read-only; it has its old name.
        """
        check_name(new_name)
        stored, taken = self._stored_name(name), self._stored_name(new_name)
        if stored is None:
            raise UnknownModel(name, self.names())
        if taken not in (None, stored):
            raise NameRefused(new_name, "another model has that name")
        with writing(self._models / stored):
            rename_folder(self._models / stored, self._models / new_name)

    def add_folder(self, folder: Path, *, name: str | None = None, progress: Progress = unseen) -> StoredModel:
        """Add the model in a folder of the user's, which stays where it is.

        Raises:
            NotAModel, ModelCannotBeCut, ModelDamaged, StorageError, NameRefused: nothing was added.
        """
        folder = folder.expanduser().absolute()
        manifest = _build_manifest(folder, progress)
        with self.staging() as staged:
            return self._publish(staged, manifest, name, _Entry(location=str(folder)))

    def staging(self) -> AbstractContextManager[Path]:
        """A folder to make a model in; it disappears at the end of the block unless it was published."""
        return staging_folder(self._models)

    def publish(self, staged: Path, *, name: str, licence: str = "", progress: Progress = unseen) -> StoredModel:
        """Give the model in `staged`, a folder below `root` that becomes its own, its place under `name`.

        A damaged model of that name is replaced by the same model made anew.

        Raises:
            NotAModel, ModelCannotBeCut, ModelDamaged, StorageError, NameRefused: nothing was added.
        """
        return self._publish(staged, _build_manifest(staged, progress), name, _Entry(licence=licence))

    def partial(self, manifest: Manifest) -> PartialModel:
        """What is here of a model of which not all layers are needed here. Raises StorageError."""
        return PartialModel(self._shards / manifest.model, manifest)

    def fetched(self) -> tuple[ModelId, ...]:
        """The models of which something was fetched, readable or not."""
        if not self._shards.is_dir():
            return ()
        return tuple(
            sorted(ModelId(folder.name) for folder in self._shards.iterdir() if _MODEL_ID.fullmatch(folder.name))
        )

    def forget(self, model: ModelId) -> None:
        """Remove what was fetched of a model. Raises StorageError: it is in use, or the disk is read-only."""
        with writing(self._shards):
            sweep(self._shards)
            discard(self._shards / model)

    def known_partial(self, model: ModelId) -> PartialModel | None:
        """What an earlier run left here of a model; None where nothing is, or nothing that can be read."""
        path = self._shards / model / MANIFEST_FILE
        try:
            manifest = decode_manifest(path.read_bytes()) if _MODEL_ID.fullmatch(model) else None
        except (OSError, MessageError):
            return None
        return self.partial(manifest) if manifest is not None and manifest.model == model else None

    def _publish(self, staged: Path, manifest: Manifest, name: str | None, entry: _Entry) -> StoredModel:
        target = self._models / self._free_name(name, manifest.model, entry.location)
        present = self._readable(target.name) if target.exists() else None
        if present is not None and present.complete:  # made by another process meanwhile, or added twice
            return present
        replace_file(staged / MANIFEST_FILE, manifest.encode())
        replace_file(staged / _ENTRY_FILE, msgspec.json.encode(entry))
        with writing(target):
            self._models.mkdir(parents=True, exist_ok=True)
            if target.exists():
                discard(target)
            rename_folder(staged, target)
        return self.get(target.name)

    def _free_name(self, wanted: str | None, model: ModelId, location: str | None) -> str:
        if wanted is not None:
            check_name(wanted)
        for name in (wanted,) if wanted is not None else name_candidates(Path(location).name if location else ""):
            stored = self._stored_name(name)
            if stored is None:
                return name
            known = self._readable(stored)
            if known is None or known.model == model:
                return stored
        raise NameRefused(wanted or "", "another model has that name")

    def _stored_name(self, name: str) -> str | None:
        return next((stored for stored in self.names() if stored.casefold() == name.casefold()), None)

    def _look_up(self, name: str) -> StoredModel:
        stored = self._stored_name(name)
        if stored is not None:
            return self._read(stored)
        raise UnknownModel(name, self.names())

    def _readable(self, name: str) -> StoredModel | None:
        try:
            return self._read(name)
        except ModelDamaged as error:
            _log.warning("model %s is left out: %s", name, error.sentence)
            return None

    def _read(self, name: str) -> StoredModel:
        folder = self._models / name
        try:
            manifest = decode_manifest((folder / MANIFEST_FILE).read_bytes())
            entry = msgspec.json.decode((folder / _ENTRY_FILE).read_bytes(), type=_Entry)
        except (OSError, MessageError, msgspec.DecodeError) as error:
            raise ModelDamaged(str(folder), f"its manifest cannot be read ({error})") from error
        files = Path(entry.location) if entry.location else folder
        return StoredModel(name, manifest, manifest.model, files, licence=entry.licence)


def _build_manifest(folder: Path, progress: Progress) -> Manifest:
    from idlepool.engine.models.manifest_builder import build_manifest  # brings openvino, which only adding needs

    return build_manifest(folder, progress=progress)
