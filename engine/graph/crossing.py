"""Which tensors would cross where a model has no boundary: what a refusal tells."""

from __future__ import annotations

from itertools import accumulate

from idlepool.engine.graph.snapshot import Snapshot


def narrowest_crossing(snapshot: Snapshot, tokens: int, reads: list[int]) -> list[str]:
    """Names of the tensors that cross the narrowest place between the first and the last use of the states `reads`.

    The nodes' order stands for time: what was computed before a place from the tokens and is used after it crosses.
    """
    carried = snapshot.fed_by(tokens) - set(snapshot.of_kind("Assign"))
    last_use = {i: max((user for user in snapshot.uses[i] if user in carried), default=i) for i in carried}
    changes = [0] * len(snapshot.nodes)
    for i, last in last_use.items():
        changes[i] += 1
        changes[last] -= 1
    crossing = list(accumulate(changes))
    met = [min(snapshot.fed_by(read) & carried, default=snapshot.of_kind("Result")[0]) for read in reads]
    place = min(range(min(met), max(max(met), min(met) + 1)), key=crossing.__getitem__)
    return sorted(snapshot.nodes[i].get_friendly_name() for i in carried if i <= place < last_use[i])
