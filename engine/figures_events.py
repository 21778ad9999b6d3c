"""What the window hears each second of the pipelines of this PC and of what the PCs lend; a part of events.py."""

from __future__ import annotations

import msgspec

from idlepool.engine.types import DeviceKind


class WantFigures(msgspec.Struct, frozen=True, tag="want_figures"):
    """Send ChainFigures at once and then each second, or no more."""

    on: bool


class StageFigures(msgspec.Struct, frozen=True):
    """A stage of a pipeline that runs."""

    node: str
    step_ms: float
    """A step of one token, as its PC said last; 0: unknown."""
    link_ms: float
    """From it to the next stage, from the last one back to the head; 0: unknown, or the same PC."""
    memory_bytes: int
    """That its layers and caches were planned to need; 0: unknown."""
    lent_bytes: int
    """By the device that they are on; 0: unknown."""
    measured_bytes: int = 0
    """That its process takes, as its PC said last; 0: nothing was measured."""


class Chain(msgspec.Struct, frozen=True):
    """A pipeline that this PC heads."""

    model: str
    stages: tuple[StageFigures, ...]
    tokens: int
    """Given out since it began."""
    tokens_per_second: float
    """In the last second."""
    round_ms: float
    """From sending a step to its result, in the last second; 0: nobody was answered in it."""


class LentDevice(msgspec.Struct, frozen=True):
    """A device of a PC that can run layers."""

    name: str
    kind: DeviceKind
    bytes: int
    """Memory there that is lent."""


class HeldLayers(msgspec.Struct, frozen=True):
    """Layers `[first, last)` of a model that lie on a PC's disk."""

    model: str
    """Its name; empty: of a model that is not here."""
    first: int
    last: int
    layers: int
    """Of the whole model; 0: unknown."""


class PcFigures(msgspec.Struct, frozen=True):
    """A PC that lends, or this one."""

    node: str
    devices: tuple[LentDevice, ...]
    """The first one is used first."""
    held: tuple[HeldLayers, ...]
    link_ms: float = 0.0
    """From here to there; 0: unknown, or this one."""


class ChainFigures(msgspec.Struct, frozen=True, tag="chain_figures"):
    """How the pipelines of this PC and the PCs of the pool do at the moment."""

    chains: tuple[Chain, ...]
    pcs: tuple[PcFigures, ...]
