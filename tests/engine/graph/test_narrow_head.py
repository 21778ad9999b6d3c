"""A narrowed head gives the same logits for the ids that are left, in each form that compressed weights have."""

from __future__ import annotations

import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest

from idlepool.engine.graph.narrow_head import narrow_head

CORE = ov.Core()
VOCABULARY, HIDDEN, GROUP = 300, 64, 16
DICE = np.random.default_rng(4)
IDS = np.array([0, 7, 8, 250, 299])


def plain() -> ov.Node:
    return op.constant(DICE.normal(size=(VOCABULARY, HIDDEN)).astype(np.float32))


def scaled() -> ov.Node:
    codes = op.constant(DICE.integers(-127, 128, (VOCABULARY, HIDDEN)).astype(np.int8))
    scale = op.constant(DICE.random((VOCABULARY, 1)).astype(np.float16))
    return op.convert(op.multiply(op.convert(codes, "f16"), scale), "f32")


def grouped() -> ov.Node:
    shape = (VOCABULARY, HIDDEN // GROUP, GROUP)
    codes = op.convert(op.constant(DICE.integers(0, 256, shape).astype(np.uint8)), "f16")
    centred = op.subtract(codes, op.convert(op.constant(np.uint8(128)), "f16"))
    weights = op.multiply(centred, op.constant(DICE.random((*shape[:2], 1)).astype(np.float16)))
    return op.convert(op.reshape(weights, np.array([VOCABULARY, HIDDEN]), special_zero=False), "f32")


def model(weights: ov.Node, *, transposed: bool = True) -> ov.Model:
    hidden = op.parameter([-1, HIDDEN if transposed else VOCABULARY], np.float32)
    return ov.Model([op.result(op.matmul(hidden, weights, False, transposed))], [hidden])


@pytest.mark.parametrize("form", [plain, scaled, grouped])
def test_the_logits_left_are_the_same(form) -> None:
    whole, hidden = model(form()), DICE.normal(size=(3, HIDDEN)).astype(np.float32)
    options = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
    wanted = CORE.compile_model(whole.clone(), "CPU", options)(hidden)[0][:, IDS]
    assert narrow_head(whole, IDS)
    found = CORE.compile_model(whole, "CPU", options)(hidden)[0]
    assert np.allclose(found, wanted, rtol=1e-5, atol=1e-4)


def test_a_head_of_another_form_is_left_alone() -> None:
    other = model(plain(), transposed=False)
    assert not narrow_head(other, IDS)
    assert other.get_results()[0].get_output_partial_shape(0)[-1].get_length() == HIDDEN
