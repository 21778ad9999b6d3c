"""Every family in static form, two stages, against its published model: prefill, decode, rewind, company."""

from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from published import EXACT, Published

from idlepool.engine.backends.base import Batch
from idlepool.engine.backends.load import ShardRequest, load_static
from idlepool.engine.backends.ring import Ring
from idlepool.engine.backends.static import StaticShard, StaticSizes
from idlepool.engine.errors import NoStaticForm
from idlepool.engine.graph.survey import survey
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

WITHOUT_STATIC_FORM = {"granitemoe": r"block_sparse_moe\S+ depends on its values"}
"""An expert takes as many rows as choose it: no graph of fixed shapes, so these stay on the GPU and the CPU."""

# One graph, of as many rows as most families here have heads.
SIZES = StaticSizes(users=2, ring=Ring(slots=64), decode=4, prefill=4)
LAYERS_BEFORE = 2
CORE = ov.Core()
CORE.set_property("CPU", {"DYNAMIC_QUANTIZATION_GROUP_SIZE": EXACT["DYNAMIC_QUANTIZATION_GROUP_SIZE"]})
IDS = np.random.default_rng(0).integers(5, 290, 40).astype(np.int32)


def load(folder: Path) -> list[StaticShard]:
    layers = survey(folder / "openvino_model.xml").layers
    spans = (Span(0, LAYERS_BEFORE), Span(LAYERS_BEFORE, layers))
    return [
        load_static(CORE, ShardRequest(folder, span, "CPU", ElementType.F32, threads=1), sizes=SIZES) for span in spans
    ]


def run(stages: list[StaticShard], *segments: tuple[int, int, np.ndarray]) -> np.ndarray:
    """Logits of all rows of a batch of (sequence, start, ids)."""
    batch = tuple(Segment(sequence, start, len(ids), sample=len(ids)) for sequence, start, ids in segments)
    hidden = stages[0].run(Batch(batch, np.concatenate([ids for _, _, ids in segments]))).hidden
    return stages[1].run(Batch(batch, hidden)).logits


def test_every_family_computes_what_its_published_model_computes(family: Path) -> None:
    if family.name in WITHOUT_STATIC_FORM:
        with pytest.raises(NoStaticForm, match=WITHOUT_STATIC_FORM[family.name]):
            load(family)
        return
    stages = load(family)
    expected = Published(family).all_logits(IDS)
    logits = [run(stages, (1, 0, IDS[:25]))]
    run(stages, (1, 25, IDS[:3]), (2, 0, IDS[3:8]))
    logits.append(run(stages, (1, 25, IDS[25:26]), (2, 5, IDS[:2]))[:1])
    logits.append(run(stages, (1, 26, IDS[26:])))
    found = np.concatenate(logits)
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()
    assert np.array_equal(found.argmax(axis=1), expected.argmax(axis=1))
