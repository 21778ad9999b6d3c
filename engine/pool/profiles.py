"""How fast this PC was with the models it had layers of: measured at each load, kept in its cache folder, told to all.

One entry for each model, device, form and version of OpenVINO. The last measurement counts: each load makes one, so a
PC that became slower or faster is known for it from the next load on.
"""

from __future__ import annotations

import logging
from importlib.metadata import version
from pathlib import Path

import msgspec

from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file
from idlepool.engine.net.messages import StepTimes

log = logging.getLogger("idlepool.hosting")

FILE = "profiles.json"

MOST_KEPT = 64
"""The oldest go first."""


class _Entry(msgspec.Struct, frozen=True):
    openvino: str
    times: StepTimes


class Profiles:
    """The measurements in `folder`, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._openvino = version("openvino")
        try:
            self._entries = msgspec.json.decode(self._path.read_bytes(), type=list[_Entry])[:MOST_KEPT]
        except (OSError, msgspec.DecodeError):
            self._entries = []

    @property
    def times(self) -> tuple[StepTimes, ...]:
        """What holds for this version of OpenVINO, the newest first."""
        return tuple(entry.times for entry in self._entries if entry.openvino == self._openvino)

    def note(self, times: StepTimes) -> None:
        """Take a new measurement in place of an older one of the same model, device and form."""
        new = _Entry(self._openvino, times)
        self._entries = [new, *(entry for entry in self._entries if _key(entry) != _key(new))][:MOST_KEPT]

    def save(self) -> None:
        """Keep them on disk; where that does not work, they are measured again next time."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, msgspec.json.encode(self._entries))
        except (OSError, StorageError) as error:
            log.warning("measured times could not be kept: %s", error)


def _key(entry: _Entry) -> tuple[str, str, str, str]:
    return entry.openvino, entry.times.model, entry.times.device, entry.times.backend
