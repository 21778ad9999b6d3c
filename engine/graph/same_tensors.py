"""Which nodes compute the same. Exporters repeat a mask or a rotary table in every layer; once is enough."""

from __future__ import annotations

from idlepool.engine.graph.dimensions import Measured

SMALL_CONSTANT = 4096
"""Elements up to which two constants are compared by value; larger ones are the same only if they are one node."""


class Numbers:
    """Numbers for nodes of a graph; two nodes that compute the same get the same one.

    `values` are the nodes that are told apart by name; of them only shapes may be read.
    """

    def __init__(self, graph: Measured, values: frozenset[int]) -> None:
        self._graph = graph
        self._values = values
        self._by_description: dict[object, int] = {}
        self._by_node: dict[int, int] = {}

    def of(self, node: int) -> int:
        """The number of a node."""
        for i in sorted(self._graph.snapshot.ancestors([node], self._values | frozenset(self._by_node))):
            if i not in self._by_node:
                self._by_node[i] = self._by_description.setdefault(self._description(i), len(self._by_description))
        return self._by_node[node]

    def _description(self, i: int) -> object:
        snapshot = self._graph.snapshot
        kind, node = snapshot.kinds[i], snapshot.nodes[i]
        if kind == "Constant" and node.data.size <= SMALL_CONSTANT:
            return kind, node.get_output_element_type(0).get_type_name(), node.data.shape, node.data.tobytes()
        if kind in ("Constant", "Parameter") or i in self._values:
            return kind, node.get_name()
        attributes = repr(sorted(node.get_attributes().items()))
        if kind == "ShapeOf":
            return kind, attributes, self._graph.shape_read(i)
        sources = (self._graph.source(i, place) for place in range(len(snapshot.feeds[i])))
        return kind, attributes, tuple((self._by_node[source], index) for source, index in sources)
