"""What one client of the node asks for about models: facts, checks, repairs, removal, and what the Hub has."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from idlepool.engine.commands import AddModel, CleanModels, ModelCommand, RereadModels
from idlepool.engine.errors import IdlepoolError, ModelError
from idlepool.engine.events import Event, Trouble
from idlepool.engine.local_events import ModelsCleaned
from idlepool.engine.model_events import (
    CancelAdding,
    HubFound,
    HubOffer,
    MendModel,
    ModelChecked,
    ModelChecking,
    ModelMended,
    ModelRefused,
    ModelRemoved,
    PauseAdding,
    RemoveModel,
    RenameModel,
    ResumeAdding,
    SearchHub,
    StopVerifying,
    VerifyModel,
    WantModels,
)
from idlepool.engine.models.damage import Damage
from idlepool.engine.models.mend import MendedModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.pool.model_adder import ModelAdder
from idlepool.engine.pool.model_checking import look_for_damage
from idlepool.engine.pool.model_facts import catalogue, details
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.pool.model_use import ModelUse
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId


@dataclass(frozen=True, slots=True)
class ModelServices:
    """What all clients share."""

    store: ModelStore
    folders: ModelFolders
    adder: ModelAdder
    use: ModelUse
    changed: Callable[[], None]
    """Tells everybody which models are here now."""
    lent: Callable[[], int]
    """Bytes of memory that plans may use at the moment."""


class ModelService:
    """For one client, from its first command to `close`; `emit` tells it alone."""

    def __init__(self, services: ModelServices, emit: Callable[[Event], None]) -> None:
        self._services = services
        self._emit = emit
        self._found: dict[ModelId, Damage] = {}
        """Of the last checks."""
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._tasks = TaskKeeper()

    def obey(self, command: ModelCommand) -> None:
        """Do what it asks for."""
        match command:
            case AddModel() | PauseAdding() | ResumeAdding() | CancelAdding():
                self._obey_about_adding(command)
            case RereadModels():
                self._services.changed()
            case CleanModels():
                self._tasks.start(self._clean())
            case WantModels():
                self._tasks.start(self._tell())
            case SearchHub(words=words):
                self._tasks.start(self._search(words))
            case _:
                self._obey_about_one(command)

    async def close(self) -> None:
        """End all that it asked for; what is being added goes on."""
        await self._tasks.close()

    def _obey_about_adding(self, command: AddModel | PauseAdding | ResumeAdding | CancelAdding) -> None:
        match command:
            case AddModel(source=source) | ResumeAdding(source=source):
                self._services.adder.add(source)
            case PauseAdding(source=source):
                self._services.adder.pause(source)
            case CancelAdding(source=source):
                self._services.adder.cancel(source)

    def _obey_about_one(self, command: VerifyModel | StopVerifying | MendModel | RemoveModel | RenameModel) -> None:
        match command:
            case StopVerifying(name=name):
                self._stop_check(name)
            case VerifyModel(name=name):
                self._stop_check(name)
                self._checks[name] = self._tasks.start(self._refusing(name, lambda: self._verify(name)))
            case _:
                self._tasks.start(self._refusing(command.name, lambda: self._change(command)))

    def _stop_check(self, name: str) -> None:
        if name in self._checks:
            self._checks.pop(name).cancel()

    async def _refusing(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except IdlepoolError as error:
            self._emit(ModelRefused(name, error.sentence, error.hint))

    async def _clean(self) -> None:
        try:
            self._emit(ModelsCleaned(*await self._services.folders.clean()))
        except IdlepoolError as error:
            self._emit(Trouble(error.sentence, error.hint))

    async def _tell(self) -> None:
        services = self._services
        self._emit(await asyncio.to_thread(catalogue))
        told = await asyncio.to_thread(details, services.store, services.folders, in_use=services.use.models)
        self._emit(msgspec.structs.replace(told, lent_bytes=services.lent()))

    async def _search(self, words: str) -> None:
        try:
            self._emit(HubFound(words, await asyncio.to_thread(_on_hub, words)))
        except IdlepoolError as error:
            self._emit(HubFound(words, (), error.sentence, error.hint))

    async def _verify(self, name: str) -> None:
        model = await asyncio.to_thread(self._named, name)
        damage = await self._look_for_damage(model)
        ranges = tuple((part.offset, part.end) for part in damage.ranges_in(model.manifest))
        self._emit(ModelChecked(name, damage.files, ranges, damage.bytes_in(model.manifest)))

    async def _look_for_damage(self, model: StoredModel) -> Damage:
        def show(done: int, total: int) -> None:
            self._emit(ModelChecking(model.name, done, total))

        damage = self._found[model.model] = await look_for_damage(model, show)
        return damage

    async def _change(self, command: MendModel | RemoveModel | RenameModel) -> None:
        name, services = command.name, self._services
        self._stop_check(name)
        model = await asyncio.to_thread(_readable, services.store, name)
        if model is not None:
            await services.use.end(model)
        match command:
            case RenameModel(new_name=new_name):
                await asyncio.to_thread(services.store.rename, name, new_name)
            case RemoveModel():
                await asyncio.to_thread(services.store.remove, name)
                self._emit(ModelRemoved(name, model.bytes_in_all if model is not None and self._owns(model) else 0))
            case MendModel():
                await self._mend(name, model)
        services.changed()

    async def _mend(self, name: str, model: StoredModel | None) -> None:
        if model is None or not self._owns(model):
            raise ModelError(
                f"The files of “{name}” are not Idlepool's own, and it does not write there.",
                "Put the right files there, or remove the model here and add it again.",
            )
        damage = self._found.get(model.model) or await self._look_for_damage(model)
        mended = MendedModel(model, damage)
        try:
            await self._services.folders.mend(mended, lambda done, total: self._emit(ModelChecking(name, done, total)))
        finally:
            self._found[model.model] = mended.left
        self._emit(ModelMended(name, damage.bytes_in(model.manifest)))

    def _named(self, name: str) -> StoredModel:
        """One of this PC's own, complete or not, or of a library. Raises UnknownModel, ModelDamaged."""
        return _readable(self._services.store, name) or self._services.folders.named(name)

    def _owns(self, model: StoredModel) -> bool:
        return model.folder.is_relative_to(self._services.store.root)


def _readable(store: ModelStore, name: str) -> StoredModel | None:
    """None also where its manifest cannot be read: then only its folder is left to be removed."""
    return next((model for model in store.list() if model.name.casefold() == name.casefold()), None)


def _on_hub(words: str) -> tuple[HubOffer, ...]:
    from idlepool.engine.models.hub import Hub  # brings huggingface_hub, which only this needs
    from idlepool.engine.models.hub_search import find_on_hub

    return find_on_hub(words, Hub())
