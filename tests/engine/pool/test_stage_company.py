"""Two real stage processes: many sequences in a frame fare as each would alone, and nothing void is computed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
import pytest_asyncio

from idlepool.engine.backends.device import inference_precision
from idlepool.engine.net.arrays import frame_of, rows_of
from idlepool.engine.net.faults import fault_of
from idlepool.engine.net.frames import Frame, FrameKind, Segment
from idlepool.engine.net.messages import Candidate, LoadShard
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.types import Backend, Sampling, SequenceId, SessionId

WIRE = inference_precision(ov.Core(), "CPU")
PEOPLE, STEPS = 16, 6
RANDOM = np.random.default_rng(2)
PROMPTS = [RANDOM.integers(0, 300, int(length)).tolist() for length in RANDOM.integers(2, 40, PEOPLE)]

shared = pytest.mark.asyncio(loop_scope="module")


class Chain:
    """A first and a last stage, and whoever passes frames on between them."""

    def __init__(self, hosts: Sequence[StageHost]) -> None:
        self.hosts = hosts
        self._answers: dict[int, asyncio.Future[Frame]] = {}
        self._step = 0
        hosts[0].serve(self._pass_on, self._lost)
        hosts[1].serve(self._answer, self._lost)

    async def send(self, *segments: Segment, ids: Sequence[int]) -> asyncio.Future[Frame]:
        self._step += 1
        future = self._answers[self._step] = asyncio.get_running_loop().create_future()
        values = np.array(ids, np.int32)
        await self.hosts[0].send(
            frame_of(FrameKind.TOKENS, values, session=SessionId(1), step=self._step, segments=segments)
        )
        return future

    async def end(self, *sequences: int) -> None:
        for sequence in sequences:
            for host in self.hosts:
                await host.end_sequence(SequenceId(sequence))

    async def _pass_on(self, frame: Frame, data: bytes) -> None:
        if frame.kind is FrameKind.HIDDEN:
            await self.hosts[1].send(frame)
        else:
            await self._answer(frame, data)

    async def _answer(self, frame: Frame, data: bytes) -> None:
        self._answers.pop(frame.step).set_result(frame)

    def _lost(self, sentence: str) -> None:
        raise AssertionError(sentence)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chain(model: Path, cache: Path) -> AsyncIterator[Chain]:
    hosts = [await StageHost.start(name="pc") for _ in range(2)]
    for host, (first, last) in zip(hosts, ((0, 2), (2, 4)), strict=True):
        order = LoadShard(
            str(model), "a" * 64, first, last, (Candidate("CPU", Backend.PAGED),), WIRE, str(cache), threads=1
        )
        loaded = await host.load(order, name="pc")
        assert loaded.cache_tokens > PEOPLE * 64
        assert loaded.block_tokens == 32
    yield Chain(hosts)
    for host in hosts:
        await host.close()


def sampling(who: int) -> Sampling:
    return Sampling(temperature=(0.0, 4.0)[who % 2], seed=who)


async def answer(chain: Chain, people: Sequence[int], *, first_sequence: int) -> list[list[int]]:
    """What follows the prompts of `people`, all in the same frames, no segment shorter than two tokens."""
    tokens = {who: list(PROMPTS[who]) for who in people}
    starts = dict.fromkeys(people, 0)
    for _ in range(STEPS):
        segments, ids = [], []
        for who in people:
            sequence, start = first_sequence + who, starts[who]
            segments.append(Segment(sequence, start, len(tokens[who]) - start, 1, sampling(who)))
            ids += tokens[who][start:]
        landed = await (await chain.send(*segments, ids=ids))
        assert [segment.sequence for segment in landed.segments] == [segment.sequence for segment in segments]
        for who, chosen in zip(people, rows_of(landed)[:, 0].tolist(), strict=True):
            starts[who] = len(tokens[who]) - 1
            tokens[who].append(chosen)
    await chain.end(*(first_sequence + who for who in people))
    return [tokens[who][len(PROMPTS[who]) :] for who in people]


@shared
async def test_sixteen_in_a_frame_say_what_each_says_alone(chain):
    alone = [(await answer(chain, [who], first_sequence=100))[0] for who in range(PEOPLE)]
    assert len({tuple(ids) for ids in alone}) > PEOPLE / 2  # the model tells them apart
    assert await answer(chain, range(PEOPLE), first_sequence=200) == alone


async def keep_busy(chain: Chain, sequence: int) -> asyncio.Future[Frame]:
    """Give the first stage work for as long as it takes to send it some more."""
    return await chain.send(Segment(sequence, 0, 4000, 1), ids=[1] * 4000)


@shared
async def test_what_a_later_frame_overrides_is_skipped_and_said_so(chain):
    await (await chain.send(Segment(1, 0, 20), ids=range(20)))
    busy = await keep_busy(chain, 2)
    void = await chain.send(Segment(1, 20, 2, 1), ids=[5, 6])
    company = await chain.send(Segment(1, 22, 2, 1), Segment(3, 0, 2, 1), ids=[7, 8, 9, 9])
    last = await chain.send(Segment(1, 19, 2, 1), ids=[19, 30])
    landed = await asyncio.gather(busy, void, company, last)
    assert [[segment.sequence for segment in frame.segments] for frame in landed] == [[2], [], [3], [1]]
    assert (landed[1].kind, landed[1].rows) == (FrameKind.CHOSEN, 0)
    await chain.end(2, 3)


@shared
async def test_an_end_overtakes_frames_and_stays(chain):
    busy = await keep_busy(chain, 12)
    waiting = await chain.send(Segment(11, 0, 2, 1), Segment(13, 0, 2, 1), ids=[5, 6, 7, 8])
    await chain.end(11)
    late = await chain.send(Segment(11, 0, 2, 1), ids=[5, 6])
    assert [segment.sequence for segment in (await waiting).segments] == [13]
    assert (await late).segments == ()
    await busy
    await chain.end(12, 13)


@shared
async def test_a_fork_over_two_processes_says_what_its_own_prompt_says(chain):
    prompt = [*PROMPTS[0], *range(40)]
    await (await chain.send(Segment(21, 0, 40), Segment(22, 0, 40), ids=[*prompt[:40]] * 2))
    own = await (await chain.send(Segment(22, 40, len(prompt) - 40, 1), ids=prompt[40:]))
    forked = await (await chain.send(Segment(23, 40, len(prompt) - 40, 1, parent=21), ids=prompt[40:]))
    assert rows_of(forked).tolist() == rows_of(own).tolist()
    await chain.end(21, 22, 23)


@shared
async def test_one_that_has_to_be_replayed_is_named_and_its_company_goes_on(chain):
    await (await chain.send(Segment(31, 0, 8), ids=range(8)))
    refused = await (await chain.send(Segment(31, 8, 2, 1), Segment(32, 6, 2, 1), ids=[8, 9, 6, 7]))
    assert refused.kind is FrameKind.FAULT
    assert (fault_of(refused).sequence, fault_of(refused).held) == (32, 0)
    again = await (await chain.send(Segment(31, 8, 2, 1), Segment(32, 0, 8, 1), ids=[8, 9, *range(8)]))
    assert [segment.sequence for segment in again.segments] == [31, 32]
    await chain.end(31, 32)
