"""`idlepool node`: this PC as a node of the pool, without a window; with `--control` it serves one over its pipe."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from idlepool.app.api.endpoints import Endpoints
from idlepool.app.api.server import LocalApi
from idlepool.app.line_pipe import LinePipe
from idlepool.app.node_callers import Callers
from idlepool.app.node_choices import NodeChoices, default_name, read_choices
from idlepool.app.node_session import NodeServices
from idlepool.app.own_pool import data_folder, interfaces_for
from idlepool.app.preference_service import PreferenceService
from idlepool.app.signals import end_on_signal
from idlepool.engine.errors import IdlepoolError, StorageError
from idlepool.engine.events import (
    Event,
    LendingChanged,
    LendingRules,
    ModelInfo,
    ModelsChanged,
    NodeReady,
    PipelineChanged,
    PoolChanged,
    Trouble,
)
from idlepool.engine.lending_rules import LendingMode
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.addresses import DEFAULT_PORT, parse_address
from idlepool.engine.net.key_store import FileKeyStore, SystemKeyStore
from idlepool.engine.net.sockets import everywhere
from idlepool.engine.pool.chat_service import ChatService
from idlepool.engine.pool.folder_lock import folder_lock
from idlepool.engine.pool.lending_file import take_lending
from idlepool.engine.pool.local_control import LocalControl
from idlepool.engine.pool.membership import load_membership
from idlepool.engine.pool.model_adder import ModelAdder
from idlepool.engine.pool.model_service import ModelService, ModelServices
from idlepool.engine.pool.model_use import ModelUse
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.pairing_service import PairingService, PairingSettings
from idlepool.engine.pool.plan_choice import PlanChoice
from idlepool.engine.pool.plan_telling import lent_by
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import Address, Span

Lock = Callable[[Path], AbstractContextManager[None]]


def run(arguments: argparse.Namespace, *, lock: Lock = folder_lock) -> int:
    """Run until a signal, or with `--control` until standard input ends. `lock` holds the data folder meanwhile."""
    return run_node(arguments, settings_of, lock=lock)


def run_node(
    arguments: argparse.Namespace, settings: Callable[[argparse.Namespace], NodeSettings], *, lock: Lock = folder_lock
) -> int:
    """The same with settings of one's own."""
    asyncio.run(_Program(arguments, settings, lock).run())
    return 0


def settings_of(arguments: argparse.Namespace) -> NodeSettings:
    """The settings that the command line asks for."""
    root = data_folder(arguments)
    lending, lending_problem = _lending(root, arguments.lend)
    return NodeSettings(
        name=arguments.name or default_name(),
        root=root,
        library=arguments.library.absolute() if arguments.library else None,
        host=arguments.listen or everywhere(),
        port=DEFAULT_PORT if arguments.port is None else arguments.port,
        any_port=arguments.port is None,
        via=parse_address(arguments.via) if arguments.via else None,
        device=arguments.device,
        forbidden=tuple(arguments.forbid),
        cache=arguments.cache.absolute() if arguments.cache else None,
        threads=arguments.threads,
        speculation=arguments.speculation,
        micro_batches=arguments.microbatches,
        model_bytes_per_s=(arguments.model_rate or 0) * 1_000_000,
        stages=arguments.stages,
        choice=_choice(*arguments.plan),
        lending=lending,
        lending_problem=lending_problem,
        peers=tuple(map(parse_address, arguments.peer)),
        fallback_peers=tuple(map(parse_address, arguments.fallback_peer)),
        interfaces=interfaces_for(arguments.listen),
    )


def _lending(root: Path, lend: str | None) -> tuple[LendingRules | None, str]:
    """The owner's rules with what the command line says instead, or None: always; and what is wrong with them."""
    if lend == "always":
        return None, ""
    modes: dict[str | None, LendingMode] = {"when-idle": "when_idle", "never": "never"}
    kept, problem = take_lending(root)
    return msgspec.structs.replace(kept.rules, mode=modes.get(lend, kept.rules.mode)), problem


def _choice(names: tuple[str, ...], spans: tuple[tuple[int, int], ...]) -> PlanChoice:
    return PlanChoice(names, tuple(Span(first, last) for first, last in spans))


class _Program:
    """The node with those who speak to it: a window over the pipe, commands by local control, or nobody but the log."""

    def __init__(
        self, arguments: argparse.Namespace, settings: Callable[[argparse.Namespace], NodeSettings], lock: Lock
    ) -> None:
        self._arguments = arguments
        self._lock = lock
        self._settings_of = settings
        self._pipe: LinePipe | None = None
        self._told = ""
        self._reading = asyncio.Lock()
        self._tasks = TaskKeeper()
        self._callers = Callers()

    async def run(self) -> None:
        stop = asyncio.Event()
        end_on_signal(stop)
        if self._arguments.control:
            self._pipe = LinePipe(lambda line: window.take(line), stop.set)
            window = self._callers.open(self._pipe.send)
        try:
            settings = self._settings_of(self._arguments)
            with self._lock(settings.root):
                choices = read_choices(settings.root, self._arguments)
                control = LocalControl(settings.root, self._callers.open)
                try:
                    await self._open_door(control)
                    await self._serve(choices.applied_to(settings), choices, stop)
                finally:
                    await control.close()
        except IdlepoolError as error:
            if self._pipe is not None:  # a window shows it; a terminal is told by whoever catches the error
                self._callers.tell(Trouble(error.sentence, error.hint))
            raise
        finally:
            if self._pipe is not None:
                self._pipe.close()

    async def _open_door(self, control: LocalControl) -> None:
        """Without one it can be spoken to over the pipe alone, and runs: the disk may have room again tomorrow."""
        try:
            await control.start()
        except StorageError as error:
            self._callers.tell(Trouble(f"{error.sentence} Commands in a terminal do not reach Idlepool.", error.hint))

    async def _serve(self, settings: NodeSettings, choices: NodeChoices, stop: asyncio.Event) -> None:
        keys = FileKeyStore(settings.root) if self._arguments.key_file else SystemKeyStore(settings.root)
        membership = await asyncio.to_thread(load_membership, settings.root, settings.name, keys)
        self._node = node = Node(settings, membership, emit=self._emit)
        adder = ModelAdder(settings.root, self._emit, on_added=self._reread_models, cap=node.models.fetch_cap)
        preferences = PreferenceService(node, choices, LocalApi(Endpoints(node, self._new_chat)), self._emit)
        models = self._model_services(settings, adder)
        services = NodeServices(
            node, self._new_chat, self._new_pairing, lambda emit: ModelService(models, emit), preferences
        )
        try:
            await node.start()
            here = await asyncio.to_thread(self._models)
            self._emit(NodeReady(node.id, membership.own_name, settings.host, node.port, here))
            if keys.notice and not self._arguments.key_file:  # nobody has to be told what he asked for
                self._emit(Trouble(keys.notice, once=True))
            adder.start()
            self._callers.begin(services)
            await preferences.start()
            if self._arguments.open:
                self._tasks.start(self._warm_up())
            await stop.wait()
        finally:
            await self._tasks.close()
            await preferences.close()
            await adder.close()
            await self._callers.close()
            await node.close()

    def _model_services(self, settings: NodeSettings, adder: ModelAdder) -> ModelServices:
        node = self._node
        use = ModelUse(node.pipelines, node.lender.hosting, node.tokenizers, name_of=node.membership.name_of)
        return ModelServices(
            ModelStore(settings.root),
            node.models,
            adder,
            use,
            self._reread_models,
            lambda: lent_by(node.heading.plans.usable(node.present())),
        )

    def _new_chat(self, emit: Callable[[Event], None]) -> ChatService:
        node = self._node
        return ChatService(
            node.models,
            node.pipelines,
            emit,
            stages=node.settings.stages,
            tokenizers=node.tokenizers,
            joined=node.joined,
        )

    def _new_pairing(self, emit: Callable[[Event], None]) -> PairingService:
        node, settings = self._node, self._node.settings
        how = PairingSettings(
            settings.name, settings.host, interfaces=settings.interfaces, node_port=node.links.reached_at.port
        )
        return PairingService(node.membership, how, emit, on_paired=node.paired)

    async def _warm_up(self) -> None:
        try:
            await self._new_chat(self._emit).warm_up(self._arguments.open)
        except IdlepoolError as error:
            self._emit(Trouble(error.sentence, error.hint))

    def _models(self) -> tuple[ModelInfo, ...]:
        return tuple(
            ModelInfo(model.name, model.manifest.layers, model.manifest.context, model.bytes_in_all)
            for model in self._node.models.complete()
        )

    def _reread_models(self) -> None:
        self._tasks.start(self._tell_models())

    async def _tell_models(self) -> None:
        async with self._reading:  # what was read last is told last
            self._emit(ModelsChanged(await asyncio.to_thread(self._models)))
        await self._node.models.look()  # the other PCs are told of them

    def _emit(self, event: Event) -> None:
        self._callers.tell(event)
        if self._pipe is None and (line := _line(event)) and line != self._told:
            self._told = line
            sys.stderr.write(line + "\n")


def _line(event: Event) -> str:
    """An event for somebody who looks at a terminal; "" for what is of no interest there."""
    match event:
        case NodeReady():
            return f"{event.name} listens on {Address(event.host, event.port)}. Ctrl+C ends it."
        case PoolChanged():
            return "Here: " + ", ".join(peer.name for peer in event.peers if peer.present)
        case PipelineChanged():
            return f"{event.model}: {event.state} {event.detail}".rstrip()
        case LendingChanged(sentence=sentence):
            return sentence
        case Trouble():
            return f"{event.sentence} {event.hint}".rstrip()
    return ""
