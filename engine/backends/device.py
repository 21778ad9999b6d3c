"""The devices of this PC, and how a shard is compiled for one."""

from __future__ import annotations

import logging

import openvino as ov
import psutil

from idlepool.engine.types import ElementType

log = logging.getLogger("idlepool.device")

_PRECISIONS = {"f32": ElementType.F32, "f16": ElementType.F16, "bf16": ElementType.BF16}


def device_names(core: ov.Core) -> tuple[str, ...]:
    """Devices that can hold state, by OpenVINO's names (`CPU`, `GPU.0`); the NPU compiles none of these graphs."""
    return tuple(name for name in core.available_devices if name.split(".")[0] in ("CPU", "GPU"))


def inference_precision(core: ov.Core, device: str) -> ElementType:
    """What the device computes in by default, and so what its boundary tensors cross in."""
    hint = core.get_property(device, "INFERENCE_PRECISION_HINT")
    return _PRECISIONS.get(hint.get_type_name(), ElementType.F32)


def usable_bytes(core: ov.Core, device: str) -> int:
    """Memory that layers may take on the device."""
    if device.startswith("GPU"):
        return int(core.get_property(device, "GPU_DEVICE_TOTAL_MEM_SIZE"))
    return int(psutil.virtual_memory().available)


def compile_options(wire: ElementType, *, threads: int = 0) -> dict[str, str | int]:
    """Options for a shard whose boundary tensors are `wire`.

    The KV cache stays at inference precision: a quantised one makes the text depend on how a prompt was chunked.
    `threads` 0 leaves the number to the device.
    """
    options: dict[str, str | int] = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": wire.value,
        "KV_CACHE_PRECISION": wire.value,
    }
    return options | ({"INFERENCE_NUM_THREADS": threads} if threads else {})
