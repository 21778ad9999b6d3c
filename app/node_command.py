"""`idlepool node`: this PC as a node of the pool, without a window; with `--control` it serves one over its pipe."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

import msgspec

from idlepool.app.line_pipe import LinePipe
from idlepool.app.own_pool import interfaces_for
from idlepool.app.signals import end_on_signal
from idlepool.engine.commands import EnterCode, LeavePool, OpenPairing, RemoveMember, StopPairing
from idlepool.engine.errors import IdlepoolError
from idlepool.engine.events import (
    AddModel,
    Ask,
    Command,
    Event,
    ModelInfo,
    ModelsChanged,
    NodeReady,
    PipelineChanged,
    PoolChanged,
    Stop,
    Trouble,
    WantStats,
    decode_command,
    encode_line,
)
from idlepool.engine.models.store import default_root
from idlepool.engine.net.addresses import DEFAULT_PORT, parse_address
from idlepool.engine.net.key_store import FileKeyStore, SystemKeyStore
from idlepool.engine.net.sockets import everywhere
from idlepool.engine.pool.chat_service import ChatService
from idlepool.engine.pool.folder_lock import folder_lock
from idlepool.engine.pool.membership import load_membership
from idlepool.engine.pool.model_adder import ModelAdder
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.pairing_service import PairingService, PairingSettings
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import Address

log = logging.getLogger("idlepool.node")


def run(arguments: argparse.Namespace) -> int:
    """Run until a signal, or with `--control` until standard input ends."""
    asyncio.run(_Program(arguments).run())
    return 0


def _settings(arguments: argparse.Namespace) -> NodeSettings:
    return NodeSettings(
        name=arguments.name,
        root=(arguments.home or default_root()).absolute(),
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
        model_bytes_per_s=arguments.model_rate * 1_000_000,
        stages=arguments.stages,
        peers=tuple(map(parse_address, arguments.peer)),
        fallback_peers=tuple(map(parse_address, arguments.fallback_peer)),
        interfaces=interfaces_for(arguments.listen),
    )


class _Program:
    """The node with what talks to it: a window over the pipe, or nobody but the log."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._pipe: LinePipe | None = None
        self._told = ""
        self._tasks = TaskKeeper()
        self._early: list[Command] | None = []
        """Commands that came before the node was ready; None: it is."""
        self._pairing: PairingService | None = None

    async def run(self) -> None:
        stop = asyncio.Event()
        end_on_signal(stop)
        if self._arguments.control:
            self._pipe = LinePipe(self._on_line, stop.set)
        try:
            settings = _settings(self._arguments)
            with folder_lock(settings.root):
                await self._serve(settings, stop)
        except IdlepoolError as error:
            if self._pipe is not None:  # a window shows it; a terminal is told by whoever catches the error
                self._pipe.send(encode_line(Trouble(error.sentence, error.hint)))
            raise
        finally:
            if self._pipe is not None:
                self._pipe.close()

    async def _serve(self, settings: NodeSettings, stop: asyncio.Event) -> None:
        keys = FileKeyStore(settings.root) if self._arguments.key_file else SystemKeyStore(settings.root)
        membership = await asyncio.to_thread(load_membership, settings.root, settings.name, keys)
        self._node = node = Node(settings, membership, emit=self._emit)
        self._chat = chat = ChatService(
            node.models,
            node.pipelines,
            self._emit,
            stages=settings.stages,
            tokenizers=node.tokenizers,
            joined=node.joined,
        )
        self._adder = adder = ModelAdder(settings.root, self._emit, on_added=self._tell_models)
        try:
            await node.start()
            host, port = settings.host, node.port
            self._emit(NodeReady(node.id, membership.own_name, host, port, await asyncio.to_thread(self._models)))
            if keys.notice and not self._arguments.key_file:  # nobody has to be told what he asked for
                self._emit(Trouble(keys.notice, once=True))
            self._pairing = self._make_pairing(node)
            self._obey_early_commands()
            if self._arguments.open:
                self._tasks.start(self._warm_up(chat))
            await stop.wait()
        finally:
            await self._tasks.close()
            if self._pairing is not None:
                await self._pairing.stop()
            await adder.close()
            await chat.close()
            await node.close()

    def _make_pairing(self, node: Node) -> PairingService:
        settings = node.settings
        pairing = PairingService(
            node.membership,
            PairingSettings(
                settings.name, settings.host, interfaces=settings.interfaces, node_port=node.links.reached_at.port
            ),
            self._emit,
            on_paired=node.paired,
        )
        pairing.tell_members()
        return pairing

    async def _warm_up(self, chat: ChatService) -> None:
        try:
            await chat.warm_up(self._arguments.open)
        except IdlepoolError as error:
            self._emit(Trouble(error.sentence, error.hint))

    def _on_line(self, line: bytes) -> None:
        try:
            command = decode_command(line)
        except msgspec.DecodeError as error:
            log.warning("a command could not be read: %s", error)
            return
        if self._early is None:
            self._obey(command)
        else:
            self._early.append(command)

    def _obey_early_commands(self) -> None:
        early, self._early = self._early or (), None
        for command in early:
            self._obey(command)

    def _obey(self, command: Command) -> None:
        match command:
            case Ask():
                self._chat.ask(command)
            case Stop(request=request):
                self._chat.stop(request)
            case AddModel(source=source):
                self._adder.add(source)
            case WantStats(model=model):
                for stats in self._node.pipelines.stats(model):
                    self._emit(stats)
            case OpenPairing() | EnterCode() | StopPairing() | RemoveMember() | LeavePool() if self._pairing:
                self._pairing.obey(command)

    def _models(self) -> tuple[ModelInfo, ...]:
        return tuple(
            ModelInfo(model.name, model.manifest.layers, model.manifest.context, model.bytes_in_all)
            for model in self._node.models.complete()
        )

    def _tell_models(self) -> None:
        self._emit(ModelsChanged(self._models()))

    def _emit(self, event: Event) -> None:
        if self._pipe is not None:
            self._pipe.send(encode_line(event))
        elif (line := _line(event)) and line != self._told:
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
        case Trouble():
            return f"{event.sentence} {event.hint}".rstrip()
    return ""
