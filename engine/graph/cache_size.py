"""How much a token adds to the caches of a model: read from its graph file, without loading the graph."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

GROWING = 2
"""Axes without a fixed length in the shape of a cache that grows: the batch, and the tokens so far."""


def cache_values(xml: Path) -> int:
    """Numbers that a token adds to the caches of all layers together; 0 where the graph keeps none.

    Raises:
        ElementTree.ParseError, OSError: the file is no graph.
    """
    values = 0
    for _, element in ElementTree.iterparse(xml):
        if element.tag == "layer":
            data = element.find("data") if element.get("type") == "ReadValue" else None
            if data is not None:
                values += _values(data.get("variable_shape", "").split(","))
            element.clear()
    return values


def _values(shape: list[str]) -> int:
    fixed = [int(length) for length in shape if length.strip().isdecimal()]
    return math.prod(fixed) if len(shape) - len(fixed) >= GROWING else 0
