"""The order of choice: GPU, NPU where asked for or where a GPU is full, CPU; never what is forbidden."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.backends.choice import candidates, device_order
from idlepool.engine.net.messages import Candidate, DeviceInfo
from idlepool.engine.types import Backend, DeviceKind, ElementType

GB = 1 << 30
CPU = DeviceInfo("CPU", ElementType.BF16, 16 * GB, DeviceKind.CPU)
NPU = DeviceInfo("NPU", ElementType.F16, 16 * GB, DeviceKind.NPU)
INSIDE = DeviceInfo("GPU.0", ElementType.F16, 16 * GB, DeviceKind.INTEGRATED_GPU)
CARD = DeviceInfo("GPU.1", ElementType.F16, 8 * GB, DeviceKind.DISCRETE_GPU)
ALL = (CPU, NPU, INSIDE, CARD)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [CARD, INSIDE, CPU]),
        ({"asked": "NPU"}, [NPU, CARD, INSIDE, CPU]),
        ({"asked": "CPU"}, [CPU, CARD, INSIDE]),
        ({"asked": "gpu.0"}, [INSIDE, CARD, CPU]),
        ({"asked": "GPU.7"}, [CARD, INSIDE, CPU]),
        ({"needed_bytes": 10 * GB}, [INSIDE, NPU, CPU]),
        ({"needed_bytes": 20 * GB}, [NPU, CPU]),
        ({"needed_bytes": 20 * GB, "asked": "GPU"}, [CARD, INSIDE, NPU, CPU]),
        ({"forbidden": ["GPU"]}, [CPU]),
        ({"forbidden": ["GPU.1"]}, [INSIDE, CPU]),
        ({"forbidden": ["GPU"], "needed_bytes": 20 * GB}, [CPU]),
        ({"forbidden": ["NPU"], "needed_bytes": 20 * GB}, [CPU]),
        ({"forbidden": ["GPU"], "asked": "GPU.1"}, [CPU]),
        ({"forbidden": ["cpu", "gpu"]}, []),
        ({"forbidden": ["CPU", "GPU"], "asked": "NPU"}, [NPU]),
    ],
    ids=str,
)
def test_order(options, expected) -> None:
    assert list(device_order(ALL, **options)) == expected


@given(
    st.permutations(ALL),
    st.sampled_from(["", "CPU", "GPU", "GPU.1", "NPU"]),
    st.sets(st.sampled_from(["CPU", "GPU", "GPU.0", "NPU"])),
    st.integers(0, 30 * GB),
)
def test_nothing_twice_nothing_forbidden_and_a_way_out(devices, asked, forbidden, needed) -> None:
    names = [device.name for device in device_order(devices, asked=asked, forbidden=forbidden, needed_bytes=needed)]
    assert len(set(names)) == len(names)
    assert not any(name in forbidden or name.split(".")[0] in forbidden for name in names)
    assert "CPU" in names or "CPU" in forbidden


def test_each_device_is_tried_in_the_forms_it_knows() -> None:
    assert candidates([NPU, CPU]) == (
        Candidate("NPU", Backend.STATIC),
        Candidate("CPU", Backend.PAGED),
        Candidate("CPU", Backend.STATEFUL),
    )
