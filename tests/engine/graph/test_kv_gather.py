"""The Gather of each cache: its absence is seen and costs the fusion; put in again, nothing computed has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from families import family_folder
from openvino._offline_transformations import (
    apply_make_stateful_transformation,
    stateful_to_stateless_transformation,
)

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.cut import ENTRY, cut
from idlepool.engine.graph.kv_gather import fused_layers, inject_gathers, unfused_states
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
F32 = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32", "INFERENCE_NUM_THREADS": 1}
STRIPPED = ("llama", "gpt_oss", "gpt_bigcode", "bloom", "falcon_grouped")
"""Grouped heads, sinks and windows, one head of keys for all, linear biases, a packed projection."""


def published(name: str, cache: Path) -> ov.Model:
    return CORE.read_model(family_folder(name, cache) / "openvino_model.xml")


def without_gathers(model: ov.Model) -> ov.Model:
    for node in model.get_ordered_ops():
        if node.get_type_name() == "Gather" and node.input_value(0).get_node().get_type_name() == "ReadValue":
            for user in list(node.output(0).get_target_inputs()):
                user.replace_source_output(node.input_value(0))
    return model


def made_stateful_again(model: ov.Model) -> ov.Model:
    """As an exporter without any of it would: no Gather, no initialiser, no beam_idx."""
    stateful_to_stateless_transformation(model)
    names = [port.get_any_name() for port in model.inputs if port.get_any_name().startswith("past_key_values.")]
    apply_make_stateful_transformation(model, {name: name.replace("past_key_values", "present") for name in names})
    return model


def compiled(model: ov.Model) -> ov.CompiledModel:
    return CORE.compile_model(model, "CPU", F32)


def logits(*stages: ov.CompiledModel) -> np.ndarray:
    """A prompt, a token, three tokens."""
    requests = [(stage.create_infer_request(), [port.get_any_name() for port in stage.inputs]) for stage in stages]
    ids = np.arange(3, 23)[None] * 7 % 300
    found = []
    for start, end in ((0, 16), (16, 17), (17, 20)):
        feeds = {
            "input_ids": ids[:, start:end],
            "attention_mask": np.ones((1, end), np.int64),
            "position_ids": np.arange(start, end)[None],
            "beam_idx": np.zeros(1, np.int32),
        }
        for request, names in requests:
            feeds[ENTRY] = request.infer({name: feeds[name] for name in names})[0].copy()
        found.append(feeds[ENTRY][0])
    return np.concatenate(found)


def stages(make: Callable[[], ov.Model]) -> list[ov.CompiledModel]:
    """Each layer a stage."""
    layers = find_layers(make()).layers
    return [compiled(cut(find_layers(make()), Span(n, n + 1), wire=ElementType.F32)) for n in range(layers)]


@pytest.mark.parametrize("name", STRIPPED)
def test_injected_gathers_bring_back_the_fusion_and_change_no_logit(name: str, family_cache: Path) -> None:
    whole = compiled(published(name, family_cache))
    model = without_gathers(published(name, family_cache))
    states = len(model.get_variables())
    assert len(unfused_states(model)) == states
    assert fused_layers(compiled(model.clone())) == 0
    assert inject_gathers(model) == states
    assert unfused_states(model) == {}
    again = compiled(model)
    assert fused_layers(again) == fused_layers(whole) == states // 2
    assert np.array_equal(logits(again), logits(whole))


@pytest.mark.parametrize("name", STRIPPED)
def test_states_made_without_initialisers_get_them_too(name: str, family_cache: Path) -> None:
    model = made_stateful_again(published(name, family_cache))
    assert set(unfused_states(model).values()) == {"it has no initialiser"}
    assert inject_gathers(model) == len(model.get_variables())
    assert {"beam_idx"} in [port.get_names() for port in model.inputs]
    again = compiled(model)
    assert fused_layers(again) == len(model.get_variables()) // 2
    assert np.array_equal(logits(again), logits(compiled(published(name, family_cache))))


@pytest.mark.parametrize("name", STRIPPED[:3])
def test_layers_part_with_and_without_gathers(name: str, family_cache: Path) -> None:
    def bare() -> ov.Model:
        return without_gathers(published(name, family_cache))

    def injected() -> ov.Model:
        model = made_stateful_again(published(name, family_cache))
        inject_gathers(model)
        return model

    parts = stages(injected)
    assert [fused_layers(part) for part in parts] == [1] * len(parts)
    assert np.array_equal(logits(*parts), logits(compiled(published(name, family_cache))))
    assert np.array_equal(logits(*stages(bare)), logits(compiled(bare())))


def test_every_family_is_exported_as_the_fusion_wants_it(family: Path) -> None:
    model = CORE.read_model(family / "openvino_model.xml")
    assert unfused_states(model) == {}
    assert inject_gathers(model) == 0


@pytest.mark.parametrize(
    ("name", "reason"), [("xglm", "before any ScaledDotProduct"), ("gemma3n", "has 2 consumers"), ("lfm2", "consumers")]
)
def test_what_cannot_fuse_says_why(name: str, reason: str, family_cache: Path) -> None:
    assert any(reason in fault for fault in unfused_states(published(name, family_cache)).values())


def test_a_gather_along_another_axis_or_by_another_index_does_not_count(tiny_model: Path) -> None:
    model = CORE.read_model(tiny_model / "openvino_model.xml")
    gathers = [
        node
        for node in model.get_ordered_ops()
        if node.get_type_name() == "Gather" and node.input_value(0).get_node().get_type_name() == "ReadValue"
    ]
    other = ov.opset13.constant(np.zeros(1, np.int32))
    gathers[0].input(1).replace_source_output(other.output(0))
    assert list(unfused_states(model).values()) == ["it is not gathered by beam_idx"]
    assert inject_gathers(model) == 1


def test_a_state_that_does_not_grow_is_refused() -> None:
    zero = ov.opset13.constant(np.zeros((1, 4), np.float32))
    info = ov.op.util.VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([1, 4]), ov.Type.f32, "memory"
    variable = ov.op.util.Variable(info)
    read = ov.opset13.read_value(zero, variable)
    ids = ov.opset13.parameter([-1, -1], ov.Type.i64, name="input_ids")
    ids.output(0).set_names({"input_ids"})
    added = ov.opset13.add(read, ov.opset13.convert(ids, "f32"))
    model = ov.Model([ov.opset13.result(added)], [ov.opset13.assign(read, variable)], [ids], [variable])
    read.set_arguments([])
    with pytest.raises(ModelCannotBeCut, match="does not grow with the tokens"):
        inject_gathers(model)
