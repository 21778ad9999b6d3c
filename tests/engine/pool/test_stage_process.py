"""A real stage process: it takes the first device that will do, says so, and leaves no trace of an unfinished test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import openvino as ov
import psutil
import pytest
import pytest_asyncio
from played_pool import until
from tiny_model import TinyShape, build_tiny_model

from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.fallback import VERDICTS
from idlepool.engine.errors import StageEnded, StageFailed
from idlepool.engine.net.arrays import frame_of
from idlepool.engine.net.faults import fault_of
from idlepool.engine.net.frames import Frame, FrameKind, Segment
from idlepool.engine.net.messages import Candidate, LoadShard
from idlepool.engine.pool import stage_host, stage_watch
from idlepool.engine.pool.pipe import message_frame
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.types import Backend, DeviceKind, ElementType, SequenceId, SessionId

WIRE = inference_precision(ov.Core(), "CPU")
CPU = Candidate("CPU", Backend.PAGED)
ABSENT = Candidate("GPU.7", Backend.PAGED)


@pytest_asyncio.fixture
async def host() -> AsyncIterator[StageHost]:
    host = await StageHost.start(name="pc")
    yield host
    await host.close()


def order(model: Path, cache: Path, *candidates: Candidate) -> LoadShard:
    return LoadShard(str(model), "a" * 64, 0, 2, candidates, WIRE, str(cache), threads=1)


async def test_it_tells_the_devices_of_this_pc(host: StageHost) -> None:
    cpu = next(device for device in host.devices if device.name == "CPU")
    assert cpu.kind is DeviceKind.CPU
    assert cpu.precision in ElementType


async def test_it_loads_on_the_first_device_and_says_what_it_knows_of_it(host, tiny_model, tmp_path) -> None:
    loaded = await host.load(order(tiny_model, tmp_path, CPU), name="pc")
    assert (loaded.device, loaded.backend, loaded.notice) == ("CPU", Backend.PAGED, "")
    assert loaded.reproducible
    assert any((tmp_path / VERDICTS).iterdir())


async def test_it_names_what_it_could_not_use(host, tiny_model, tmp_path) -> None:
    loaded = await host.load(order(tiny_model, tmp_path, ABSENT, CPU), name="pc")
    assert loaded.device == "CPU"
    assert "GPU.7 (paged)" in loaded.notice


async def test_without_a_device_it_says_why(host, tiny_model, tmp_path) -> None:
    with pytest.raises(StageFailed, match=r"No device here could take the layers .*GPU\.7"):
        await host.load(order(tiny_model, tmp_path, ABSENT), name="pc")
    assert (await host.load(order(tiny_model, tmp_path, CPU), name="pc")).device == "CPU"


async def test_a_test_that_the_node_cuts_short_is_no_fault_of_the_device(host, tiny_model, tmp_path) -> None:
    await host.send(message_frame(order(tiny_model, tmp_path, CPU)))
    await until(lambda: list(tmp_path.glob(f"{VERDICTS}/*.running")))
    await host.close()
    assert list(tmp_path.glob(f"{VERDICTS}/*.running")) == []


async def test_a_process_that_does_nothing_any_more_is_given_up(host, tiny_model, tmp_path) -> None:
    process = psutil.Process(host.pid)
    process.suspend()
    with pytest.raises(StageEnded, match="did not load the layers within 1 s"):
        await host.load(order(tiny_model, tmp_path, CPU), name="pc", limit_s=1)
    await host.close()
    assert not process.is_running()


async def test_a_frame_before_any_layers_is_a_fault(host) -> None:
    answers: asyncio.Queue[Frame] = asyncio.Queue()

    async def take(frame: Frame, data: bytes) -> None:
        answers.put_nowait(frame)

    host.serve(take, lambda _: None)
    await host.send(step(9))
    fault = await answers.get()
    assert (fault.kind, fault.session, fault.step) == (FrameKind.FAULT, 3, 9)
    assert fault_of(fault).sentence == "no layers are loaded here"


async def test_numbers_that_are_none_are_a_fault_and_not_passed_on(host, tmp_path) -> None:
    """Their next stage would refuse them, and that would end the whole pipeline."""
    model = build_tiny_model(tmp_path / "overflowing", TinyShape(gain=1e36))
    await host.load(order(model, tmp_path, CPU), name="pc")
    answers: asyncio.Queue[Frame] = asyncio.Queue()

    async def take(frame: Frame, data: bytes) -> None:
        answers.put_nowait(frame)

    host.serve(take, lambda _: None)
    await host.send(step(9))
    assert fault_of(await answers.get()).sentence == "they gave what is no number (NaN or infinity)"


async def test_its_death_is_told_once(host) -> None:
    lost: list[str] = []

    async def take(frame: Frame, data: bytes) -> None:
        raise AssertionError(frame)

    host.serve(take, lost.append)
    psutil.Process(host.pid).kill()
    await until(lambda: lost)
    await host.end_sequence(SequenceId(1))  # nobody is there any more, and nobody needs to know
    assert lost == ["its stage process ended unexpectedly"]


def step(number: int, *, start: int = 0) -> Frame:
    """Two tokens of a sequence."""
    ids = np.array([1, 2], np.int32)
    return frame_of(FrameKind.TOKENS, ids, session=SessionId(3), step=number, segments=(Segment(1, start, 2, 1),))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that takes two seconds is one too many, whatever the others took."""
    monkeypatch.setattr(stage_watch, "PATIENCE_S", 2.0)
    monkeypatch.setattr(stage_watch, "MULTIPLE", 0.0)
    for module in (stage_watch, stage_host):
        monkeypatch.setattr(module, "TICK_S", 0.05)


async def test_a_process_that_stops_in_a_step_is_given_up(host, tiny_model, tmp_path, impatient) -> None:
    await host.load(order(tiny_model, tmp_path, CPU), name="pc")
    answers: asyncio.Queue[Frame] = asyncio.Queue()
    lost: asyncio.Queue[str] = asyncio.Queue()

    async def take(frame: Frame, data: bytes) -> None:
        answers.put_nowait(frame)

    host.serve(take, lost.put_nowait)
    await host.send(step(1))
    assert (await answers.get()).step == 1
    process = psutil.Process(host.pid)
    process.suspend()
    await host.send(step(2))
    assert await lost.get() == "its stage process does not answer"
    await host.close()
    assert not process.is_running()


async def test_a_process_whose_result_nobody_takes_is_not_given_up(host, tiny_model, tmp_path, impatient) -> None:
    await host.load(order(tiny_model, tmp_path, CPU), name="pc")
    answers: list[int] = []
    lost: list[str] = []
    way_free = asyncio.Event()

    async def take(frame: Frame, data: bytes) -> None:
        answers.append(frame.step)
        await way_free.wait()

    host.serve(take, lost.append)
    for number in range(1, 5):
        await host.send(step(number))
    await until(lambda: answers)
    await asyncio.sleep(3.0)
    way_free.set()
    await until(lambda: len(answers) == 4 or lost)
    assert lost == []


async def test_a_model_that_is_none_says_why(host, tmp_path) -> None:
    (tmp_path / "openvino_model.xml").write_text("<net/>", encoding="utf-8")
    with pytest.raises(StageFailed, match=r"^pc could not run its layers: .*openvino_model\.xml"):
        await host.load(order(tmp_path, tmp_path, CPU), name="pc")
