"""A short name for what a graph computes, weights aside: what was compiled from one graph serves for an equal one."""

from __future__ import annotations

import hashlib

import openvino as ov

from idlepool.engine.graph.snapshot import Snapshot

SMALL_BYTES = 64
"""Constants up to this size are axes, shapes and scalars, which a graph is made of; larger ones are weights."""


def fingerprint(model: ov.Model) -> str:
    """SHA-256 over operations, edges, attributes, shapes, types and small constants; no names of nodes.

    Takes about 20 µs a node. The weights are told apart by the model they come from, not by this.
    """
    snapshot = Snapshot(model)
    digest = hashlib.sha256()
    for i, node in enumerate(snapshot.nodes):
        ports = [(str(port.get_partial_shape()), port.get_element_type().get_type_name()) for port in node.outputs()]
        sources = [port.get_source_output().get_index() for port in node.inputs()]
        if snapshot.kinds[i] == "Constant":
            said = node.data.tobytes().hex() if node.get_byte_size() <= SMALL_BYTES else ""
        else:
            said = str(sorted(node.get_attributes().items()))
        digest.update(repr((snapshot.kinds[i], snapshot.feeds[i], sources, ports, said)).encode())
    names = [sorted(port.get_names()) for port in (*model.inputs, *model.outputs)]
    digest.update(repr(names).encode())
    return digest.hexdigest()
