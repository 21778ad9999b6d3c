"""The devices of this PC, what each says of itself, and how a shard is compiled for one.

Not run on hardware: what is asked of GPUs and NPUs here comes from OpenVINO's documentation and sources. Whatever they
really do is found out by the self-test.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

import openvino as ov
import psutil

from idlepool.engine.types import DeviceKind, ElementType

log = logging.getLogger("idlepool.device")

_PRECISIONS = {"f32": ElementType.F32, "f16": ElementType.F16, "bf16": ElementType.BF16}


@dataclass(frozen=True, slots=True)
class Device:
    """A device as OpenVINO knows it."""

    name: str
    """OpenVINO's: `CPU`, `GPU.0`, `NPU`."""
    kind: DeviceKind
    full_name: str
    driver: str
    """Version of the driver; empty where the device has none, or does not tell."""
    openvino: str
    """Build of OpenVINO's plugin for the device."""
    precision: ElementType
    """What it computes in by default, and so what its boundary tensors cross in."""
    usable_bytes: int
    """Memory that layers may take."""

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What decides how a graph is compiled and computed: what was found out holds while this stays."""
        return self.name, self.full_name, self.driver, self.openvino


def device_names(core: ov.Core) -> tuple[str, ...]:
    """Devices for which there is a backend, by OpenVINO's names."""
    return tuple(name for name in core.available_devices if family(name) in ("CPU", "GPU", "NPU"))


def family(device: str) -> str:
    """`GPU` for `GPU.1`."""
    return device.partition(".")[0]


def find_devices(core: ov.Core) -> tuple[Device, ...]:
    """All devices that answer; one whose driver is broken is left out, with a line in the log."""
    found = []
    for name in device_names(core):
        try:
            found.append(describe(core, name))
        except RuntimeError as error:
            log.warning("%s is left out: %s", name, reason_of(error))
    return tuple(found)


def describe(core: ov.Core, name: str) -> Device:
    """What OpenVINO says of a device.

    Raises:
        RuntimeError: there is no such device, or its driver is broken.
    """
    full_name = str(core.get_property(name, "FULL_DEVICE_NAME"))
    return Device(
        name=name,
        kind=_kind(core, name),
        full_name=full_name,
        driver=_told(core, name, f"{family(name)}_DRIVER_VERSION"),
        openvino=str(core.get_versions(name)[family(name)].build_number),
        precision=inference_precision(core, name),
        usable_bytes=usable_bytes(core, name),
    )


def inference_precision(core: ov.Core, device: str) -> ElementType:
    """What the device computes in by default."""
    hint = core.get_property(device, "INFERENCE_PRECISION_HINT")
    return _PRECISIONS.get(hint.get_type_name(), ElementType.F32)


def usable_bytes(core: ov.Core, device: str) -> int:
    """Memory that layers may take on the device: its own, or what is free of the PC's where it has none."""
    free = int(psutil.virtual_memory().available)
    total = _told(core, device, f"{family(device)}_DEVICE_TOTAL_MEM_SIZE")
    if not total:
        return free
    return int(total) if _kind(core, device) is DeviceKind.DISCRETE_GPU else min(int(total), free)


def compile_options(wire: ElementType, *, device: str = "CPU", threads: int = 0) -> dict[str, str | int]:
    """Options for a shard whose boundary tensors are `wire`.

    The KV cache stays at inference precision: a quantised one makes the text depend on how a prompt was chunked.
    `threads` 0 leaves the number to the device; only a CPU knows the option.
    """
    options: dict[str, str | int] = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": wire.value}
    if family(device) != "NPU":  # its graphs keep no cache inside
        options["KV_CACHE_PRECISION"] = wire.value
    return options | ({"INFERENCE_NUM_THREADS": threads} if threads and family(device) == "CPU" else {})


def reason_of(error: Exception) -> str:
    """What an exception of OpenVINO says, without the places in its sources that it begins with."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else type(error).__name__


def _kind(core: ov.Core, name: str) -> DeviceKind:
    if family(name) != "GPU":
        return DeviceKind(family(name))
    discrete = core.get_property(name, "DEVICE_TYPE").name == "DISCRETE"
    return DeviceKind.DISCRETE_GPU if discrete else DeviceKind.INTEGRATED_GPU


def _told(core: ov.Core, name: str, key: str) -> str:
    """A property that not every plugin has; empty where it has not."""
    try:
        return str(core.get_property(name, key))
    except RuntimeError:
        return ""
