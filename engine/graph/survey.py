"""One look at a published model: is it a language model that can be spread, how many layers, which bytes for each.

Done once, where a model is added; everything a PC must know before it holds a byte of the model comes from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import openvino as ov

from idlepool.engine.errors import NotAModel
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.weight_ranges import ByteRange, constants_in_file, layer_costs, layer_ranges


@dataclass(frozen=True, slots=True)
class Survey:
    """What the graph says of a model."""

    layers: int
    hidden: int
    """Width of the tensor between layers."""
    vocabulary: int
    ranges: tuple[tuple[ByteRange, ...], ...]
    """For each layer the bytes of the weights file that it reads."""
    costs: tuple[int, ...]
    """For each layer the weight bytes that one token multiplies with."""
    weights_bytes: int
    """The least length the weights file must have."""


def survey(xml: Path) -> Survey:
    """Survey the model whose graph is `xml`; its weights must lie beside it.

    Raises:
        NotAModel: OpenVINO cannot read it, or it is no language model.
        ModelCannotBeCut: no boundary between two of its layers.
    """
    try:
        model = ov.Core().read_model(xml)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1].rstrip(".")
        raise NotAModel(str(xml.parent), f"OpenVINO cannot read {xml.name} ({reason})") from error
    anatomy = find_layers(model)
    logits = model.outputs[0].get_partial_shape()
    if logits.rank.is_dynamic or logits[-1].is_dynamic:
        raise NotAModel(str(xml.parent), f"its output {logits} has no vocabulary of known size")
    constants = constants_in_file(xml)
    return Survey(
        layers=anatomy.layers,
        hidden=anatomy.hidden,
        vocabulary=int(logits[-1].get_length()),
        ranges=layer_ranges(anatomy, constants),
        costs=layer_costs(anatomy, constants),
        weights_bytes=max((r.end for r in constants.values()), default=0),
    )
