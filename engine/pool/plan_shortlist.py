"""Which of many PCs are worth planning with: pure, over the same matrices as the search, and far quicker.

Each PC is judged by what a layer costs on it when it runs as many as it can, with its ways from and to the PC that
asks. Those that are best so, until all layers have room on them, are taken, then others of the best and of the
roomiest in turn.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from idlepool.engine.pool.plan_search import Costs, Matrix

MOST_SEARCHED = 16
"""PCs among which the search is quick; of more some are left out before."""

ROOMY = 4
"""Every so many-th place goes to the roomiest PC that has none."""


def shortlist(costs: Costs, size: int = MOST_SEARCHED) -> list[int]:
    """About `size` PCs by number, in order, PC 0 among them; more where fewer could not hold the layers."""
    if costs.pcs <= size:
        return list(range(costs.pcs))
    layers, each = _fullest(costs)
    ways = costs.links[0] + costs.links[:, 0]
    worth = np.where(layers > 0, each + ways / np.maximum(layers, 1), np.inf)
    best = [int(pc) for pc in np.argsort(worth, kind="stable") if pc and layers[pc]]
    roomiest = sorted(best, key=lambda pc: (-layers[pc], worth[pc]))
    chosen = [0]
    while best and (len(chosen) < size or layers[chosen].sum() < costs.layers):
        place = len(chosen)
        held = layers[chosen].sum() >= costs.layers
        pc = roomiest[0] if held and place % ROOMY == 0 else best[0]
        best.remove(pc)
        roomiest.remove(pc)
        chosen.append(pc)
    return sorted(chosen)


def _fullest(costs: Costs) -> tuple[npt.NDArray[np.int64], Matrix]:
    """For each PC the most layers it can run at once, and what one of them costs there, at best."""
    size = costs.layers + 1
    widths = np.arange(size)[None, :] - np.arange(size)[:, None]
    layers = np.where(np.isfinite(costs.spans), widths, 0).max(axis=(1, 2))
    full = np.where(widths == layers[:, None, None], costs.spans, np.inf).min(axis=(1, 2))
    return layers, np.where(layers > 0, full / np.maximum(layers, 1), np.inf)
