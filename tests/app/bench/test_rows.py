"""What is asked of whom: rows share pools, users have enough questions, and questions differ."""

from __future__ import annotations

import pytest

from idlepool.app.bench.prompts import CROWD, KINDS, crowd, history
from idlepool.app.bench.rows import Row, Scale, batches, rows


def test_every_row_runs_on_its_pool_and_only_once():
    pools = rows(Scale())
    assert set(pools) == {(False, 0), (True, 0), (False, 10), (True, 10), (False, 100), (True, 100)}
    found = [row for pool in pools.values() for row in pool]
    assert len(found) == len(set(found)) == len(set(map(str, found)))
    assert all(row.pool == pool for pool, members in pools.items() for row in members)
    assert {row.kind for row in found if row.kind} == set(KINDS)


@pytest.mark.parametrize("users", Scale().users)
def test_all_users_ask_at_once_and_one_and_two_are_asked_the_same(users):
    asked = batches(Row(users))
    assert all(len(batch) == users for batch in asked)
    flat = [question for batch in asked for question in batch]
    assert flat[:4] == [question for batch in batches(Row(1)) for question in batch]


def test_a_crowd_asks_different_things():
    assert len(set(crowd(CROWD))) == CROWD == max(Scale().users)


def test_histories_differ_from_their_first_line_on():
    (one,), (other,) = history(1, 3), history(2, 3)
    assert one.content.splitlines()[0] != other.content.splitlines()[0]
    assert len(one.content) == len(other.content)


def test_the_plain_loop_over_a_slow_line_asks_little():
    scale = Scale(tokens=128)
    assert scale.tokens_of(Row(1, delay_ms=100.0)) == 32
    assert scale.tokens_of(Row(1, everything=True, delay_ms=100.0)) == 128
    assert len(batches(Row(1, delay_ms=100.0))) == 1
