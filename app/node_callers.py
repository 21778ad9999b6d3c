"""Everybody who speaks to the node at the moment: a window over its pipe, commands over local control, or nobody."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

from idlepool.app.node_session import NodeServices, NodeSession
from idlepool.engine.events import (
    Command,
    Event,
    HostedStages,
    LendingChanged,
    ModelsChanged,
    NodePreferencesChanged,
    NodeReady,
    PipelineChanged,
    PoolChanged,
    decode_command,
    encode_line,
)
from idlepool.engine.model_events import AddingChanged

log = logging.getLogger("idlepool.node")


class Callers:
    """All hear what the node does, and whoever comes later hears first how things are."""

    def __init__(self) -> None:
        self._callers: list[Caller] = []
        self._services: NodeServices | None = None
        self._state: dict[tuple[type[Event], str], Event] = {}

    def open(self, send: Callable[[bytes], None]) -> Caller:
        """Somebody comes; `send` sends a line to it."""
        caller = Caller(send, on_close=self._callers.remove)
        self._callers.append(caller)
        for event in self._state.values():
            caller.tell(event)
        if self._services is not None:
            caller.begin(self._services)
        return caller

    def begin(self, services: NodeServices) -> None:
        """The node is ready: what was asked before is done now."""
        self._services = services
        for caller in list(self._callers):
            caller.begin(services)

    def tell(self, event: Event) -> None:
        """Tell all."""
        match event:
            case (
                NodeReady()
                | PoolChanged()
                | ModelsChanged()
                | LendingChanged()
                | HostedStages()
                | AddingChanged()
                | NodePreferencesChanged()
            ):
                self._state[type(event), ""] = event
            case PipelineChanged(model=model, state="preparing" | "ready"):
                self._state[PipelineChanged, model] = event
            case PipelineChanged(model=model):
                self._state.pop((PipelineChanged, model), None)
        for caller in self._callers:
            caller.tell(event)

    async def close(self) -> None:
        """End everything that was asked for; they still hear the last of the node."""
        self._services = None
        for caller in list(self._callers):
            await caller.end()


class Caller:
    """One of them, see local_control.Client."""

    def __init__(self, send: Callable[[bytes], None], *, on_close: Callable[[Caller], None]) -> None:
        self._send = send
        self._on_close = on_close
        self._session: NodeSession | None = None
        self._early: list[Command] = []
        """Commands that came before the node was ready."""

    def begin(self, services: NodeServices) -> None:
        """The node is ready."""
        self._session = NodeSession(services, self.tell)
        for command in self._early:
            self._session.obey(command)

    def tell(self, event: Event) -> None:
        """Tell it alone."""
        self._send(encode_line(event))

    def take(self, line: bytes) -> None:
        """Do what a line asks for, as soon as the node is ready."""
        try:
            command = decode_command(line)
        except (msgspec.DecodeError, RecursionError) as error:
            log.warning("a command could not be read: %s", error)
            return
        if self._session is None:
            self._early.append(command)
        else:
            self._session.obey(command)

    async def end(self) -> None:
        """End what it asked for, without letting it go."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def close(self) -> None:
        """It is gone."""
        self._on_close(self)
        await self.end()
