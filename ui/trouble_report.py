"""A report for whoever helps: versions, devices, states, the last words of the node. What was asked and answered, keys,
codes, addresses, folders, and the names of PCs, people and models are not in it."""

from __future__ import annotations

import getpass
import platform
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from idlepool.engine.events import PeerInfo, PipelineChanged
from idlepool.ui.event_trace import EventTrace
from idlepool.ui.node_state import NodeState
from idlepool.ui.redaction import LEFT_OUT, redacted
from idlepool.ui.settings.lending_section import DECIDING

PACKAGES: Final = ("openvino", "openvino-genai", "PySide6-Essentials", "websockets", "zeroconf")

_DEVICE: Final = re.compile(r"(?:CPU|GPU|NPU)(?:\.\d{1,2})?(?: \((?:CPU|integrated GPU|discrete GPU|NPU), \w{2,4}\))?")
_PHASES: Final = frozenset(
    ("waiting", "fetching", "loading", "compiling", "ready", "lost", "idle", "prefill", "decoding", "")
)
_REASONS: Final = frozenset((*DECIDING, "snoozed", "leaving"))


class Reports:
    """Makes reports from now on; it remembers the names it must leave out after a node that is gone took them along."""

    def __init__(self, state: NodeState) -> None:
        self._state = state
        self._trace = EventTrace(state.bridge)
        self._names: set[str] = set()
        changes = (state.ready_changed, state.models_changed, state.pool_changed, state.members_changed)
        for changed in (*changes, state.node_preferences_changed):
            changed.connect(self._learn)
        self._learn()

    def text(self, wrote: str | None = None) -> str:
        """The report, as it is shown and copied. `wrote`: what a node wrote that is gone; None: the one that runs."""
        state = self._state
        last_words = state.bridge.details if wrote is None else wrote
        return "\n".join(
            (
                *_section("Idlepool", _versions()),
                *_section("This PC", _machine(state)),
                *_section("Node", _node(state)),
                *_section("PCs of the pool", map(_peer, state.peers)),
                *_section("Models", (f"{m.layers} layers, context {m.context}, {m.bytes} bytes" for m in state.models)),
                *_section("Pipelines", (line for told in state.pipelines.values() for line in _pipeline(told))),
                *_section("What happened last", self._trace.lines()),
                *_section("What the node wrote last", redacted(last_words, self._names)),
            )
        )

    def take_over(self, before: Reports) -> None:
        """Leave out the names too that those knew."""
        self._names |= before._names

    def _learn(self) -> None:
        self._names.update(private_names(self._state))


def private_names(state: NodeState) -> tuple[str, ...]:
    """What PCs, models, people and folders are called here, as far as it is known."""
    peers = ((peer.name, peer.address, peer.node, *peer.running) for peer in state.peers)
    models = (model.name for peer in state.peers for model in peer.whole)
    members = (name for member in state.members for name in (member.name, member.node))
    own = (platform.node(), _user(), str(Path.home()), Path.home().name)
    ready = (state.ready.name, state.ready.host, state.ready.node) if state.ready else ()
    told = state.node_preferences
    key = (told.api_key, told.preferences.name) if told else ()
    named = (*(name for names in peers for name in names), *models, *members, *own, *ready, *key, *state.pipelines)
    return tuple({name for name in (*named, *(model.name for model in state.models)) if len(name) > 1})


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # nobody by name: a service without an account
        return ""


def _section(title: str, lines: Iterable[str]) -> list[str]:
    return [title, *(f"  {line}" for line in lines or ()), ""]


def _versions() -> list[str]:
    found = [f"idlepool {version('idlepool')}", f"Python {platform.python_version()}", f"Qt {qVersion()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} is not installed")
    return found


def _machine(state: NodeState) -> list[str]:
    screens = ", ".join(
        f"{s.size().width()}x{s.size().height()} at {s.devicePixelRatio():g}" for s in QGuiApplication.screens()
    )
    lines = [
        f"{platform.system()} {platform.release()} on {platform.machine()}",
        f"display: {QGuiApplication.platformName()}, {screens}",
    ]
    if facts := state.machine:
        free = "unknown" if facts.disk_free_bytes is None else f"{facts.disk_free_bytes / 1e9:.0f} GB free"
        lines.append(f"memory: {facts.memory_bytes / 1e9:.0f} GB; disk: {free}")
        lines += [f"device: {_device(device)}" for device in facts.devices]
    return lines


def _node(state: NodeState) -> list[str]:
    lines = ["listens" if state.ready else "does not listen"]
    if lending := state.lending:
        reason = lending.reason if lending.reason in _REASONS else LEFT_OUT
        lines.append(f"lending: {lending.mode}, {'yes' if lending.lends else 'no'} ({reason})")
        lines.append(f"rules: {'kept' if lending.rules else 'none, it was started to lend always'}")
    if told := state.node_preferences:
        lines.append(f"API: {'on' if told.preferences.api_on else 'off'}, {'trouble' if told.api_problem else 'fine'}")
        lines.append(f"limit for model files: {told.preferences.model_bytes_per_s} bytes/s")
    return lines


def _peer(peer: PeerInfo) -> str:
    """A PC without its name."""
    who = "this PC" if peer.here else "a PC"
    build = peer.build if re.fullmatch(r"\d{1,4}(\.\d{1,4}){0,3}", peer.build) else LEFT_OUT
    found = f", found: {peer.found}" if peer.found else ""
    return f"{who}: {peer.state}, {_phase(peer.phase)}, lends: {peer.lends}, version {build}{found}"


def _pipeline(told: PipelineChanged) -> list[str]:
    stages = (
        f"  [{stage.first}, {stage.last}) on {_device(stage.device)}, {_phase(stage.phase)}, {stage.step_ms:.1f} ms"
        for stage in told.stages
    )
    return [f"{told.state}", *stages]


def _device(told: str) -> str:
    return told if _DEVICE.fullmatch(told) else LEFT_OUT


def _phase(told: str) -> str:
    return told if told in _PHASES else LEFT_OUT
