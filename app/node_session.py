"""What one client of the node (a window, or a command in a terminal) asks for: its questions, its pairing, its figures.

Each has a chat service and a pairing service of its own, so that its request numbers are its own, what comes of its
commands comes to it alone, and all of it ends when it goes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from idlepool.app.machine_facts import machine_facts
from idlepool.app.plan_session import PlanSession
from idlepool.app.preference_service import PreferenceService
from idlepool.engine.commands import (
    AreYouThere,
    Ask,
    Command,
    EnterCode,
    LeavePool,
    LookAround,
    OpenPairing,
    RemoveMember,
    Stop,
    StopPairing,
    WantPlanningFacts,
    WantStats,
)
from idlepool.engine.errors import IdlepoolError, LinkError
from idlepool.engine.events import Event, PoolChanged, Trouble
from idlepool.engine.figures_events import WantFigures
from idlepool.engine.lending_events import SetLending, Snooze, StopLending
from idlepool.engine.local_events import Here, LinkSpeed, LookedAround, PlanningFacts
from idlepool.engine.machine_events import WantMachineFacts
from idlepool.engine.net.addresses import parse_address
from idlepool.engine.node_preferences import RenewApiKey, SetNodePreferences
from idlepool.engine.plan_events import ChoosePlan, ExcludePcs, TryPlan, WantPlan
from idlepool.engine.pool.chat_service import ChatService
from idlepool.engine.pool.model_service import ModelService
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.pairing_service import PairingService
from idlepool.engine.pool.tasks import TaskKeeper

Emit = Callable[[Event], None]

LONGEST_LOOK_S = 60.0


@dataclass(frozen=True, slots=True)
class NodeServices:
    """What the clients of a node share, and how each gets what is its own."""

    node: Node
    new_chat: Callable[[Emit], ChatService]
    new_pairing: Callable[[Emit], PairingService]
    new_models: Callable[[Emit], ModelService]
    preferences: PreferenceService


class NodeSession:
    """One client, from when the node is ready; `emit` tells it alone."""

    def __init__(self, services: NodeServices, emit: Emit) -> None:
        self._services = services
        self._emit = emit
        self._chat = services.new_chat(emit)
        self._pairing = services.new_pairing(emit)
        self._pairing.tell_members()
        self._models = services.new_models(emit)
        self._plans = PlanSession(services.node, emit)
        self._tasks = TaskKeeper()

    def obey(self, command: Command) -> None:
        """Do what it asks for."""
        match command:
            case Ask():
                self._chat.ask(command)
            case Stop(request=request):
                self._chat.stop(request)
            case AreYouThere():
                self._emit(Here())
            case LookAround() | WantPlanningFacts() | WantMachineFacts():
                self._tell_about_pcs(command)
            case SetLending() | Snooze() | StopLending():
                self._services.node.lender.obey(command)
            case OpenPairing() | EnterCode() | StopPairing() | RemoveMember() | LeavePool():
                self._pairing.obey(command)
            case WantStats() | WantFigures() | WantPlan() | TryPlan() | ChoosePlan() | ExcludePcs():
                self._plans.obey(command)
            case SetNodePreferences() | RenewApiKey():
                self._services.preferences.obey(command)
            case _:
                self._models.obey(command)

    async def close(self) -> None:
        """End everything that it asked for."""
        await self._tasks.close()
        await asyncio.gather(self._chat.close(), self._pairing.stop(), self._models.close(), self._plans.close())

    def _tell_about_pcs(self, command: LookAround | WantPlanningFacts | WantMachineFacts) -> None:
        match command:
            case LookAround():
                self._tasks.start(self._look_around(command))
            case WantPlanningFacts():
                self._emit(PlanningFacts(msgspec.Raw(msgspec.json.encode(self._services.node.present()))))
            case WantMachineFacts():
                self._tasks.start(self._tell_machine())

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

    async def _tell_machine(self) -> None:
        node = self._services.node
        self._emit(await asyncio.to_thread(machine_facts, node.settings.root, node.devices))

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
