"""Forks and company in all three forms: a sequence that begins as another one goes its own way, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.backends.base import NeedsReplay, Shard
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import ShardRequest, load_paged, load_stateful, load_static
from idlepool.engine.backends.ring import Ring
from idlepool.engine.backends.stage_chain import StageChain
from idlepool.engine.backends.static import StaticSizes
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Backend, SequenceId, Span

CORE = ov.Core()
NATIVE = inference_precision(CORE, "CPU")
SHARED, OWN = 37, 23
"""Positions of the parent that the child begins with, and those that follow in the child alone."""
IDS = np.random.default_rng(5).integers(0, 300, (9, 120)).astype(np.int32)
"""Row 0 is the parent's; the others begin with the same SHARED ids."""
IDS[1:, :SHARED] = IDS[0, :SHARED]

SIZES = StaticSizes(users=3, ring=Ring(slots=96), decode=4, prefill=64)
LOADERS: dict[Backend, Callable[[ShardRequest], Shard]] = {
    Backend.PAGED: lambda request: load_paged(CORE, request),
    Backend.STATEFUL: lambda request: load_stateful(CORE, request),
    Backend.STATIC: lambda request: load_static(CORE, request, sizes=SIZES),
}

Part = tuple[int, int, int] | tuple[int, int, int, int]
"""Whose ids, first position, one past the last; and the parent, whose number is one more than its row of IDS."""


ROUNDING = 2e-5
"""Of logits around ten."""


class Stages(StageChain):
    """Two stages; `feed` gives for each segment the logits of its last rows, which do not depend on its first ones.

    `side_by_side`: the sequences of a batch lie in columns of one mask, and in which decides how a device without
    AVX-512 rounds a sum over them. Only the paged form can promise a text that is the same in company, see fallback.py.
    """

    side_by_side = False

    def feed(self, *parts: Part, sample: int = 2) -> list[np.ndarray]:
        segments = tuple(
            Segment(part[0] + 1, part[1], part[2] - part[1], sample, parent=part[3] if len(part) == 4 else 0)
            for part in parts
        )
        logits = self.run(segments, np.concatenate([IDS[part[0]][part[1] : part[2]] for part in parts])).logits
        return [logits[sample * n : sample * n + sample] for n in range(len(parts))]


@pytest.fixture(scope="module", params=list(Backend), ids=str)
def stages(request: pytest.FixtureRequest, tiny_model: Path) -> Stages:
    load = LOADERS[request.param]
    requests = [ShardRequest(tiny_model, Span(*span), "CPU", NATIVE, threads=1) for span in pairwise((0, 2, 4))]
    stages = Stages([load(each) for each in requests])
    stages.side_by_side = request.param is Backend.STATIC
    return stages


@pytest.fixture(autouse=True)
def ended(stages: Stages):
    yield
    for sequence in range(1, len(IDS) + 1):
        stages.end(SequenceId(sequence))


def unforked(stages: Stages, who: int, last: int) -> np.ndarray:
    """What the ids of `who` give where nothing is shared."""
    stages.feed((who, 0, SHARED))
    (logits,) = stages.feed((who, SHARED, last))
    stages.end(SequenceId(who + 1))
    return logits


def test_a_fork_is_to_the_last_bit_what_was_computed_anew(stages):
    alone = unforked(stages, 1, SHARED + OWN)
    stages.feed((0, 0, SHARED))
    stages.feed((0, SHARED, 60))
    (forked,) = stages.feed((1, SHARED, SHARED + OWN, 1))
    assert np.array_equal(forked, alone)


def test_a_fork_leaves_its_parent_alone(stages):
    stages.feed((0, 0, 60))
    (alone,) = stages.feed((0, 60, 66))
    stages.feed((0, 0, 60))
    stages.feed((1, SHARED, SHARED + OWN, 1))
    assert np.array_equal(stages.feed((0, 60, 66))[0], alone)


def test_what_the_parent_does_afterwards_is_nothing_to_the_child(stages):
    alone = unforked(stages, 1, SHARED + OWN)
    stages.feed((0, 0, SHARED))
    stages.feed((0, SHARED, 50))
    stages.feed((1, SHARED, SHARED + 1, 1))
    stages.feed((0, 20, 45))
    assert np.array_equal(stages.feed((1, SHARED, SHARED + OWN))[0], alone)


def test_a_parent_that_ends_leaves_the_child_what_it_took(stages):
    alone = unforked(stages, 1, SHARED + OWN)
    stages.feed((0, 0, SHARED))
    stages.feed((1, SHARED, SHARED + 1, 1))
    stages.end(SequenceId(1))
    stages.feed((4, 0, 90))  # takes what the parent gave back
    assert np.array_equal(stages.feed((1, SHARED, SHARED + OWN))[0], alone)


def test_two_children_and_the_parent_in_one_batch(stages):
    alone = [unforked(stages, who, SHARED + OWN) for who in (0, 1, 2)]
    stages.feed((0, 0, SHARED))
    together = stages.feed((1, SHARED, SHARED + OWN, 1), (0, SHARED, SHARED + OWN), (2, SHARED, SHARED + OWN, 1))
    for a, b in zip([together[1], together[0], together[2]], alone, strict=True):
        if stages.side_by_side:
            np.testing.assert_allclose(a, b, rtol=0, atol=ROUNDING)
        else:
            assert np.array_equal(a, b)


def test_a_sequence_that_reaches_there_itself_needs_no_parent(stages):
    alone = unforked(stages, 1, SHARED + OWN)
    stages.feed((1, 0, SHARED))
    assert np.array_equal(stages.feed((1, SHARED, SHARED + OWN, 9))[0], alone)


@pytest.mark.parametrize("parent_holds", [0, SHARED - 1])
def test_where_the_parent_does_not_reach_the_child_is_asked_for_again(stages, parent_holds):
    if parent_holds:
        stages.feed((0, 0, parent_holds))
    stages.feed((1, 0, 9))
    with pytest.raises(NeedsReplay) as caught:
        stages.feed((1, SHARED, SHARED + 2, 1))
    assert (caught.value.sequence, caught.value.held) == (2, 9)


def test_company_of_one_that_has_to_be_replayed_is_unharmed(stages):
    stages.feed((0, 0, 30))
    (alone,) = stages.feed((0, 30, 40))
    stages.feed((0, 0, 30))
    stages.feed((0, 30, 40))
    with pytest.raises(NeedsReplay) as caught:
        stages.feed((0, 30, 33), (1, 5, 9))
    assert (caught.value.sequence, caught.value.held) == (2, 0)
    assert np.array_equal(stages.feed((0, 30, 40))[0], alone)


def test_nothing_builds_on_what_a_failed_batch_should_have_replaced(stages):
    """Frames behind it may be on their way already."""
    stages.feed((0, 0, 60))
    with pytest.raises(NeedsReplay):
        stages.feed((0, 30, 33), (1, 5, 9))
    with pytest.raises(NeedsReplay) as caught:
        stages.feed((0, 33, 35))
    assert (caught.value.sequence, caught.value.held) == (1, 30)


def test_a_child_may_take_the_place_of_its_parent(stages):
    """Where a form holds a few sequences only."""
    alone = unforked(stages, 1, SHARED + OWN)
    stages.feed((0, 0, SHARED))
    for who in range(4, 4 + SIZES.users - 1):
        stages.feed((who, 0, 4))
    assert np.array_equal(stages.feed((1, SHARED, SHARED + OWN, 1))[0], alone)
    assert len(stages.feed(*((who, 4, 6) for who in range(4, 4 + SIZES.users - 1)))) == SIZES.users - 1
