"""Which segments go together: everybody in turn, evenly over the frames, a prompt in chunks beside the others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.decode.decoding import Decoding
from idlepool.engine.decode.scheduler import MicroBatch, Scheduler
from idlepool.engine.types import Sampling, SequenceId


def decoding(number: int, *, prompt: int = 1) -> Decoding:
    return Decoding(SequenceId(number), list(range(prompt)), Sampling())


def land(batch: MicroBatch) -> None:
    for each, flight in batch.parts:
        each.land(flight, [1] * flight.segment.sample)


def numbers(batch: MicroBatch | None) -> list[int]:
    return [segment.sequence for segment in batch.segments] if batch else []


def test_two_users_of_two_stages_go_in_two_frames() -> None:
    scheduler = Scheduler(micro_batches=2)
    for number in (1, 2):
        scheduler.add(decoding(number))
    assert [numbers(scheduler.next_batch()) for _ in range(3)] == [[1], [2], []]


def test_many_users_are_spread_evenly_and_each_gets_its_turn() -> None:
    scheduler = Scheduler(micro_batches=2)
    for number in range(1, 8):
        scheduler.add(decoding(number))
    flying = [scheduler.next_batch(), scheduler.next_batch()]
    assert [len(numbers(batch)) for batch in flying] == [4, 3]
    served = dict.fromkeys(range(1, 8), 0)
    for _ in range(20):
        landed = flying.pop(0)
        assert landed is not None
        land(landed)
        flying.append(scheduler.next_batch())
        for number in numbers(flying[-1]):
            served[number] += 1
    assert max(served.values()) - min(served.values()) <= 1


def test_a_long_prompt_comes_in_chunks_beside_the_others() -> None:
    scheduler = Scheduler(micro_batches=1, prefill_chunk=100, shared_chunk=10)
    talker, reader = decoding(1), decoding(2, prompt=35)
    scheduler.add(talker)
    scheduler.add(reader)
    counts = []
    for _ in range(4):
        batch = scheduler.next_batch()
        assert batch is not None
        assert 1 in numbers(batch), "whoever talks waits for no second chunk"
        counts.append(sum(s.count for s in batch.segments if s.sequence == 2))
        land(batch)
    assert counts == [10, 10, 10, 5]


def test_a_prompt_alone_comes_in_long_chunks_of_which_only_the_last_samples() -> None:
    scheduler = Scheduler(micro_batches=2, prefill_chunk=100)
    scheduler.add(decoding(1, prompt=250))
    segments = [scheduler.next_batch().segments[0] for _ in range(3)]
    assert [(s.start, s.count, s.sample) for s in segments] == [(0, 100, 0), (100, 100, 0), (200, 50, 1)]
    assert scheduler.next_batch() is None


@given(st.lists(st.integers(1, 60), min_size=1, max_size=9), st.integers(1, 4), st.data())
def test_nobody_starves_and_no_frame_has_a_sequence_twice(prompts, micro_batches, data) -> None:
    scheduler = Scheduler(micro_batches=micro_batches, prefill_chunk=16, shared_chunk=8)
    everybody = [decoding(number, prompt=prompt) for number, prompt in enumerate(prompts, 1)]
    for each in everybody:
        scheduler.add(each)
    flying: list[MicroBatch] = []
    for _ in range(200):
        while len(flying) < micro_batches and (batch := scheduler.next_batch()):
            assert len(set(numbers(batch))) == len(numbers(batch))
            assert sum(s.count for s in batch.segments if s.sample == 0) <= 16
            flying.append(batch)
        land(flying.pop(0))
        if data.draw(st.booleans()) and len(flying) == micro_batches:
            land(flying.pop(0))
    lengths = [len(each.tokens) - prompt for each, prompt in zip(everybody, prompts, strict=True)]
    assert min(lengths) > 0
    assert max(lengths) <= 2 * min(lengths) + 40


def test_how_far_prompts_are_read_is_known_until_the_last_chunk_is_sent() -> None:
    scheduler = Scheduler(micro_batches=1, prefill_chunk=100)
    scheduler.add(decoding(1, prompt=250))
    known = []
    for _ in range(4):
        known.append(scheduler.read)
        scheduler.next_batch()
    assert known == [(0, 250), (100, 250), (200, 250), (0, 0)]
