"""What is said of the devices of this PC; the CPU is real, others are what they are on a PC without them: absent."""

import openvino as ov
import pytest

from idlepool.engine.backends.device import compile_options, describe, find_devices, reason_of
from idlepool.engine.types import DeviceKind, ElementType

CORE = ov.Core()


def test_the_cpu_is_among_the_devices() -> None:
    cpu = next(device for device in find_devices(CORE) if device.name == "CPU")
    assert cpu.kind is DeviceKind.CPU
    assert cpu.full_name
    assert cpu.openvino.startswith(ov.__version__.split("-")[0])
    assert 0 < cpu.usable_bytes < 1 << 50


@pytest.mark.parametrize("name", ["GPU.7", "NPU.7", "XPU", ""])
def test_a_device_that_is_not_here_is_refused(name: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        describe(CORE, name)
    reason = reason_of(caught.value)
    assert reason
    assert "\n" not in reason
    assert not reason.startswith("Exception from")


def test_a_gpu_and_an_npu_are_given_no_option_of_a_cpu() -> None:
    assert "INFERENCE_NUM_THREADS" not in compile_options(ElementType.F16, device="GPU.0", threads=4)
    npu = compile_options(ElementType.F16, device="NPU", threads=4)
    assert not {"INFERENCE_NUM_THREADS", "KV_CACHE_PRECISION"} & npu.keys()
