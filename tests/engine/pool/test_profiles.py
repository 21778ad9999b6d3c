"""What a PC remembers of its own speed."""

from __future__ import annotations

import pytest

from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool import profiles as profiles_module
from idlepool.engine.pool.profiles import FILE, MOST_KEPT, Profiles


def times_of(model: str, ms: float = 1.0, backend: str = "paged") -> StepTimes:
    return StepTimes(0, 4, (ms, 2 * ms, 3 * ms), model, "CPU", backend)


def test_measurements_outlive_the_program_and_the_last_one_counts(tmp_path):
    profiles = Profiles(tmp_path / "cache")
    for times in (times_of("a"), times_of("b"), times_of("a", 5.0), times_of("a", backend="stateful")):
        profiles.note(times)
    profiles.save()
    assert Profiles(tmp_path / "cache").times == (times_of("a", backend="stateful"), times_of("a", 5.0), times_of("b"))


def test_those_of_another_openvino_do_not_count(tmp_path, monkeypatch):
    profiles = Profiles(tmp_path)
    profiles.note(times_of("a"))
    profiles.save()
    monkeypatch.setattr(profiles_module, "version", lambda package: "1.0")
    assert Profiles(tmp_path).times == ()


@pytest.mark.parametrize("content", [b"", b"{", b'[{"openvino": 1}]', b"[[[["])
def test_a_damaged_file_is_no_measurement(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    assert Profiles(tmp_path).times == ()


def test_the_oldest_go_first(tmp_path):
    profiles = Profiles(tmp_path)
    for number in range(MOST_KEPT + 3):
        profiles.note(times_of(str(number)))
    assert [times.model for times in profiles.times][-1] == "3"


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    (tmp_path / "file").touch()
    profiles = Profiles(tmp_path / "file")
    profiles.note(times_of("a"))
    profiles.save()
    assert profiles.times == (times_of("a"),)
