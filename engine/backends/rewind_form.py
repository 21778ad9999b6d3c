"""Whether a rewind of the stateful form cuts the caches at once or leaves holes, decided per device when it is loaded.

Milliseconds of one rewind, all 30 layers of the starter model on one CPU core, by positions kept (a decode step: 15):

    cache   cut at 40 / 200 / 800   hole   after a hole, against a cache that never held the rejected tokens
    f32          2 /   5 /  17      0.1    logits move in 7 of 8 sequences; by 0.8 with 8-bit activations, 6e-5 without
    bf16        10 /  39 / 151      0.1    logits moved in 1 of 8 sequences, by 0.75
    u8           3 /   7 /  24      0.1    the same as after a cut: either moves logits, since values are rounded again

A cut of an f32 or bf16 cache is exact, so it is the CPU's form: a rejected draft must not change the text. A GPU needs
about 48 ms for a cut, several steps of decoding; there holes are the form, with cuts when they take a quarter of the
cache. (The GPU's figure is reported by others and was not measured here.)
"""

from __future__ import annotations

import openvino as ov

from idlepool.engine.backends.device import family
from idlepool.engine.backends.mask_probe import sees_past_holes

CUT_AT_ONCE = 0.0
VOID_LIMIT = 0.25
"""Share of a cache that may be holes: attention over a third more slots costs less than the cut it saves."""


def default_void_limit(core: ov.Core, shard: ov.Model, device: str) -> float:
    """The limit for a shard on a device; a GPU cuts at once, too, where the model's mask allows no holes."""
    holes = family(device) == "GPU" and sees_past_holes(core, shard)
    return VOID_LIMIT if holes else CUT_AT_ONCE
