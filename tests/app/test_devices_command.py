"""`idlepool devices`, as somebody runs it who wants to know what this PC can lend."""

from __future__ import annotations

import json
from pathlib import Path


def test_it_shows_and_tests_the_cpu(run, tmp_path: Path) -> None:
    first = run("devices", home=tmp_path)
    assert first.finish() == 0, first.error
    assert "CPU" in first.out
    assert "paged: passed" in first.out
    second = run("devices", home=tmp_path)
    assert second.finish() == 0
    assert "paged: passed" in second.out


def test_json_tells_everything_about_each_device(run, tmp_path: Path) -> None:
    command = run("devices", "--json", home=tmp_path)
    assert command.finish() == 0, command.error
    cpu = next(device for device in json.loads(command.out) if device["name"] == "CPU")
    assert cpu["kind"] == "CPU"
    assert cpu["full_name"]
    assert cpu["openvino"]
    assert cpu["usable_bytes"] > 0
    assert cpu["precision"] in ("f32", "f16", "bf16")
    assert cpu["passed"] is True
    assert cpu["reproducible"] is True
    assert cpu["note"] == ""
    assert cpu["self_tests"]["paged"]["reproducible"] is True
    assert cpu["self_tests"]["stateful"]["passed"] is True


def test_a_verdict_stands_until_it_is_asked_for_again(run, tmp_path: Path) -> None:
    run("devices", home=tmp_path).finish()
    for path in tmp_path.rglob("*.json"):
        path.write_text('{"passed": false, "sentence": "it was broken once"}', encoding="utf-8")
    shown = run("devices", home=tmp_path)
    shown.finish()
    assert "FAILED, it was broken once" in shown.out
    assert "It is not used." in shown.out
    again = run("devices", "--again", home=tmp_path)
    again.finish()
    assert "paged: passed" in again.out
    assert "FAILED" not in again.out
