"""Where a model's layers lie and where they can be parted: by structure, never by name.

A boundary is a tensor through which *every* path from the token embedding to the logits runs. With d(n) paths from the
tokens down to node n and u(n) paths from n on to the logits, n is such a tensor exactly where d(n) u(n) = d(logits).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import openvino as ov

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.snapshot import TOKEN_INPUTS, Snapshot

ATTENTION = "ScaledDotProductAttention"


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The layers of a model, as indices into `snapshot.nodes`."""

    snapshot: Snapshot
    tokens: int
    """The model input with the new tokens."""
    attention: tuple[int, ...]
    """The attention of each layer."""
    cuts: tuple[int, ...]
    """For each layer but the last the node whose output is the boundary after it: `[batch, tokens, hidden]`."""
    states: tuple[tuple[int, ...], ...]
    """For each layer its ReadValues."""

    @property
    def layers(self) -> int:
        """Number of layers."""
        return len(self.attention)

    @property
    def hidden(self) -> int:
        """Width of the boundary tensors."""
        return int(self.snapshot.nodes[self.cuts[0]].get_output_partial_shape(0)[2].get_length())


def find_layers(model: ov.Model) -> Anatomy:
    """The anatomy of a stateful language model.

    Raises:
        ModelCannotBeCut: it has fewer than two layers of attention, or no boundary between two of them.
    """
    snapshot = Snapshot(model)
    tokens = snapshot.parameter(*TOKEN_INPUTS)
    if tokens is None:
        raise ModelCannotBeCut("it has no input called input_ids or inputs_embeds")
    attention = tuple(snapshot.of_kind(ATTENTION))
    if len(attention) < 2:
        raise ModelCannotBeCut(f"it has {len(attention)} layers of attention")
    states = _states_by_layer(snapshot, attention)
    cuts = _cuts(snapshot, tokens, attention)
    return Anatomy(snapshot, tokens, attention, cuts, states)


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


def _cuts(snapshot: Snapshot, tokens: int, attention: tuple[int, ...]) -> tuple[int, ...]:
    """For each pair of neighbouring layers the last bottleneck before the later one's attention."""
    hidden = [i for i in _bottlenecks(snapshot, tokens) if _is_hidden(snapshot.nodes[i])]
    cuts = []
    for layer, (before, after) in enumerate(pairwise(attention)):
        above = snapshot.ancestors([after])
        between = [i for i in hidden if i in above and i > before]
        if not between:
            raise ModelCannotBeCut(_crossing(snapshot, tokens, before, after, layer))
        cuts.append(between[-1])
    return tuple(cuts)


def _is_hidden(node: ov.Node) -> bool:
    """Whether its output is a residual sum `[batch, tokens, hidden]` of known width.

    Only a sum is taken: the norm after it is a bottleneck too, but a cut there would part the norm from the sum that
    the plugins fuse it with.
    """
    shape = node.get_output_partial_shape(0)
    return bool(
        node.get_type_name() == "Add" and shape.rank.is_static and shape.rank.get_length() == 3 and shape[2].is_static
    )


def _crossing(snapshot: Snapshot, tokens: int, before: int, after: int, layer: int) -> str:
    """Why there is no boundary: how many tensors of values run past the place between two attentions."""
    carried = snapshot.fed_by(tokens)
    above = snapshot.ancestors([after])
    crossing = {
        source
        for user in above & carried
        if user > before
        for source in snapshot.feeds[user]
        if source <= before and source in carried
    }
    names = sorted(snapshot.nodes[i].get_friendly_name() for i in crossing)
    shown = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    return f"between layers {layer} and {layer + 1} {max(len(names), 2)} tensors would have to cross ({shown})"


def _states_by_layer(snapshot: Snapshot, attention: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The ReadValues of each layer: each belongs to the first attention that its values reach."""
    order = {node: layer for layer, node in enumerate(attention)}
    states: list[list[int]] = [[] for _ in attention]
    for read in snapshot.of_kind("ReadValue"):
        reached = [order[i] for i in snapshot.fed_by(read) if i in order]
        if not reached:
            raise ModelCannotBeCut(f"its state {snapshot.variable(read)} belongs to no attention")
        states[min(reached)].append(read)
    for layer, reads in enumerate(states):
        if not reads:
            raise ModelCannotBeCut(f"layer {layer} keeps no state of its own")
        reads.sort(key=lambda read: _natural(snapshot.variable(read)))
    return tuple(tuple(reads) for reads in states)


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts layer 9 before layer 10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
