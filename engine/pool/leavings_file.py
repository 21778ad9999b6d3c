"""How often each PC left, kept over restarts: whoever leaves most is prepared for first."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec

from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file
from idlepool.engine.pool.standby import Stay
from idlepool.engine.types import NodeId

log = logging.getLogger("idlepool.pipeline")

FILE = "leavings.json"
MAX_NODES = 64

LONGEST_HOURS = 30 * 24.0
"""Of so much time what was seen counts: habits change."""


def read_stays(root: Path) -> dict[NodeId, Stay]:
    """What was seen in earlier runs; nothing where there is no list, or it is damaged."""
    try:
        found = msgspec.json.decode((root / FILE).read_bytes(), type=dict[str, Stay])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        log.info("how often PCs left could not be read: %s", error)
        return {}
    return {NodeId(node): _recent(stay) for node, stay in found.items() if stay.hours >= 0 and stay.times >= 0}


def write_stays(root: Path, stays: Mapping[NodeId, Stay]) -> None:
    """Keep it for the next run. A disk that takes nothing costs only that."""
    latest = dict(list(stays.items())[-MAX_NODES:])
    try:
        replace_file(root / FILE, msgspec.json.encode(latest))
    except StorageError as error:
        log.info("how often PCs left could not be kept: %s", error)


def _recent(stay: Stay) -> Stay:
    """At the same rate, of at most LONGEST_HOURS."""
    share = min(1.0, LONGEST_HOURS / stay.hours) if stay.hours else 1.0
    return Stay(stay.hours * share, round(stay.times * share))
