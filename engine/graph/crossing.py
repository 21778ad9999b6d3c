"""Which tensors would cross where a model has no boundary: what a refusal tells."""

from __future__ import annotations

from idlepool.engine.graph.snapshot import Snapshot


def narrowest_crossing(snapshot: Snapshot, tokens: int, reads: list[int]) -> list[str]:
    """Names of the tensors that cross the narrowest place between the first and the last use of the states `reads`.

    The nodes' order stands for time: what was computed before a place from the tokens and is used after it crosses.
    """
    carried = snapshot.fed_by(tokens) - set(snapshot.of_kind("Assign"))
    uses = [user for read in reads for user in snapshot.uses[read] if snapshot.kinds[user] != "ShapeOf"]
    last_use = {i: max((user for user in snapshot.uses[i] if user in carried), default=i) for i in carried}
    attended = sorted(min(user for user in snapshot.fed_by(use) if user in carried) for use in uses)
    narrowest: list[int] = []
    for place in range(attended[0], attended[-1]):
        crossing = [i for i in carried if i <= place < last_use[i]]
        if not narrowest or len(crossing) < len(narrowest):
            narrowest = crossing
    return sorted(snapshot.nodes[i].get_friendly_name() for i in narrowest)
