"""A shard lands on the first device and form that will have it; what was tried before is named with its reason."""

import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.backends.base import Batch
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.fallback import SelfTests, TimeLimits, load_first
from idlepool.engine.backends.load import ShardRequest
from idlepool.engine.backends.loaders import LOADERS
from idlepool.engine.backends.verdicts import EXIT_CODE
from idlepool.engine.errors import ModelDamaged, ModelIncomplete, NoDevice
from idlepool.engine.graph.weight_ranges import ByteRange
from idlepool.engine.net.messages import Candidate
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Backend, Span

CORE = ov.Core()
WIRE = inference_precision(CORE, "CPU")
PAGED, STATEFUL = Candidate("CPU", Backend.PAGED), Candidate("CPU", Backend.STATEFUL)
ABSENT = Candidate("GPU.7", Backend.PAGED)


def refused_option(core: ov.Core, request: ShardRequest):
    """Compiles with an option that the plugin does not know."""
    core.compile_model(str(request.folder / "openvino_model.xml"), request.device, {"NO_SUCH_OPTION": 1})
    raise AssertionError("the plugin took the option")


def wrong_layers(core: ov.Core, request: ShardRequest):
    """What a device does that computes something else: the last layer of a stage is left out."""
    last = request.span.last if request.span.first else request.span.last - 1
    return LOADERS[Backend.PAGED](core, replace(request, span=Span(request.span.first, last)))


@pytest.fixture
def request_of(tiny_model: Path) -> ShardRequest:
    return ShardRequest(tiny_model, Span(0, 4), "", WIRE, threads=1)


def self_tests(folder: Path, **loaders) -> SelfTests:
    return SelfTests(CORE, folder, threads=1, loaders={**LOADERS, **{Backend[k]: v for k, v in loaders.items()}})


def test_the_first_that_can_is_taken_without_a_word(request_of: ShardRequest, tmp_path: Path) -> None:
    taken = load_first(CORE, request_of, [PAGED, STATEFUL], tests=self_tests(tmp_path))
    assert taken.candidate == PAGED
    assert taken.notice == ""
    assert taken.reproducible
    ids = np.arange(5, dtype=np.int32)
    assert taken.shard.run(Batch((Segment(1, 0, 5, sample=1),), ids)).logits.shape == (1, 300)


@pytest.mark.parametrize(("loader", "why"), [(refused_option, "NO_SUCH_OPTION"), (wrong_layers, "cosine")])
def test_a_form_that_fails_gives_way_and_is_named(request_of: ShardRequest, tmp_path: Path, loader, why: str) -> None:
    taken = load_first(CORE, request_of, [PAGED, STATEFUL], tests=self_tests(tmp_path, PAGED=loader))
    assert taken.candidate == STATEFUL
    assert not taken.reproducible
    assert "CPU (paged): " in taken.notice
    assert why in taken.notice
    assert "run on CPU (stateful)" in taken.notice


def test_a_device_that_is_gone_gives_way(request_of: ShardRequest, tmp_path: Path) -> None:
    taken = load_first(CORE, request_of, [ABSENT, PAGED], tests=self_tests(tmp_path))
    assert taken.candidate == PAGED
    assert "GPU.7 (paged): it refuses the self-test" in taken.notice


def test_a_device_may_pass_the_test_and_refuse_the_layers(request_of: ShardRequest, tmp_path: Path) -> None:
    def load(core, request):
        if request.folder == request_of.folder:
            return refused_option(core, request)
        return LOADERS[Backend.PAGED](core, request)

    taken = load_first(CORE, request_of, [PAGED, STATEFUL], tests=self_tests(tmp_path, PAGED=load))
    assert taken.candidate == STATEFUL
    assert "NO_SUCH_OPTION" in taken.notice


def test_where_none_can_every_reason_is_told(request_of: ShardRequest, tmp_path: Path) -> None:
    with pytest.raises(NoDevice) as caught:
        load_first(CORE, request_of, [ABSENT, PAGED], tests=self_tests(tmp_path, PAGED=wrong_layers))
    assert "GPU.7 (paged)" in caught.value.sentence
    assert "CPU (paged)" in caught.value.sentence
    with pytest.raises(NoDevice, match="every device is forbidden"):
        load_first(CORE, request_of, [], tests=self_tests(tmp_path))


def test_what_no_device_can_help_is_told_as_it_is(request_of: ShardRequest, tmp_path: Path) -> None:
    tests = self_tests(tmp_path / "verdicts")
    with pytest.raises(ModelIncomplete):
        load_first(CORE, replace(request_of, held=(ByteRange(0, 10),)), [PAGED, STATEFUL], tests=tests)
    (tmp_path / "openvino_model.xml").write_text("no graph", encoding="utf-8")
    with pytest.raises(ModelDamaged):
        load_first(CORE, replace(request_of, folder=tmp_path), [PAGED, STATEFUL], tests=tests)


def counted(calls: list[str]):
    def load(core, request):
        calls.append(request.device)
        return LOADERS[Backend.PAGED](core, request)

    return load


def test_a_verdict_is_kept_for_the_next_time(tmp_path: Path) -> None:
    calls: list[str] = []
    verdict = self_tests(tmp_path, PAGED=counted(calls)).verdict(PAGED, WIRE)
    assert calls
    calls.clear()
    assert self_tests(tmp_path, PAGED=counted(calls)).verdict(PAGED, WIRE) == verdict
    assert calls == []
    self_tests(tmp_path).forget()
    assert self_tests(tmp_path, PAGED=counted(calls)).verdict(PAGED, WIRE) == verdict
    assert calls


def test_a_failure_is_kept_too_and_can_be_tried_again(tmp_path: Path) -> None:
    assert not self_tests(tmp_path, PAGED=wrong_layers).verdict(PAGED, WIRE).passed
    assert not self_tests(tmp_path).verdict(PAGED, WIRE).passed
    self_tests(tmp_path).forget()
    assert self_tests(tmp_path).verdict(PAGED, WIRE).passed


def test_a_refusal_is_found_out_again_each_time(tmp_path: Path) -> None:
    assert not self_tests(tmp_path, PAGED=refused_option).verdict(PAGED, WIRE).passed
    assert self_tests(tmp_path).verdict(PAGED, WIRE).passed


def test_a_damaged_verdict_is_found_out_again(tmp_path: Path) -> None:
    tests = self_tests(tmp_path)
    verdict = tests.verdict(PAGED, WIRE)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:10])
    assert tests.verdict(PAGED, WIRE) == verdict


def test_a_folder_that_cannot_be_written_costs_a_test_each_time(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder", encoding="utf-8")
    assert self_tests(in_the_way).verdict(STATEFUL, WIRE).passed


DIE = """
import os, sys
from pathlib import Path
import openvino as ov
from idlepool.engine.backends.fallback import SelfTests
from idlepool.engine.net.messages import Candidate
from idlepool.engine.types import Backend, ElementType
tests = SelfTests(ov.Core(), Path(sys.argv[1]), threads=1, loaders={Backend.PAGED: lambda core, request: os._exit(7)})
verdict = tests.verdict(Candidate("CPU", Backend.PAGED), ElementType(sys.argv[2]))
print(verdict.sentence)
"""


def test_a_driver_that_takes_the_process_down_is_not_tried_for_ever(tmp_path: Path) -> None:
    command = [sys.executable, "-c", DIE, str(tmp_path), WIRE.value]
    ends = [subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(3)]
    assert [end.returncode for end in ends] == [7, 7, 0]
    assert "took the process down" in ends[2].stdout
    verdict = self_tests(tmp_path).verdict(PAGED, WIRE)
    assert not verdict.passed
    self_tests(tmp_path).forget()
    assert self_tests(tmp_path).verdict(PAGED, WIRE).passed
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


HANG = """
import os, sys, time
from pathlib import Path
import openvino as ov
from idlepool.engine.backends.fallback import SelfTests, TimeLimits, load_first
from idlepool.engine.backends.load import ShardRequest
from idlepool.engine.backends.loaders import LOADERS
from idlepool.engine.net.messages import Candidate
from idlepool.engine.types import Backend, ElementType, Span

def hang(core, request):
    if str(request.folder) == sys.argv[2] or sys.argv[4] == "self-test":
        time.sleep(600)
    return LOADERS[Backend.PAGED](core, request)

core = ov.Core()
loaders = LOADERS | {Backend.PAGED: hang}
limits = TimeLimits(**{"self_test": 60, "load": 60, sys.argv[4].replace("-", "_"): 1})
tests = SelfTests(core, Path(sys.argv[1]), threads=1, loaders=loaders, limits=limits)
request = ShardRequest(Path(sys.argv[2]), Span(0, 4), "", ElementType(sys.argv[3]), threads=1)
forms = [Candidate("CPU", Backend(name)) for name in sys.argv[5:]]
print(load_first(core, request, forms, tests=tests).notice)
"""


def run_hanging(tmp_path: Path, model: Path, where: str, *forms: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", HANG, str(tmp_path), str(model), WIRE.value, where, *forms]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_driver_that_hangs_in_a_load_ends_the_process_and_the_next_one_goes_on(tmp_path: Path, tiny_model) -> None:
    first, second = (run_hanging(tmp_path, tiny_model, "load", "paged", "stateful") for _ in range(2))
    assert first.returncode == EXIT_CODE
    assert "CPU (paged): loading these layers did not end within 1 s" in first.stderr
    assert second.returncode == 0, second.stderr
    assert "CPU (paged): loading these layers did not end" in second.stdout
    assert "run on CPU (stateful)" in second.stdout


def test_what_hung_with_some_layers_may_take_others(tmp_path: Path, tiny_model: Path) -> None:
    assert run_hanging(tmp_path, tiny_model, "load", "paged").returncode == EXIT_CODE
    others = ShardRequest(tiny_model, Span(0, 2), "", WIRE, threads=1)
    assert load_first(CORE, others, [PAGED], tests=self_tests(tmp_path)).notice == ""


def test_a_device_that_hangs_in_its_self_test_is_left_alone_in_every_form(tmp_path: Path, tiny_model: Path) -> None:
    assert run_hanging(tmp_path, tiny_model, "self-test", "paged", "stateful").returncode == EXIT_CODE
    tests = self_tests(tmp_path)
    for form in (PAGED, STATEFUL):
        verdict = tests.verdict(form, WIRE)
        assert not verdict.passed
        assert "its self-test did not end within" in verdict.sentence
    tests.forget()
    assert tests.verdict(PAGED, WIRE).passed


def test_what_ends_in_time_is_not_ended_later(request_of: ShardRequest, tmp_path: Path) -> None:
    tests = SelfTests(CORE, tmp_path, threads=1, limits=TimeLimits(self_test=20, load=20))
    load_first(CORE, request_of, [PAGED], tests=tests)
    for clock in [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]:
        clock.join(timeout=10)
        assert not clock.is_alive()
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


def test_after_a_day_it_is_tried_again(tmp_path: Path) -> None:
    command = [sys.executable, "-c", DIE, str(tmp_path), WIRE.value]
    for _ in range(2):
        subprocess.run(command, check=False)
    for mark in tmp_path.iterdir():
        os.utime(mark, (0, 0))
    assert self_tests(tmp_path).verdict(PAGED, WIRE).passed
