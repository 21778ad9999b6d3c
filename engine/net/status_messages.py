"""What a PC tells all others about itself whenever it changes; part of messages.py."""

from __future__ import annotations

import msgspec

from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.net.question_messages import RunningModel, WholeModel
from idlepool.engine.net.standby_messages import HeldSpan
from idlepool.engine.types import Count, DeviceKind, ElementType, Int


class DeviceInfo(msgspec.Struct, frozen=True):
    """A device that can run layers. `precision` is what it computes in, and so what its boundary tensors cross in."""

    name: str
    precision: ElementType
    usable_bytes: Int
    kind: DeviceKind = DeviceKind.CPU


class StepTimes(msgspec.Struct, frozen=True):
    """What steps took on a PC with layers `[first, last)` of a model, in milliseconds: of 1, 4, 16 and 64 tokens, or
    only the first of these."""

    first: Int
    last: Int
    ms: tuple[float, ...]
    model: str = ""
    device: str = ""
    backend: str = ""


class StageMemory(msgspec.Struct, frozen=True):
    """What the process of a stage takes of the memory of its PC, in bytes, as that PC measured it."""

    session: Int
    bytes: Count


class NodeStatus(msgspec.Struct, frozen=True, tag="node_status"):
    """What a PC lends, the models whose pipelines it heads, and how fast it was, the newest measurement of a model
    first; sent when a control link opens and when it changes."""

    devices: tuple[DeviceInfo, ...]
    running: tuple[RunningModel, ...] = ()
    times: tuple[StepTimes, ...] = ()
    held: tuple[HeldSpan, ...] = ()
    disk_bytes: Int = -1
    """What all layers that it fetches may take on its disk together; -1: it fetches none ahead."""
    links: tuple[LinkTime, ...] = ()
    """To the PCs that are present for it."""
    whole: tuple[WholeModel, ...] = ()
    lends: bool = True
    """Whether it computes for others at the moment, and"""
    reason: str = ""
    """why or why not: a reason of pool/donation.py, in a word or two."""
    memory: tuple[StageMemory, ...] = ()
    """Of the stages that it hosts on its CPU: a GPU or NPU does not say whose its memory is."""
