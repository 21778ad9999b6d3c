"""The owner's choices for the node in force: kept in its data folder, acted on at once, and told to all clients."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from idlepool.app.api.key import make_api_key, read_api_key
from idlepool.app.node_choices import NodeChoices, default_name
from idlepool.engine.errors import IdlepoolError, PoolError
from idlepool.engine.events import Event, Trouble
from idlepool.engine.node_preferences import (
    NodePreferences,
    NodePreferencesChanged,
    NodePreferencesCommand,
    RenewApiKey,
    SetNodePreferences,
)
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.node_preferences_file import write_node_preferences
from idlepool.engine.pool.tasks import TaskKeeper

log = logging.getLogger("idlepool.node")

PORT_HINT = "Choose another port in the settings, or with: idlepool api --port"


class AnswersPrograms(Protocol):
    """The API for programs of this PC, see app/api."""

    @property
    def address(self) -> str:
        """Its base address; empty: it does not run."""

    async def start(self, port: int, key: str) -> None:
        """Answer whoever shows the key. Raises PoolError where the port cannot be had."""

    async def stop(self) -> None:
        """Answer nobody any more; answers under way end."""


class PreferenceService:
    """From `start` to `close`; commands are done one after the other."""

    def __init__(self, node: Node, choices: NodeChoices, api: AnswersPrograms, emit: Callable[[Event], None]) -> None:
        self._node = node
        self._preferences = choices.preferences
        self._fixed = choices.fixed
        self._problem = choices.problem
        self._api = api
        self._emit = emit
        self._api_key = ""
        self._api_problem = ""
        self._one_by_one = asyncio.Lock()
        self._tasks = TaskKeeper()

    async def start(self) -> None:
        """Act on what was kept."""
        if self._problem:
            self._emit(Trouble(self._problem, "Set them again."))
        async with self._one_by_one:
            await self._restart_api()
            self._tell()

    def obey(self, command: NodePreferencesCommand) -> None:
        """Do what the owner wants; NodePreferencesChanged follows."""
        self._tasks.start(self._obey(command))

    async def close(self) -> None:
        """Answer no program any more."""
        await self._tasks.close()
        await self._api.stop()

    async def _obey(self, command: NodePreferencesCommand) -> None:
        async with self._one_by_one:
            try:
                match command:
                    case SetNodePreferences(preferences=preferences):
                        await self._set(preferences)
                    case RenewApiKey():
                        self._api_key = await asyncio.to_thread(make_api_key, self._node.settings.root)
                        await self._restart_api()
            except IdlepoolError as error:
                self._emit(Trouble(error.sentence, error.hint))
            self._tell()

    async def _set(self, preferences: NodePreferences) -> None:
        await asyncio.to_thread(write_node_preferences, self._node.settings.root, preferences)
        before, self._preferences = self._preferences, preferences
        if "model_bytes_per_s" not in self._fixed:
            self._node.models.limit(preferences.model_bytes_per_s)
        if (before.api_on, before.api_port) != (preferences.api_on, preferences.api_port) or self._api_problem:
            await self._restart_api()
        if before.name != preferences.name and "name" not in self._fixed:
            self._node.membership.rename(preferences.name or default_name())

    async def _restart_api(self) -> None:
        """Let programs be answered as it is wanted; that it does not work is told beside it."""
        await self._api.stop()
        self._api_problem = ""
        try:
            self._api_key = self._api_key or await asyncio.to_thread(read_api_key, self._node.settings.root)
            if self._preferences.api_on:
                self._api_key = self._api_key or await asyncio.to_thread(make_api_key, self._node.settings.root)
                await self._api.start(self._preferences.api_port, self._api_key)
        except IdlepoolError as error:
            log.warning("programs are not answered: %s", error.sentence)
            self._api_problem = f"{error.sentence} {PORT_HINT}" if isinstance(error, PoolError) else str(error)

    def _tell(self) -> None:
        self._emit(
            NodePreferencesChanged(self._preferences, self._api.address, self._api_key, self._api_problem, self._fixed)
        )
