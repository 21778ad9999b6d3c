"""Reproducible answers of the starter model: the same ids whatever the split, the guesses and the company.

Real shards and the real head in one process. By default a few prompts; with `-m long` two hundred, which takes an hour
of one core.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.backends.base import Batch, Shard
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import ShardRequest, load_paged
from idlepool.engine.decode.admission import Room
from idlepool.engine.decode.chosen import Chosen, decode_chosen, sampled
from idlepool.engine.decode.drafting import Drafting
from idlepool.engine.decode.guess_budget import GuessBudget
from idlepool.engine.decode.head import Head
from idlepool.engine.decode.lookup import LookupDrafter
from idlepool.engine.decode.request import Request, Token
from idlepool.engine.decode.scheduler import MicroBatch
from idlepool.engine.decode.speculation import Costs, Speculation
from idlepool.engine.decode.tail import Tail
from idlepool.engine.events import ChatMessage
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.types import Sampling, SequenceId, Span

CORE = ov.Core()
LAYERS = 30
ANSWER_TOKENS = 32

pytestmark = pytest.mark.model

SUBJECTS = ("the sea", "a bicycle", "bread", "Paris", "numbers", "an old house", "winter", "bees", "music", "glass")
TASKS = (
    "Write three sentences about {}.",
    "Make a list of five words that have to do with {}.",
    "What would a child ask about {}?",
    "Explain {} in one sentence, then repeat that sentence.",
    "Write a short poem about {}.",
    "def describe():\n    # returns a text about {}\n",
    "Translate into French: I think of {}.",
    "Is {} dangerous? Answer with reasons.",
    "Write a dialogue of two friends about {}.",
    "Count from one to ten, then say something about {}.",
    "Tell me something surprising about {}.",
    "Summarise: {} is known to everybody, and nobody knows all of it.",
    "Write an advertisement for {}.",
    "What rhymes with {}?",
    "Give two arguments for and two against {}.",
    "How would you draw {}?",
    "Write the first line of a novel about {}.",
    "Name three questions a teacher could ask about {}.",
    "What is the opposite of {}?",
    "Describe {} to somebody who has never seen it.",
)
QUESTIONS = [task.format(subject) for task, subject in itertools.product(TASKS, SUBJECTS)]


class FixedLength(Speculation):
    """So many guesses, whether or not they pay."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length = length

    def length(self, costs: Costs) -> int:
        return self._length


class LocalStages:
    """Shards in this process, run one frame after another in a thread."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = shards
        self._tail = Tail()
        self._thread = ThreadPoolExecutor(1)

    def submit(self, batch: MicroBatch) -> asyncio.Future[dict[int, Chosen]]:
        return asyncio.ensure_future(asyncio.get_running_loop().run_in_executor(self._thread, self._run, batch))

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        self._thread.submit(self._end, sequence, keep)

    def close(self) -> None:
        self._thread.shutdown()

    def _run(self, batch: MicroBatch) -> dict[int, Chosen]:
        rows = np.array(batch.ids, np.int32)
        for shard in self._shards[:-1]:
            rows = shard.run(Batch(batch.segments, rows)).hidden
        chosen = self._tail.choose(batch.segments, self._shards[-1].run(Batch(batch.segments, rows)))
        return decode_chosen([sampled(segment) for segment in batch.segments], chosen, batch.segments)

    def _end(self, sequence: SequenceId, keep: int) -> None:
        for shard in self._shards:
            shard.end(sequence, keep)


@pytest.fixture(scope="module")
def folder(starter_store: ModelStore) -> Path:
    return starter_store.get("starter").folder


@pytest.fixture(scope="module")
def chains(folder: Path) -> dict[int, list[Shard]]:
    """The model in one stage and in three."""
    wire = inference_precision(CORE, "CPU")

    def load(first: int, last: int) -> Shard:
        return load_paged(CORE, ShardRequest(folder, Span(first, last), "CPU", wire, threads=1))

    return {1: [load(0, LAYERS)], 3: [load(0, 10), load(10, 23), load(23, LAYERS)]}


@pytest.fixture(scope="module")
def tokenizer(folder: Path) -> Tokenizer:
    return Tokenizer(folder)


def answers(
    shards: Sequence[Shard], tokenizer: Tokenizer, questions: Sequence[str], *, temperature: float, guesses: int | None
) -> list[list[int]]:
    """The ids of all answers, asked at once. `guesses` None: as many as pay."""
    speculation = Speculation if guesses is None else lambda: FixedLength(guesses)
    drafting = None if guesses == 0 else Drafting(LookupDrafter(), GuessBudget(speculation=speculation))

    async def one(head: Head, number: int, question: str) -> list[int]:
        prompt = tuple(tokenizer.encode_chat((ChatMessage("user", question),)))
        sampling = Sampling(temperature=temperature, seed=1 + len(question))
        request = Request(str(number), prompt, sampling, tokenizer.end_ids, ANSWER_TOKENS, reproducible=True)
        return [item.id async for item in head.generate(request) if isinstance(item, Token)]

    async def play() -> list[list[int]]:
        stages = LocalStages(shards)
        head = Head(stages, room=Room(len(questions), 16_384, 32), micro_batches=len(shards), drafting=drafting)
        found = await asyncio.gather(*(one(head, n, question) for n, question in enumerate(questions)))
        stages.close()
        return found

    return asyncio.run(play())


@pytest.mark.parametrize(
    "count", [3, pytest.param(len(QUESTIONS), marks=[pytest.mark.long, pytest.mark.timeout(3 * 3600)])]
)
@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_the_same_ids_whatever_the_split_the_guesses_and_the_company(chains, tokenizer, count, temperature) -> None:
    questions = QUESTIONS[:: len(QUESTIONS) // count]
    wanted: dict[str, list[int]] = {}
    differing = []
    for stages, users, guesses in itertools.product((1, 3), (1, 6), (0, 2, 5, None)):
        for first in range(0, len(questions), users):
            together = questions[first : first + users]
            found = answers(chains[stages], tokenizer, together, temperature=temperature, guesses=guesses)
            for question, ids in zip(together, found, strict=True):
                if wanted.setdefault(question, ids) != ids:
                    differing.append((question, stages, users, guesses))
    assert differing == []
    assert len({tuple(ids) for ids in wanted.values()}) > len(questions) // 2
