"""When the layers of a model were last used on this PC: what was not used for longest makes room first."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file
from idlepool.engine.types import Span

log = logging.getLogger("idlepool.models")


class LastUsed:
    """Kept in a file, which need not exist yet. Times are seconds of the calendar's clock: they outlive the process."""

    def __init__(self, path: Path, layers: int) -> None:
        self._path = path
        try:
            known = msgspec.json.decode(path.read_bytes(), type=list[float])
        except (OSError, msgspec.DecodeError):
            known = []
        self._times = known if len(known) == layers else [0.0] * layers

    @property
    def times(self) -> tuple[float, ...]:
        """For each layer; 0: never."""
        return tuple(self._times)

    def note(self, span: Span, at: float) -> None:
        """The layers are used then. Where that cannot be kept on the disk it holds until the process ends."""
        for layer in span:
            self._times[layer] = max(self._times[layer], at)
        try:
            replace_file(self._path, msgspec.json.encode(self._times))
        except StorageError as error:
            log.warning("%s", error.sentence)
