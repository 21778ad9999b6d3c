"""In which order the devices of a PC are tried for a span of layers: GPU, then CPU; the NPU where it is asked for, or
where the layers do not fit a GPU. The owner can forbid any of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from idlepool.engine.net.messages import Candidate, DeviceInfo
from idlepool.engine.types import Backend, DeviceKind

_BACKENDS = {DeviceKind.NPU: (Backend.STATIC,)}
_OTHERS = (Backend.PAGED, Backend.STATEFUL)
"""Best first."""

_ORDER = (DeviceKind.DISCRETE_GPU, DeviceKind.INTEGRATED_GPU, DeviceKind.NPU, DeviceKind.CPU)
_GPUS = (DeviceKind.DISCRETE_GPU, DeviceKind.INTEGRATED_GPU)


def matches(device: str, word: str) -> bool:
    """Whether what somebody typed means the device: `GPU` means every GPU, `GPU.1` one of them."""
    return device.casefold() == word.casefold() or device.partition(".")[0].casefold() == word.casefold()


def device_order(
    devices: Sequence[DeviceInfo], *, asked: str = "", forbidden: Collection[str] = (), needed_bytes: int = 0
) -> tuple[DeviceInfo, ...]:
    """The devices to try for layers of `needed_bytes`, the best first; empty where all are forbidden.

    `asked` (empty: none) comes first, and what it means stays in even where the layers do not seem to fit.
    """
    allowed = [device for device in devices if not any(matches(device.name, word) for word in forbidden)]
    allowed.sort(key=lambda device: (_ORDER.index(device.kind), device.name))
    wanted = [device for device in allowed if asked and matches(device.name, asked)]
    others = [device for device in allowed if device not in wanted]
    full = [device for device in allowed if device.kind in _GPUS and device.usable_bytes < needed_bytes]
    rest = [device for device in others if device not in full and (device.kind is not DeviceKind.NPU or full)]
    return (*wanted, *rest)


def candidates(devices: Sequence[DeviceInfo]) -> tuple[Candidate, ...]:
    """Each device with each form of a shard that is tried on it, in the order of the devices."""
    return tuple(
        Candidate(device.name, backend) for device in devices for backend in _BACKENDS.get(device.kind, _OTHERS)
    )
