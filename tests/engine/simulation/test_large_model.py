"""The played model is as large as its shape says, and its layers are all of it."""

from __future__ import annotations

import pytest

from idlepool.engine.models.chunking import CHUNK_BYTES
from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.types import Span


def test_seventy_billion_parameters_take_four_bits_and_a_little_more():
    shape = Shape()
    parameters = shape.layers * shape.layer_weights + 2 * shape.vocabulary * shape.hidden
    assert parameters / 1e9 == pytest.approx(70.6, abs=0.1)
    assert shape.manifest().weights_bytes / parameters == pytest.approx(0.534, abs=0.001)


def test_a_token_takes_keys_and_values_in_each_layer():
    assert Shape().cache_bytes == 80 * (8 * 128) * 2 * 2


def test_the_layers_are_all_of_the_model_and_share_nothing():
    manifest = Shape(layers=5).manifest()
    chunks = [chunk for layer in manifest.layer_chunks for chunk in layer]
    assert sorted(chunks) == list(range(len(manifest.chunks)))
    assert manifest.bytes_of(chunks) == manifest.weights_bytes
    assert max(chunk.length for chunk in manifest.chunks) <= CHUNK_BYTES
    first, middle, last = (manifest.bytes_of(manifest.chunks_of(Span(at, at + 1))) for at in (0, 2, 4))
    assert first - middle == Shape().embedding_bytes
    assert last - middle == Shape().embedding_bytes
    assert manifest.layer_costs[4] - manifest.layer_costs[0] == Shape().embedding_bytes  # the embedding is looked up
