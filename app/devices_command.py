"""`idlepool devices`: what this PC can lend, and what the self-tests say of it."""

from __future__ import annotations

import argparse
import json
import sys

import msgspec
import openvino as ov

from idlepool.app.terminal_chat import say
from idlepool.engine.backends.choice import candidates, device_order
from idlepool.engine.backends.device import Device, find_devices
from idlepool.engine.backends.fallback import VERDICTS, SelfTests
from idlepool.engine.backends.self_test import Verdict
from idlepool.engine.models.store import cache_folder, default_root
from idlepool.engine.net.messages import DeviceInfo
from idlepool.engine.types import Backend, DeviceKind

NOT_ON_HARDWARE = "Not run on hardware: nobody has tried Idlepool on such a device yet; only its self-test vouches."

Verdicts = dict[Backend, Verdict]


def run(arguments: argparse.Namespace) -> int:
    """Show every device in the order in which they are tried, the NPU included; returns the exit code."""
    core = ov.Core()
    tests = SelfTests(core, cache_folder(default_root()) / VERDICTS)
    if arguments.again:
        tests.forget()
    rows = []
    for device in _in_order(find_devices(core)):
        if sys.stderr.isatty():
            say(f"testing {device.name} …")
        rows.append((device, _verdicts(tests, device)))
    if arguments.json:
        sys.stdout.write(json.dumps([_facts(*row) for row in rows], ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n\n".join(_described(*row) for row in rows) + "\n")
    return 0


def _in_order(devices: tuple[Device, ...]) -> list[Device]:
    infos = [_info(device) for device in devices]
    order = [info.name for info in device_order(infos, needed_bytes=0)]
    return sorted(devices, key=lambda d: order.index(d.name) if d.name in order else len(order))


def _info(device: Device) -> DeviceInfo:
    return DeviceInfo(device.name, device.precision, device.usable_bytes, device.kind)


def _verdicts(tests: SelfTests, device: Device) -> Verdicts:
    """The verdict on each form of a shard that is tried on the device, best first."""
    return {candidate.backend: tests.verdict(candidate, device.precision) for candidate in candidates([_info(device)])}


def _facts(device: Device, verdicts: Verdicts) -> dict[str, object]:
    used = next((verdict for verdict in verdicts.values() if verdict.passed), None)
    return {
        "name": device.name,
        "kind": device.kind,
        "full_name": device.full_name,
        "driver": device.driver,
        "openvino": device.openvino,
        "usable_bytes": device.usable_bytes,
        "precision": device.precision,
        "passed": used is not None,
        "reproducible": used is not None and used.reproducible is True,
        "self_tests": {backend: msgspec.to_builtins(verdict) for backend, verdict in verdicts.items()},
        "note": _note(device),
    }


def _described(device: Device, verdicts: Verdicts) -> str:
    version = f"driver {device.driver}, " if device.driver else ""
    used = next((verdict for verdict in verdicts.values() if verdict.passed), None)
    lines = [
        f"{device.name}  {device.full_name} ({device.kind})",
        f"  {version}OpenVINO {device.openvino}",
        f"  {device.usable_bytes / 1e9:.1f} GB may be used, computes in {device.precision}",
        *(
            f"  {backend}: {'passed' if verdict.passed else 'FAILED'}, {verdict.sentence}"
            for backend, verdict in verdicts.items()
        ),
        _promise(used),
        f"  {_note(device)}",
    ]
    return "\n".join(line for line in lines if line.strip())


def _promise(used: Verdict | None) -> str:
    if used is None:
        return "  It is not used."
    return f"  Answers with a seed are {'' if used.reproducible else 'not '}the same to the last bit in any company."


def _note(device: Device) -> str:
    return "" if device.kind is DeviceKind.CPU else NOT_ON_HARDWARE
