"""Batches of any shape go through graphs of a fixed one, every row once and in order."""

from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.backends.packing import packs, sampled_rows
from idlepool.engine.net.segments import Segment


@st.composite
def segments(draw: st.DrawFn) -> tuple[Segment, ...]:
    made = []
    for _ in range(draw(st.integers(1, 5))):
        count = draw(st.integers(1, 40))
        made.append(Segment(draw(st.integers(1, 3)), draw(st.integers(0, 50)), count, draw(st.integers(0, count))))
    return tuple(made)


@given(batch=segments(), tokens=st.integers(1, 16), samples=st.integers(1, 16), sequences=st.integers(1, 3))
def test_every_row_runs_once_in_order_and_within_the_limits(batch, tokens: int, samples: int, sequences: int) -> None:
    made = list(packs(batch, tokens=tokens, samples=samples, sequences=sequences))
    for pack in made:
        assert 1 <= sum(piece.count for piece in pack) <= tokens
        assert sum(piece.sample for piece in pack) <= samples
        assert len(pack) == len({piece.sequence for piece in pack}) <= sequences
    ran = [(piece.sequence, piece.start + n) for pack in made for piece in pack for n in range(piece.count)]
    asked = [(segment.sequence, segment.start + n) for segment in batch for n in range(segment.count)]
    assert ran == asked
    sampled = []
    for pack in made:
        rows = [(piece.sequence, piece.start + n) for piece in pack for n in range(piece.count)]
        sampled += [rows[row] for row in sampled_rows(pack)]
    assert sampled == [
        (segment.sequence, segment.start + n)
        for segment in batch
        for n in range(segment.count - segment.sample, segment.count)
    ]


def test_a_prompt_and_the_next_tokens_of_others_share_an_inference() -> None:
    batch = (Segment(1, 0, 20, 1), Segment(2, 30, 1, 1), Segment(3, 9, 2, 2))
    (pack,) = packs(batch, tokens=32, samples=4, sequences=4)
    assert [piece.sequence for piece in pack] == [1, 2, 3]
    assert sampled_rows(pack) == [19, 20, 21, 22]
