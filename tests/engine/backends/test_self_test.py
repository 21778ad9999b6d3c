"""The self-test passes what computes as the CPU does, fails what does not, and says what is reproducible."""

from dataclasses import replace

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.backends import load as load_module
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import load_paged, load_stateful
from idlepool.engine.backends.loaders import LOADERS
from idlepool.engine.backends.probe_model import build_probe
from idlepool.engine.backends.self_test import LEAST_COSINE, reference_on_cpu, self_test
from idlepool.engine.types import Backend, ElementType, Span

CORE = ov.Core()
NATIVE = inference_precision(CORE, "CPU")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory):
    return reference_on_cpu(CORE, build_probe(tmp_path_factory.mktemp("probe")))


@pytest.mark.parametrize("wire", [ElementType.F32, ElementType.F16, NATIVE], ids=str)
@pytest.mark.parametrize("backend", list(Backend), ids=str)
def test_the_cpu_passes_in_every_form(backend: Backend, wire: ElementType) -> None:
    verdict = self_test(CORE, LOADERS[backend], "CPU", wire, threads=1)
    assert verdict.passed, verdict.sentence
    assert verdict.reproducible is None


@pytest.mark.parametrize("wire", [ElementType.F32, NATIVE], ids=str)
def test_the_paged_form_is_reproducible_on_the_cpu(wire: ElementType) -> None:
    assert self_test(CORE, load_paged, "CPU", wire, repeats=True).reproducible is True


def test_a_quantised_cache_is_seen_not_to_be_reproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    options = load_module.compile_options
    monkeypatch.setattr(load_module, "compile_options", lambda *a, **k: options(*a, **k) | {"KV_CACHE_PRECISION": "u8"})
    verdict = self_test(CORE, load_paged, "CPU", NATIVE, threads=1, repeats=True)
    assert verdict.reproducible is False


def test_a_device_that_skips_a_layer_fails() -> None:
    def load(core, request):
        last = request.span.last if request.span.first else request.span.last - 1
        return load_paged(core, replace(request, span=Span(request.span.first, last)))

    verdict = self_test(CORE, load, "CPU", NATIVE, threads=1)
    assert not verdict.passed
    assert str(LEAST_COSINE) in verdict.sentence


@pytest.mark.parametrize("value", [np.nan, 0.0])
def test_a_wrong_row_fails(reference, value: float) -> None:
    hidden = reference.hidden[0].copy()
    hidden[30] = value
    with np.errstate(invalid="ignore"):
        verdict = self_test(
            CORE, load_stateful, "CPU", NATIVE, reference=replace(reference, hidden=(hidden, reference.hidden[1]))
        )
    assert not verdict.passed
    assert "hidden states" in verdict.sentence


def test_other_choices_fail(reference) -> None:
    logits = np.roll(reference.logits[0], 1, axis=1)
    verdict = self_test(
        CORE, load_stateful, "CPU", NATIVE, reference=replace(reference, logits=(logits, reference.logits[1]))
    )
    assert not verdict.passed
    assert "chooses other tokens" in verdict.sentence


def test_a_device_that_is_not_here_refuses() -> None:
    with pytest.raises(RuntimeError):
        self_test(CORE, load_paged, "GPU.7", ElementType.F16)
