"""Why a PC takes no part in a plan: the reason that holds now, not one of before."""

from __future__ import annotations

import pytest

from idlepool.engine.events import PeerInfo
from idlepool.engine.pool.absent import absent

SILENT = "Nothing was heard of it for 6 s."
UNREACHED = "Nobody answers at 10.0.0.2:24753: no connection."


def pc(state: str, reason: str = "", *, lends: bool = True, why: str = "always", hint: str = "") -> PeerInfo:
    present = state in ("present", "suspect")
    return PeerInfo("1" * 64, "attic", False, present, state, reason, lends=lends, lends_reason=why, hint=hint)


@pytest.mark.parametrize(
    ("info", "told"),
    [
        (pc("present", lends=False, why="user active"), "It lends nothing at the moment (user active)."),
        (pc("suspect", SILENT), SILENT),
        (pc("present"), "What it can compute with is not known yet."),
        (pc("unreachable", UNREACHED, hint="Is it on?"), f"{UNREACHED} Is it on?"),
        (pc("looking"), "It is not here."),
    ],
)
def test_the_reason_is_told(info: PeerInfo, told: str):
    assert absent([info], ()) == (("attic", told),)
    assert absent([info], {info.node}) == ()
