"""What this PC lends and how fast it is: found out at the start and at each load, and told to all others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from idlepool.engine.errors import IdlepoolError
from idlepool.engine.events import Trouble
from idlepool.engine.net.messages import DeviceInfo, NodeStatus, Place, StepTimes
from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.net.question_messages import RunningModel
from idlepool.engine.pool.lent_devices import lent_devices
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.pool_planning import Present
from idlepool.engine.pool.profiles import Profiles
from idlepool.engine.pool.spare import SpareStage


class ThisPc:
    """This PC. `cache` is its folder for what can be found out again."""

    def __init__(self, settings: NodeSettings, cache: Path, models: ModelFolders) -> None:
        self.devices: tuple[DeviceInfo, ...] = ()
        """What it lends, the best first; none until they are found."""
        self._settings = settings
        self._models = models
        self._profiles = Profiles(cache)

    async def find_devices(self, spare: SpareStage, *, trouble: Callable[[Trouble], None]) -> None:
        """Ask a stage process what devices there are; `trouble` hears why something else is lent than was asked for."""
        settings = self._settings
        try:
            found = await spare.devices()
        except IdlepoolError as error:
            trouble(Trouble(error.sentence, error.hint))
            return
        self.devices, problem = lent_devices(found, asked=settings.device, forbidden=settings.forbidden)
        if problem is not None:
            trouble(problem)

    def note(self, times: StepTimes) -> None:
        """Layers were loaded, and timed."""
        self._profiles.note(times)

    async def save(self) -> None:
        """Keep on the disk what was noted."""
        await asyncio.to_thread(self._profiles.save)

    def status(self, running: tuple[RunningModel, ...], links: tuple[LinkTime, ...]) -> NodeStatus:
        """What it tells all others of itself."""
        return NodeStatus(
            self.devices,
            running,
            self._profiles.times,
            held=self._models.held,
            whole=self._models.told,
            disk_bytes=self._models.disk_bytes,
            links=links,
        )

    def present(self, place: Place, name: str, links: tuple[LinkTime, ...]) -> Present:
        """The same for its own plans."""
        status = self.status((), links)
        return Present(place, name, status.devices, status.times, status.held, links, status.disk_bytes)
