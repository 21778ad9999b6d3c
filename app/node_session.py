"""What one client of the node (a window, or a command in a terminal) asks for: its questions, its pairing, its figures.

Each has a chat service and a pairing service of its own, so that its request numbers are its own, what comes of its
commands comes to it alone, and all of it ends when it goes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from idlepool.engine.commands import (
    AddModel,
    Ask,
    CleanModels,
    Command,
    EnterCode,
    LeavePool,
    LookAround,
    OpenPairing,
    RemoveMember,
    RereadModels,
    Stop,
    StopPairing,
    WantPlanningFacts,
    WantStats,
)
from idlepool.engine.errors import IdlepoolError, LinkError
from idlepool.engine.events import Event, PoolChanged, Trouble
from idlepool.engine.lending_events import SetLending, Snooze, StopLending
from idlepool.engine.local_events import LinkSpeed, LookedAround, ModelsCleaned, PlanningFacts
from idlepool.engine.net.addresses import parse_address
from idlepool.engine.pool.chat_service import ChatService
from idlepool.engine.pool.model_adder import ModelAdder
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.pairing_service import PairingService
from idlepool.engine.pool.tasks import TaskKeeper

Emit = Callable[[Event], None]

LONGEST_LOOK_S = 60.0


@dataclass(frozen=True, slots=True)
class NodeServices:
    """What the clients of a node share, and how each gets what is its own."""

    node: Node
    adder: ModelAdder
    new_chat: Callable[[Emit], ChatService]
    new_pairing: Callable[[Emit], PairingService]
    reread_models: Callable[[], None]


class NodeSession:
    """One client, from when the node is ready; `emit` tells it alone."""

    def __init__(self, services: NodeServices, emit: Emit) -> None:
        self._services = services
        self._emit = emit
        self._chat = services.new_chat(emit)
        self._pairing = services.new_pairing(emit)
        self._pairing.tell_members()
        self._tasks = TaskKeeper()

    def obey(self, command: Command) -> None:
        """Do what it asks for."""
        match command:
            case Ask():
                self._chat.ask(command)
            case Stop(request=request):
                self._chat.stop(request)
            case AddModel() | RereadModels() | CleanModels():
                self._obey_about_models(command)
            case WantStats(model=model):
                for stats in self._services.node.pipelines.stats(model):
                    self._emit(stats)
            case LookAround():
                self._tasks.start(self._look_around(command))
            case WantPlanningFacts():
                self._emit(PlanningFacts(msgspec.Raw(msgspec.json.encode(self._services.node.present()))))
            case SetLending() | Snooze() | StopLending():
                self._services.node.lender.obey(command)
            case OpenPairing() | EnterCode() | StopPairing() | RemoveMember() | LeavePool():
                self._pairing.obey(command)

    async def close(self) -> None:
        """End everything that it asked for."""
        await self._tasks.close()
        await asyncio.gather(self._chat.close(), self._pairing.stop())

    def _obey_about_models(self, command: AddModel | RereadModels | CleanModels) -> None:
        match command:
            case AddModel(source=source):
                self._services.adder.add(source)
            case RereadModels():
                self._services.reread_models()
            case CleanModels():
                self._tasks.start(self._clean_models())

    async def _clean_models(self) -> None:
        try:
            self._emit(ModelsCleaned(*await self._services.node.models.clean()))
        except IdlepoolError as error:
            self._emit(Trouble(error.sentence, error.hint))

    async def _look_around(self, command: LookAround) -> None:
        neighbourhood = self._services.node.neighbourhood
        try:
            for address in command.addresses:
                neighbourhood.type_in(parse_address(address))
        except IdlepoolError as error:
            self._emit(Trouble(error.sentence, error.hint))
        await neighbourhood.look(min(command.seconds, LONGEST_LOOK_S))
        self._emit(PoolChanged(neighbourhood.infos()))
        self._emit(await self._measured() if command.measure else LookedAround())

    async def _measured(self) -> LookedAround:
        """One link after another: they may share a cable."""
        node = self._services.node
        links, problems = [], []
        for peer in list(node.neighbourhood.peers.present.values()):
            try:
                found = await node.links.measure(peer.link.peer)
            except LinkError as error:
                problems.append(str(error))
            else:
                speeds = found.round_trip_ms, found.receives_bytes_s, found.sends_bytes_s
                links.append(LinkSpeed(peer.link.peer.node, *speeds))
        return LookedAround(tuple(links), tuple(problems))
