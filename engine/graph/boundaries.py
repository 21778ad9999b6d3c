"""Where a model's layers lie and where they can be parted: by structure, never by name.

A boundary is a tensor through which *every* path from the token embedding to the logits runs. With d(n) paths from the
tokens down to node n and u(n) paths from n on to the logits, n is such a tensor exactly where d(n) u(n) = d(logits).
These tensors are a chain; a layer is what keeps its states between the same two of them. What attention looks like in
between does not matter, and layers that read one another's caches have no boundary between them: they stay together as
one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

import openvino as ov

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.crossing import narrowest_crossing
from idlepool.engine.graph.sizes import BEAM_INPUT, Size, Symbols, name_sizes
from idlepool.engine.graph.snapshot import TOKEN_INPUTS, Snapshot

ATTENTION = "ScaledDotProductAttention"

POSITIONS = "position_ids"
KNOWN_INPUTS = frozenset({*TOKEN_INPUTS, POSITIONS, "attention_mask", BEAM_INPUT})
"""What a stage can be given; image features or embeddings for each layer are not among it."""


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The layers of a model, as indices into `snapshot.nodes`."""

    snapshot: Snapshot
    symbols: Symbols
    """What the dynamic dimensions of the model's tensors count."""
    tokens: int
    """The model input with the new tokens."""
    cuts: tuple[int, ...]
    """For each layer but the last the node whose output is the boundary after it: `[batch, tokens, hidden]`."""
    states: tuple[tuple[int, ...], ...]
    """For each layer its ReadValues."""

    @property
    def layers(self) -> int:
        """Number of layers that can be parted."""
        return len(self.states)

    @property
    def hidden(self) -> int:
        """Width of the boundary tensors."""
        return int(self.snapshot.nodes[self.cuts[0]].get_output_partial_shape(0)[2].get_length())


def find_layers(model: ov.Model) -> Anatomy:
    """The anatomy of a stateful language model, whose dynamic dimensions get symbols.

    Raises:
        ModelCannotBeCut: it has fewer than two layers with states, no boundary between any of them, a state that does
            not grow with the tokens, or inputs that are not known here.
    """
    _check_inputs(model)
    symbols = name_sizes(model)
    snapshot = Snapshot(model)
    tokens = snapshot.parameter(*TOKEN_INPUTS)
    if tokens is None:
        raise ModelCannotBeCut("it has no input called input_ids or inputs_embeds")
    chain = [i for i in _bottlenecks(snapshot, tokens) if _is_hidden(snapshot.nodes[i], symbols)]
    states = _states_by_link(snapshot, chain)
    if len(states) < 2:
        raise ModelCannotBeCut(_why_not(snapshot, tokens))
    # The last tensor of the chain before a layer's states come in: the whole of the layer before lies above it.
    cuts = tuple(chain[link - 1] for link in sorted(states)[1:])
    return Anatomy(snapshot, symbols, tokens, cuts, tuple(states[link] for link in sorted(states)))


def _check_inputs(model: ov.Model) -> None:
    for port in model.inputs:
        if KNOWN_INPUTS.isdisjoint(port.get_names()):
            raise ModelCannotBeCut(f"it has an input that is no part of a text ({port.get_any_name()})")
        if POSITIONS in port.get_names() and port.get_partial_shape().rank != ov.Dimension(2):
            raise ModelCannotBeCut(f"its {POSITIONS} are {port.get_partial_shape()}, not one number for each token")


def _bottlenecks(snapshot: Snapshot, tokens: int) -> list[int]:
    """Nodes through which every path of values from the tokens to the first result runs, in topological order."""
    nodes = range(len(snapshot.nodes))
    shapes = set(snapshot.of_kind("ShapeOf"))
    down, up = [0] * len(nodes), [0] * len(nodes)
    down[tokens] = 1
    for i in nodes:
        if i not in shapes:
            down[i] += sum(down[source] for source in snapshot.feeds[i])
    end = snapshot.of_kind("Result")[0]
    up[end] = 1
    for i in reversed(nodes):
        if i not in shapes:
            for source in snapshot.feeds[i]:
                up[source] += up[i]
    return [i for i in nodes if down[i] and down[i] * up[i] == down[end]]


def _is_hidden(node: ov.Node, symbols: Symbols) -> bool:
    """Whether its output is a residual sum `[batch, tokens, hidden]` of known width.

    Only a sum is taken: the norm after it is a bottleneck too, but a cut there would part the norm from the sum that
    the plugins fuse it with.
    """
    if node.get_type_name() != "Add" or node.get_output_size() != 1:
        return False
    match symbols.extents(node.output(0)):
        case ((Size.BATCH,) | 1, (Size.TOKENS,), int()):
            return True
    return False


def _states_by_link(snapshot: Snapshot, chain: list[int]) -> dict[int, tuple[int, ...]]:
    """The ReadValues by the first link of the chain that their values reach (its length: none, only the logits)."""
    reached = _first_reached(snapshot, chain)
    states: dict[int, list[int]] = {}
    for read in snapshot.of_kind("ReadValue"):
        first = reached[read]
        if first is None:
            raise ModelCannotBeCut(f"its state {snapshot.variable(read)} reaches no result")
        states.setdefault(bisect_left(chain, first), []).append(read)
    return {
        link: tuple(sorted(reads, key=lambda read: _natural(snapshot.variable(read)))) for link, reads in states.items()
    }


def _first_reached(snapshot: Snapshot, chain: list[int]) -> list[int | None]:
    """For each node the first of the chain, or else the result, that carries its values."""
    goals = {*chain, *snapshot.of_kind("Result")}
    reached: list[int | None] = [None] * len(snapshot.nodes)
    for i in reversed(range(len(snapshot.nodes))):
        if i in goals:
            reached[i] = i
        elif snapshot.kinds[i] != "ShapeOf":
            reached[i] = min((goal for user in snapshot.uses[i] if (goal := reached[user]) is not None), default=None)
    return reached


def _why_not(snapshot: Snapshot, tokens: int) -> str:
    reads = snapshot.of_kind("ReadValue")
    if len(reads) <= 2:
        return f"it keeps {len(reads)} states, and a layer of attention keeps two"
    names = narrowest_crossing(snapshot, tokens, reads)
    shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
    return f"wherever its layers were parted, at least {len(names)} tensors would have to cross ({shown})"


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts layer 9 before layer 10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
