"""Fetched layers stay within the owner's cap, and what is needed is never what goes."""

from __future__ import annotations

from idlepool.engine.simulation.kept_layers import KeptLayers, LayerSizes
from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.types import Span

SIZES = LayerSizes(Shape(layers=10).manifest())
LAYER = SIZES.bytes[1]


def kept(layers, *, whole=False):
    return KeptLayers(SIZES, most_bytes=layers * LAYER, whole=whole)


def fetch(disk, span):
    return sum(disk.add(layer, needed=set(span)) for layer in disk.missing(span))


def test_what_was_used_longest_ago_makes_room():
    disk = kept(4)
    assert fetch(disk, Span(1, 3)) == 2 * LAYER
    fetch(disk, Span(4, 6))
    disk.use(Span(1, 3))
    fetch(disk, Span(7, 9))
    assert disk.missing(Span(1, 9)) == [3, 4, 5, 6]
    assert disk.bytes == 4 * LAYER


def test_what_is_needed_stays_though_the_cap_is_passed():
    disk = kept(2)
    fetch(disk, Span(1, 5))
    assert disk.missing(Span(1, 5)) == []


def test_the_planner_hears_of_the_chunks_of_kept_layers():
    disk = kept(4)
    fetch(disk, Span(2, 4))
    assert disk.chunks == set(SIZES.manifest.chunks_of(Span(2, 4)))
    assert kept(0, whole=True).chunks == set(range(len(SIZES.manifest.chunks)))
    assert kept(0, whole=True).missing(Span(0, 10)) == []
