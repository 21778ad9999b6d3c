"""The static form of a shard: one graph of fixed shapes and without state, which is all that an NPU compiles.

It is made from the same cut graph as the other forms. Caches are inputs, their new rows are outputs; all that follows
from positions comes in from the geometry, which the host evaluates. Not run on hardware: here it is compared with the
other forms on the CPU.
"""

from __future__ import annotations

from dataclasses import dataclass

import openvino as ov
import openvino.opset13 as op

from idlepool.engine.graph.dimensions import Length, Lengths, Measured, Shape, Tensor, fix_lengths
from idlepool.engine.graph.folding import fold_shapes
from idlepool.engine.graph.geometry import find_geometry
from idlepool.engine.graph.geometry_model import geometry_model, reached
from idlepool.engine.graph.snapshot import Snapshot
from idlepool.engine.graph.stateless import CachePort, open_states
from idlepool.engine.types import ElementType


@dataclass(frozen=True, slots=True)
class StaticInput:
    """An input of the static graph that the geometry fills."""

    name: str
    shape: Shape
    """One axis is Length.TOKENS; a mask's later one is Length.TOTAL, the cache's slots before the new tokens."""
    type: ov.Type
    is_mask: bool
    """Whether the rows choose among positions: a float is then added to scores, a boolean says what is seen."""


class StaticForm:
    """What the static graphs of a shard, of any size, have in common; consumes the shard."""

    def __init__(self, shard: ov.Model, *, wire: ElementType) -> None:
        """Caches take the type `wire`, as the boundary tensors do.

        Raises:
            NoStaticForm: see open_states(), Measured and find_geometry().
        """
        self.caches: tuple[CachePort, ...] = open_states(shard, wire=wire)
        self._shard = shard
        graph = Measured(Snapshot(shard))
        self._ports = find_geometry(graph)
        self.inputs = tuple(
            StaticInput(
                f"geometry.{number}",
                port.shape,
                ov.Type.f32 if port.is_attention_mask else _type(graph.snapshot, port.tensor),
                Length.TOTAL in port.shape,
            )
            for number, port in enumerate(self._ports)
        )
        self.geometry = geometry_model(graph, self._ports)
        """Evaluates `inputs` in their order; see geometry_model() for what it reads."""

    def graph(self, lengths: Lengths) -> ov.Model:
        """The static graph for `lengths.tokens` rows on a cache of `lengths.past` slots; `lengths.rows` get logits.

        Inputs: `input_ids` or `inputs_embeds`, the caches, those of `inputs`, and in the last stage `sampled_rows`.
        Outputs: the shard's own, then the caches' new rows.

        Raises:
            NoStaticForm: see fix_lengths().
        """
        model = self._shard.clone()
        nodes = list(model.get_ordered_ops())
        for port, static in zip(self._ports, self.inputs, strict=True):
            parameter = op.parameter([lengths.of(size) for size in static.shape], static.type, name=static.name)
            parameter.output(0).set_names({static.name})
            for node, place in port.arguments:
                nodes[node].input(place).replace_source_output(parameter.output(0))
            model.add_parameters([parameter])
        kept = reached(model.get_results())
        for parameter in model.get_parameters():
            if parameter.get_name() not in kept:
                model.remove_parameter(parameter)
        fix_lengths(model, lengths)
        fold_shapes(model)
        return model


def _type(snapshot: Snapshot, tensor: Tensor) -> ov.Type:
    return snapshot.nodes[tensor[0]].get_output_element_type(tensor[1])
