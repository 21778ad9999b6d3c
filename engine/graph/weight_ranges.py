"""Which bytes of the weights file each layer reads, and how many of them a token multiplies with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import openvino as ov

from idlepool.engine.graph.boundaries import Anatomy
from idlepool.engine.graph.snapshot import Snapshot
from idlepool.engine.graph.view import view
from idlepool.engine.types import Span

SHAPE_TYPES = (ov.Type.i64, ov.Type.i32)

MAX_SHAPE_BYTES = 1024
"""Shapes, axes and slices are short; longer integer constants are tables that belong to their layer."""


@dataclass(frozen=True, slots=True, order=True)
class ByteRange:
    """Bytes `[offset, offset + length)` of the weights file."""

    offset: int
    length: int

    @property
    def end(self) -> int:
        """The first byte after it."""
        return self.offset + self.length


def constants_in_file(xml: Path) -> dict[str, ByteRange]:
    """The byte range of each constant, by friendly name, as the graph file states it.

    Raises:
        ElementTree.ParseError, OSError: the file is no graph.
    """
    ranges = {}
    for _, element in ElementTree.iterparse(xml):
        if element.tag == "layer" and element.get("type") == "Const":
            data = element.find("data")
            if data is not None and data.get("offset") is not None:
                ranges[element.get("name", "")] = ByteRange(int(data.get("offset", 0)), int(data.get("size", 0)))
            element.clear()
    return ranges


def layer_ranges(anatomy: Anatomy, constants: dict[str, ByteRange]) -> tuple[tuple[ByteRange, ...], ...]:
    """For each layer the ranges it reads, merged; the embedding counts to the first layer, the head to the last.

    Every layer's include the skeleton: the shapes without which OpenVINO does not even read the graph.
    """
    snapshot = anatomy.snapshot
    skeleton = [_range_of(snapshot, i, constants) for i in _skeleton(snapshot)]
    return tuple(
        merge(skeleton + [_range_of(snapshot, i, constants) for i in kept if snapshot.kinds[i] == "Constant"])
        for kept in _layers(anatomy)
    )


def layer_costs(anatomy: Anatomy, constants: dict[str, ByteRange]) -> tuple[int, ...]:
    """For each layer the bytes that one token multiplies with: all weights that reach a MatMul, so no embedding table.

    Reading weights is what a decode step waits for, so a layer's time is proportional to them.
    """
    snapshot = anatomy.snapshot
    carried = snapshot.fed_by(anatomy.tokens)
    costs = []
    for kept in _layers(anatomy):
        multiplied = (_range_of(snapshot, i, constants) for i in _multiplied(snapshot, kept, carried))
        costs.append(sum(r.length for r in merge(multiplied)))
    return tuple(costs)


def merge(ranges: Iterable[ByteRange]) -> tuple[ByteRange, ...]:
    """The same bytes as few ascending ranges that neither touch nor overlap."""
    merged: list[ByteRange] = []
    for item in sorted(r for r in ranges if r.length):
        if merged and item.offset <= merged[-1].end:
            last = merged.pop()
            item = ByteRange(last.offset, max(last.end, item.end) - last.offset)
        merged.append(item)
    return tuple(merged)


def _layers(anatomy: Anatomy) -> Iterator[frozenset[int]]:
    """The nodes of each layer."""
    return (view(anatomy, Span(layer, layer + 1)).kept for layer in range(anatomy.layers))


def _skeleton(snapshot: Snapshot) -> list[int]:
    """The constants that may say how large something is: reading the graph infers every shape, of all layers."""
    return [
        i
        for i in snapshot.of_kind("Constant")
        if snapshot.nodes[i].get_element_type() in SHAPE_TYPES and snapshot.nodes[i].get_byte_size() <= MAX_SHAPE_BYTES
    ]


def _range_of(snapshot: Snapshot, constant: int, ranges: dict[str, ByteRange]) -> ByteRange:
    return ranges.get(snapshot.nodes[constant].get_friendly_name(), ByteRange(0, 0))


def _multiplied(snapshot: Snapshot, kept: frozenset[int], carried: set[int]) -> list[int]:
    """The layer's constants whose values get, through decompression alone, into a MatMul of the layer.

    Decompression is whatever does not depend on the tokens, so no list of its operations is needed; an embedding table
    goes into a Gather by token id and drops out.
    """
    weights = set()
    for matmul in (i for i in kept if snapshot.kinds[i] == "MatMul"):
        weights |= snapshot.ancestors(source for source in snapshot.feeds[matmul] if source not in carried)
    return [i for i in sorted(weights) if snapshot.kinds[i] == "Constant"]
