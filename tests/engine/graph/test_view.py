"""What stages read of one another, in graphs made to be awkward: bit-equal all the same, or refused with the reason."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest
from tiny_model import TinyShape, _Builder

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.cut import ENTRY, cut
from idlepool.engine.graph.view import view
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
F32 = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32", "INFERENCE_NUM_THREADS": 1}
IDS = np.random.default_rng(3).integers(0, 300, (1, 12))


class SharedCaches(_Builder):
    """The last layer attends to the keys and values of the one before it and keeps none itself."""

    def _cache(self, layer: int, kind: str):
        return None if layer == self.shape.layers - 1 else super()._cache(layer, kind)

    def _extend(self, cache, new, variable: str):
        if cache is not None:
            self.extended = {**getattr(self, "extended", {}), variable: super()._extend(cache, new, variable)}
            return self.extended[variable]
        return self.extended[variable.replace(f".{self.shape.layers - 1}.", f".{self.shape.layers - 2}.")]


class EmbeddingForEachLayer(_Builder):
    """Layers up to `deepest` add a row of a table of their own, picked by token id."""

    def __init__(self, deepest: int) -> None:
        super().__init__(TinyShape(), 0)
        self.deepest = deepest

    def _layer(self, layer: int, hidden, caches, mask, rope):
        hidden = super()._layer(layer, hidden, caches, mask, rope)
        if layer > self.deepest:
            return hidden
        table = self._weight(f"layers.{layer}.embed", self.shape.vocabulary, self.shape.hidden, scale=0.1)
        return op.add(hidden, op.gather(table, self.ids, op.constant(np.int64(0))), name=f"layers.{layer}.with_table")


def tiny() -> ov.Model:
    return _Builder(TinyShape(), 0).model()


def nodes(model: ov.Model, kind: str) -> list[ov.Node]:
    return [node for node in model.get_ordered_ops() if node.get_type_name() == kind]


def logits(models: list[ov.Model]) -> np.ndarray:
    """A prompt of eight tokens, then four, one at a time."""
    requests = [CORE.compile_model(model, "CPU", F32).create_infer_request() for model in models]
    found = []
    for start, end in ((0, 8), (8, 9), (9, 10), (10, 11), (11, 12)):
        feeds = {
            "input_ids": IDS[:, start:end],
            "attention_mask": np.ones((1, end), np.int64),
            "position_ids": np.arange(start, end)[None],
            "beam_idx": np.zeros(1, np.int32),
        }
        for request in requests:
            names = [port.get_any_name() for port in request.get_compiled_model().inputs]
            feeds[ENTRY] = request.infer({name: feeds[name] for name in names})[0].copy()
        found.append(feeds[ENTRY][0])
    return np.concatenate(found)


def stages(make: Callable[[], ov.Model]) -> list[ov.Model]:
    """Each layer a stage."""
    layers = find_layers(make()).layers
    return [cut(find_layers(make()), Span(n, n + 1), wire=ElementType.F32) for n in range(layers)]


def test_layers_that_share_a_cache_stay_together() -> None:
    def make() -> ov.Model:
        return SharedCaches(TinyShape(), 0).model()

    parts = stages(make)
    assert [len(part.get_variables()) for part in parts] == [2, 2, 2]
    assert np.array_equal(logits(parts), logits([make()]))


def test_what_reads_the_tokens_again_stays_with_the_first_layer() -> None:
    def make() -> ov.Model:
        return EmbeddingForEachLayer(deepest=1).model()

    parts = stages(make)
    assert [len(part.get_variables()) for part in parts] == [4, 2, 2]
    assert np.array_equal(logits(parts), logits([make()]))


def test_an_embedding_for_every_layer_is_refused_by_the_tensors_that_would_cross() -> None:
    with pytest.raises(ModelCannotBeCut, match=r"at least 2 tensors would have to cross \(.+, input_ids\)"):
        find_layers(EmbeddingForEachLayer(deepest=3).model())


def with_total_from_first_keys() -> ov.Model:
    """The mask is as long as the first layer's extended keys say, not as past and tokens say together."""
    model = tiny()
    keys = next(
        node
        for node in nodes(model, "Concat")
        if any(user.get_node().get_type_name() == "Assign" for user in node.output(0).get_target_inputs())
    )
    total = next(node for node in nodes(model, "Add") if node.get_output_partial_shape(0) == ov.PartialShape([]))
    length = op.gather(op.shape_of(keys, "i64"), op.constant(2), op.constant(0))
    for user in list(total.output(0).get_target_inputs()):
        user.replace_source_output(length.output(0))
    return model


def with_past_of_last_cache() -> ov.Model:
    """The mask takes the past length from the last layer, which the first stage does not have."""
    model = tiny()
    last = nodes(model, "ReadValue")[-1]
    shape = next(node for node in nodes(model, "ShapeOf") if node.input_value(0).get_node().get_type_name() == "Gather")
    shape.input(0).replace_source_output(last.output(0))
    return model


@pytest.mark.parametrize("make", [with_total_from_first_keys, with_past_of_last_cache])
def test_lengths_of_other_stages_are_counted_on_what_the_stage_has(make: Callable[[], ov.Model]) -> None:
    whole = logits([tiny()])
    assert np.array_equal(logits([make()]), whole)
    assert np.array_equal(logits(stages(make)), whole)


def test_a_shape_that_cannot_be_told_is_refused() -> None:
    model = tiny()
    first, *_, last = [node for node in nodes(model, "Add") if node.get_output_partial_shape(0).rank == ov.Dimension(3)]
    flat = op.reshape(first, op.constant([-1]), False)
    count = op.convert(op.shape_of(flat, "i64"), "f32")
    added = op.add(last.input_value(0), count)
    last.input(0).replace_source_output(added.output(0))
    model.validate_nodes_and_infer_types()
    anatomy = find_layers(model)
    view(anatomy, Span(0, 1))
    with pytest.raises(ModelCannotBeCut, match="what its dimensions count cannot be told"):
        view(anatomy, Span(3, 4))


def test_spans_tile_every_family(family) -> None:
    anatomy = find_layers(CORE.read_model(family / "openvino_model.xml"))
    kinds = anatomy.snapshot.kinds
    views = [view(anatomy, Span(n, n + 1)) for n in range(anatomy.layers)]
    assert anatomy.layers in (4, 5)
    for kind in ("ReadValue", "Assign", "ScaledDotProductAttention"):
        found = [i for each in views for i in each.kept if kinds[i] == kind]
        assert sorted(found) == anatomy.snapshot.of_kind(kind)
