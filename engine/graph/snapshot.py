"""A picture of a model's graph that plain Python can walk quickly: nodes in topological order, edges as indices.

OpenVINO's own accessors cross into C++ at every step; one pass over the model makes the rest of the analysis cheap.
"""

from __future__ import annotations

from collections.abc import Iterable

import openvino as ov

TOKEN_INPUTS = ("input_ids", "inputs_embeds")
"""What exporters call the input that carries the new tokens."""


class Snapshot:
    """The graph of `model` at one moment. Indices into `nodes` stand for nodes; surgery makes them stale."""

    def __init__(self, model: ov.Model) -> None:
        self.model = model
        self.nodes: list[ov.Node] = list(model.get_ordered_ops())
        self.kinds: list[str] = [node.get_type_name() for node in self.nodes]
        self.index = {node.get_name(): i for i, node in enumerate(self.nodes)}
        self.feeds: list[list[int]] = [
            [self.index[port.get_source_output().get_node().get_name()] for port in node.inputs()]
            for node in self.nodes
        ]
        self.uses: list[list[int]] = [[] for _ in self.nodes]
        for user, sources in enumerate(self.feeds):
            for source in sources:
                self.uses[source].append(user)
        self._shapes = frozenset(self.of_kind("ShapeOf"))

    def of_kind(self, *kinds: str) -> list[int]:
        """Nodes of those operation types, in topological order."""
        return [i for i, kind in enumerate(self.kinds) if kind in kinds]

    def parameter(self, *names: str) -> int | None:
        """The model input that carries one of those tensor names."""
        for i in self.of_kind("Parameter"):
            if not self.nodes[i].output(0).get_names().isdisjoint(names):
                return i
        return None

    def variable(self, node: int) -> str:
        """The state variable that a ReadValue or an Assign belongs to."""
        return str(self.nodes[node].get_attributes()["variable_id"])

    def ancestors(self, roots: Iterable[int], stop: frozenset[int] = frozenset()) -> set[int]:
        """The roots and all they are computed from; nodes in `stop` are included but not passed through."""
        return _closure(roots, self.feeds, stop)

    def fed_by(self, *roots: int, stop: frozenset[int] = frozenset()) -> set[int]:
        """What carries values of the roots: everything below them, not through ShapeOf and not through `stop`.

        Shapes of a tensor say how many tokens there are, not which; so ShapeOf ends a path of values.
        """
        walls = stop | self._shapes
        return _closure(roots, self.uses, walls) - walls


def _closure(roots: Iterable[int], edges: list[list[int]], stop: frozenset[int]) -> set[int]:
    seen: set[int] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            if node not in stop:
                stack.extend(edges[node])
    return seen
