from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.graph.weight_ranges import ByteRange
from idlepool.engine.models.chunking import cut_into_chunks

byte_ranges = st.builds(ByteRange, st.integers(0, 200), st.integers(1, 60))
layers = st.lists(st.lists(byte_ranges, max_size=6), min_size=1, max_size=5)


def places(ranges) -> set[int]:
    return {place for item in ranges for place in range(item.offset, item.end)}


@given(layers, st.integers(1, 50))
def test_chunks_tile_exactly_what_the_layers_read(ranges, most):
    chunks, _ = cut_into_chunks(ranges, most=most)
    assert places(chunks) == places(item for layer in ranges for item in layer)
    assert all(before.end <= after.offset for before, after in pairwise(chunks))
    assert all(1 <= chunk.length <= most for chunk in chunks)


@given(layers, st.integers(1, 50), st.data())
def test_the_chunks_of_a_span_are_exactly_its_bytes(ranges, most, data):
    chunks, layer_chunks = cut_into_chunks(ranges, most=most)
    first = data.draw(st.integers(0, len(ranges) - 1))
    last = data.draw(st.integers(first + 1, len(ranges)))
    indices = {index for layer in layer_chunks[first:last] for index in layer}
    assert places(chunks[index] for index in indices) == places(item for layer in ranges[first:last] for item in layer)


def test_neighbouring_bytes_of_the_same_layers_share_a_chunk():
    chunks, layer_chunks = cut_into_chunks([[ByteRange(0, 10), ByteRange(10, 10)], [ByteRange(15, 15)]])
    assert chunks == (ByteRange(0, 15), ByteRange(15, 5), ByteRange(20, 10))
    assert layer_chunks == ((0, 1), (1, 2))
