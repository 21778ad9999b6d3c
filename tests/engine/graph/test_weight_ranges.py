"""A stage that holds only the byte ranges of its layers computes with the very weights of the published model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from families import WITHOUT_FUSED_ATTENTION, family_folder

from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.cut import cut
from idlepool.engine.graph.survey import Survey, survey
from idlepool.engine.graph.weight_ranges import ByteRange, merge
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
GRAPH, WEIGHTS = "openvino_model.xml", "openvino_model.bin"


def sparse_copy(folder: Path, to: Path, ranges: tuple[ByteRange, ...]) -> Path:
    """The model's folder with nothing but zeros outside the ranges."""
    whole = (folder / WEIGHTS).read_bytes()
    held = bytearray(len(whole))
    for each in ranges:
        held[each.offset : each.end] = whole[each.offset : each.end]
    to.mkdir()
    (to / GRAPH).write_bytes((folder / GRAPH).read_bytes())
    (to / WEIGHTS).write_bytes(held)
    return to


def shard(folder: Path, span: Span) -> ov.Model:
    return cut(find_layers(CORE.read_model(folder / GRAPH)), span, wire=ElementType.F32)


def ranges_of(found: Survey, span: Span) -> tuple[ByteRange, ...]:
    return merge(each for layer in span for each in found.ranges[layer])


def check(folder: Path, tmp_path: Path) -> None:
    found = survey(folder / GRAPH)
    assert found.weights_bytes <= (folder / WEIGHTS).stat().st_size
    for span in (Span(0, 1), Span(1, found.layers - 1), Span(found.layers - 1, found.layers)):
        ranges = ranges_of(found, span)
        assert sum(each.length for each in ranges) < 0.8 * found.weights_bytes
        partial = shard(sparse_copy(folder, tmp_path / f"{folder.name}-{span.first}", ranges), span)
        published = shard(folder, span)
        kinds = [node.get_type_name() for node in published.get_ordered_ops()]
        assert [node.get_type_name() for node in partial.get_ordered_ops()] == kinds
        held = [node for node in partial.get_ordered_ops() if node.get_type_name() == "Constant"]
        whole = [node for node in published.get_ordered_ops() if node.get_type_name() == "Constant"]
        for ours, theirs in zip(held, whole, strict=True):
            assert np.array_equal(ours.data, theirs.data, equal_nan=True), theirs.get_friendly_name()


def test_the_ranges_hold_every_constant_of_the_stage(family: Path, tmp_path: Path) -> None:
    check(family, tmp_path)


@pytest.mark.parametrize("name", WITHOUT_FUSED_ATTENTION)
def test_the_ranges_hold_every_constant_whatever_the_attention(name: str, family_cache: Path, tmp_path: Path) -> None:
    check(family_folder(name, family_cache), tmp_path)


def test_costs_follow_the_layers_and_the_head(family: Path) -> None:
    found = survey(family / GRAPH)
    middle = found.costs[1:-1]
    assert min(middle) > 0
    assert max(middle) <= 1.6 * min(middle)
    assert found.costs[-1] > max(middle)
    assert found.vocabulary == 300
    assert found.hidden == 64


@pytest.mark.parametrize("name", ["llama_tied_int4", "gpt_oss"])
def test_logits_from_sparse_weights_are_bit_equal(name: str, family_cache: Path, tmp_path: Path) -> None:
    folder = family_folder(name, family_cache)
    found = survey(folder / GRAPH)
    half = found.layers // 2
    spans = (Span(0, half), Span(half, found.layers))
    partial = [sparse_copy(folder, tmp_path / str(span.first), ranges_of(found, span)) for span in spans]
    reference = _logits([shard(folder, span) for span in spans])
    assert np.array_equal(_logits([shard(part, span) for part, span in zip(partial, spans, strict=True)]), reference)
    swapped = [shard(part, span) for part, span in zip(reversed(partial), spans, strict=True)]
    assert not np.array_equal(_logits(swapped), reference)


def _logits(stages: list[ov.Model]) -> np.ndarray:
    rows = np.arange(3, 19)[None]
    for stage in stages:
        compiled = CORE.compile_model(stage, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
        names = [port.get_any_name() for port in compiled.inputs]
        feeds = {
            "attention_mask": np.ones((1, 16), np.int64),
            "position_ids": np.arange(16)[None],
            "beam_idx": np.zeros(1, np.int32),
        }
        rows = compiled({name: feeds.get(name, rows) for name in names})[0].copy()
    return rows
