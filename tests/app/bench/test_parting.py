"""Answers that part are found, with the lead that the best token had there."""

from __future__ import annotations

from idlepool.app.bench.parting import parting
from idlepool.engine.events import AnswerDone


def done(*ids: int, leads: tuple[float, ...] = ()) -> AnswerDone:
    top = tuple(((token, -0.5), (99, -0.5 - lead)) for token, lead in zip(ids, leads, strict=False))
    return AnswerDone(1, "length", ids, 10, 50.0, 20.0, top=top)


def test_the_lead_where_the_first_token_differs():
    alone = [done(1, 2, 3, leads=(5.0, 0.25, 1.0)), done(4, 5, leads=(1.0, 1.0)), done(6, 7, leads=(2.0, 0.75))]
    found = parting(alone, [done(1, 8, 3), done(4, 5), done(6)])
    assert found.answers == 3
    assert found.leads == (0.25, 0.75)
    assert found.share == 2 / 3


def test_one_that_is_longer_parts_where_the_other_ended():
    assert parting([done(1, leads=(0.5,))], [done(1, 2)]).leads == (0.5,)
