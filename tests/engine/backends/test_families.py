"""Every family, split: the published model's own logits to the last bit, and as many fused layers as it has unsplit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from families import VOCABULARY, WITHOUT_FUSED_ATTENTION, family_folder

from idlepool.engine.backends.base import Batch
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.stateful import StatefulShard
from idlepool.engine.graph.boundaries import Anatomy, find_layers
from idlepool.engine.graph.cut import cut
from idlepool.engine.graph.kv_gather import fused_layers
from idlepool.engine.graph.sampled_rows import pick_sampled_rows
from idlepool.engine.graph.sizes import growing_axis
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
DEFAULT = inference_precision(CORE, "CPU")
FORMS = {
    "f32": (ElementType.F32, "f32"),
    "default precision": (DEFAULT, "u8"),
    "default precision, exact cache": (DEFAULT, DEFAULT.value),
}

IDS = np.random.default_rng(0).integers(3, VOCABULARY, 32).astype(np.int32)
SEGMENTS = ((0, IDS[:24]), (24, IDS[24:25]), (25, IDS[25:29]), (29, IDS[29:30]))
"""(start, ids): a prompt longer than any family's window, a token, a verified draft, a token."""
REWOUND = ((25, IDS[30:32]), (27, IDS[:1]))
"""What comes instead of the draft."""


def compile_for(model: ov.Model, form: str) -> ov.CompiledModel:
    wire, cache = FORMS[form]
    options = {"INFERENCE_PRECISION_HINT": wire.value, "KV_CACHE_PRECISION": cache, "INFERENCE_NUM_THREADS": 1}
    return CORE.compile_model(model, "CPU", options)


def axes_of(anatomy: Anatomy) -> dict[str, int]:
    snapshot = anatomy.snapshot
    reads = [read for reads in anatomy.states for read in reads]
    names = {snapshot.variable(read): snapshot.nodes[read].get_output_partial_shape(0) for read in reads}
    return {name: growing_axis(name, shape) for name, shape in names.items()}


class Pipeline:
    """Stages in a row, or the published model as the only one."""

    def __init__(self, compiled: list[ov.CompiledModel], axes: dict[str, int], form: str) -> None:
        self.fused = sum(fused_layers(each) for each in compiled)
        self.stages = [StatefulShard(each, axes, wire=FORMS[form][0]) for each in compiled]

    def logits(self, segments: tuple[tuple[int, np.ndarray], ...], *, sequence: int = 1) -> np.ndarray:
        found = []
        for start, ids in segments:
            rows = ids
            for shard in self.stages:
                output = shard.run(Batch((Segment(sequence, start, len(ids), sample=len(ids)),), rows))
                rows = output.hidden
            found.append(output.logits)
        return np.concatenate(found)


def split(model: ov.Model, spans: list[Span], form: str) -> list[ov.CompiledModel]:
    compiled = []
    for span in spans:
        anatomy = find_layers(model.clone())
        shard = cut(anatomy, span, wire=FORMS[form][0])
        if span.last == anatomy.layers:
            assert pick_sampled_rows(shard)
        compiled.append(compile_for(shard, form))
    return compiled


def check_parity(folder: Path, form: str, *, fused: bool = True) -> None:
    model = CORE.read_model(folder / "openvino_model.xml")
    anatomy = find_layers(model.clone())
    axes, layers = axes_of(anatomy), anatomy.layers
    whole = Pipeline([compile_for(model, form)], axes, form)
    reference = whole.logits(SEGMENTS), whole.logits(REWOUND)
    assert whole.fused == (layers if fused else 0)
    assert np.isfinite(reference[0]).all()
    assert reference[0].std() > 0.1

    half, first, middle, last = split(model, [Span(0, 2), Span(0, 1), Span(1, 2), Span(2, layers)], form)
    for stages in ([half, last], [first, middle, last]):
        pipeline = Pipeline(stages, axes, form)
        assert pipeline.fused == whole.fused
        assert np.array_equal(pipeline.logits(SEGMENTS), reference[0])
        assert np.array_equal(pipeline.logits(REWOUND), reference[1])
        if FORMS[form][1] != "u8":  # what was rejected is as if it had never been there
            unseen = pipeline.logits((*SEGMENTS[:2], *REWOUND), sequence=2)
            assert np.array_equal(unseen[-len(reference[1]) :], reference[1])


@pytest.mark.parametrize("form", FORMS)
def test_every_family_is_bit_equal_in_two_and_three_stages(family: Path, form: str) -> None:
    check_parity(family, form)


@pytest.mark.parametrize("name", WITHOUT_FUSED_ATTENTION)
def test_attention_of_several_operations_is_cut_as_well(name: str, family_cache: Path) -> None:
    for form in FORMS:
        check_parity(family_folder(name, family_cache), form, fused=False)
