"""Is a model safe to spread? Each form, split, against a whole model, on this PC's CPU; what `models check` tells.

stateful  against the published model itself, driven by hand: every logit equal
paged     against the paged form of the whole model: every logit equal
static    against the published model, in f32 with exact activations: every logit within TOLERANCE of the largest,
          the same arg-max in every row
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.base import Batch
from idlepool.engine.backends.device import compile_options, inference_precision
from idlepool.engine.backends.load import ShardRequest
from idlepool.engine.backends.loaders import LOADERS, REFUSALS
from idlepool.engine.backends.published import Published
from idlepool.engine.backends.stateful import StatefulShard
from idlepool.engine.graph.kv_gather import inject_gathers, unfused_states
from idlepool.engine.graph.survey import survey
from idlepool.engine.models.manifest import SETTINGS_FILE
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Backend, ElementType, Span

TOLERANCE = 1e-5

CHUNKS = (24, 1, 4, 1)
"""Tokens of the segments: a prefill, then steps of one and of several."""

EXACT_ACTIVATIONS = {"DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
"""Compressed weights otherwise meet activations of 8 bits, which blow rounding up."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What the check found."""

    family: str
    """What config.json calls the architecture; "" where there is none."""
    layers: int
    boundaries: int
    """Places between two layers where it can be parted."""
    fused_layers: int
    """Attentions that the CPU plugin runs together with their caches, over all stages of the stateful form."""
    gathers_added: int
    """States that the export left without the Gather or the initialiser that the fusion needs; loading puts them in."""
    unfused_states: dict[str, str]
    """For each state that even so is fused with no attention, why not."""
    equal: dict[str, bool]
    """For each form whether it equals; False too where the model has no such form, see `refused`."""
    max_abs_diff: float
    """Largest difference of a logit, stateful and paged."""
    static_relative_diff: float | None
    refused: dict[str, str]
    """For each form that the model has not, why."""


def check_model(folder: Path, *, stages: int) -> ModelCheck:
    """Check the model in `folder`, spread over `stages` stages of about as many layers each.

    Raises:
        NotAModel, ModelCannotBeCut, ModelDamaged: it cannot be read or parted.
    """
    found = survey(folder / "openvino_model.xml")
    stages = max(1, min(stages, found.layers))
    marks = [round(i * found.layers / stages) for i in range(stages + 1)]
    ids = np.random.default_rng(0).integers(0, found.vocabulary, sum(CHUNKS)).astype(np.int32)
    model = ov.Core().read_model(folder / "openvino_model.xml")
    gathers_added = inject_gathers(model)
    checker = _Checker(folder, marks, ids)
    stateful = checker.tried(Backend.STATEFUL, checker.stateful)
    paged = checker.tried(Backend.PAGED, checker.paged)
    static = checker.tried(Backend.STATIC, checker.static)
    return ModelCheck(
        family=_family(folder),
        layers=found.layers,
        boundaries=found.layers - 1,
        fused_layers=checker.fused,
        gathers_added=gathers_added,
        unfused_states=unfused_states(model),
        equal={
            "stateful": stateful == 0,
            "paged": paged == 0,
            "static": static is not None and static <= TOLERANCE,
        },
        max_abs_diff=max((d for d in (stateful, paged) if d is not None), default=0.0),
        static_relative_diff=static,
        refused=checker.refused,
    )


class _Checker:
    """One model, one split, the same tokens for every form."""

    def __init__(self, folder: Path, marks: list[int], ids: npt.NDArray[np.int32]) -> None:
        self._folder = folder
        self._marks = marks
        self._ids = ids
        self.fused = 0
        self.refused: dict[str, str] = {}

    def tried(self, backend: Backend, check: Callable[[], float]) -> float | None:
        """The difference that a check finds; None where the model has no such form."""
        try:
            return check()
        except REFUSALS as error:
            self.refused[backend.value] = str(error).strip().splitlines()[-1]
            return None

    def stateful(self) -> float:
        """Largest difference of a logit."""
        core = ov.Core()
        wire = inference_precision(core, "CPU")
        options = compile_options(wire, device="CPU")
        return _largest(self._published(core, options) - self._split(core, wire, Backend.STATEFUL, self._marks))

    def paged(self) -> float:
        """Largest difference of a logit."""
        core = ov.Core()
        wire = inference_precision(core, "CPU")
        whole = self._split(core, wire, Backend.PAGED, [0, self._marks[-1]])
        return _largest(whole - self._split(core, wire, Backend.PAGED, self._marks))

    def static(self) -> float:
        """Largest difference of a logit relative to the largest logit; infinite where an arg-max differs."""
        core = ov.Core()
        core.set_property("CPU", EXACT_ACTIVATIONS)
        options = compile_options(ElementType.F32, device="CPU")
        expected = self._published(core, options)
        found = self._split(core, ElementType.F32, Backend.STATIC, self._marks)
        if not np.array_equal(expected.argmax(axis=1), found.argmax(axis=1)):
            return float("inf")
        return _largest(expected - found) / _largest(expected)

    def _published(self, core: ov.Core, options: dict[str, str | int]) -> Floats:
        model = Published(core, self._folder, "CPU", options)
        return np.concatenate([model.logits(self._ids[a:b], a) for a, b in _chunks()])

    def _split(self, core: ov.Core, wire: ElementType, backend: Backend, marks: list[int]) -> Floats:
        """Logits of all rows, from stages that are loaded one after another: none need be in memory together."""
        rows: list[npt.NDArray[Any]] = [self._ids[a:b] for a, b in _chunks()]
        for first, last in pairwise(marks):
            shard = LOADERS[backend](core, ShardRequest(self._folder, Span(first, last), "CPU", wire))
            self.fused += shard.fused_layers if isinstance(shard, StatefulShard) else 0
            for index, (start, end) in enumerate(_chunks()):
                segment = Segment(1, start, end - start, sample=end - start)
                output = shard.run(Batch((segment,), rows[index]))
                computed = output.hidden if output.hidden is not None else output.logits
                assert computed is not None
                rows[index] = computed.copy()
        return np.concatenate(rows)


def _chunks() -> list[tuple[int, int]]:
    """First position of each segment, and one past its last."""
    ends = np.cumsum(CHUNKS).tolist()
    return list(zip([0, *ends], ends, strict=False))


def _largest(values: Floats) -> float:
    return float(np.abs(values).max())


def _family(folder: Path) -> str:
    """What the model's own settings say, or those that our conversions write; empty where neither does."""
    for name in ("config.json", SETTINGS_FILE):
        try:
            said = msgspec.json.decode((folder / name).read_bytes(), type=_Config)
        except (OSError, msgspec.DecodeError):
            continue
        if said.model_type or said.family:
            return said.model_type or said.family
    return ""


class _Config(msgspec.Struct):
    model_type: str = ""
    family: str = ""
