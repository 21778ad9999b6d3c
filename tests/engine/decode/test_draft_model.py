"""A draft model guesses the same whatever happened before: rewinds, company, lost blocks, a window that moved."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import Published

from idlepool.engine.backends.base import Batch, Output, Shard
from idlepool.engine.backends.load import ShardRequest, load_paged
from idlepool.engine.decode.draft_model import DraftLimits, DraftModel, Window, load_draft
from idlepool.engine.decode.drafter import Drafter, Wanted
from idlepool.engine.errors import DraftRefused
from idlepool.engine.events import ChatMessage
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.types import ElementType, SequenceId, Span

VOCABULARY, LAYERS = 300, 4
SMALL = DraftLimits(window=64, kept=32, longest=8, sequences=4)
ONE, OTHER = SequenceId(1), SequenceId(2)


@pytest.fixture(scope="module")
def shard(tiny_model: Path):
    """The tiny model in f32, where no near-tie falls differently; its cache has room for those drafted for at once."""
    request = ShardRequest(tiny_model, Span(0, LAYERS), "CPU", ElementType.F32, 1, cache_tokens=SMALL.cache_tokens)
    return load_paged(ov.Core(), request)


@pytest.fixture(scope="module")
def published(tiny_model: Path) -> Published:
    return Published(tiny_model)


@pytest.fixture
def draft(shard) -> DraftModel:
    for sequence in range(20):
        shard.end(SequenceId(sequence))
    return DraftModel(shard, vocabulary=VOCABULARY, limits=SMALL)


class BreakingShard:
    """A shard whose device can be taken away."""

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self.broken = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._shard, name)

    def run(self, batch: Batch) -> Output:
        if self.broken:
            raise RuntimeError("the device was removed")
        return self._shard.run(batch)


def text(seed: int, length: int) -> list[int]:
    return np.random.default_rng(seed).integers(0, VOCABULARY, length).tolist()


def greedy(published: Published, tokens: list[int], count: int) -> list[int]:
    """What the model itself says next, driven by the plainest loop there is."""
    published.restart()
    logits = published.logits(np.array(tokens))
    said = []
    for _ in range(count):
        said.append(int(logits[-1].argmax()))
        logits = published.logits(np.array(said[-1:]))
    return said


class TestGuesses:
    def test_are_what_the_model_would_say(self, draft, published):
        tokens = text(1, 30)
        assert draft.propose([Wanted(ONE, tokens, 6)]) == [greedy(published, tokens, 6)]

    @settings(max_examples=20, deadline=None)
    @given(data=st.data())
    def test_are_the_same_in_step_with_texts_that_grow_and_are_rewound(self, shard, published, data):
        draft = DraftModel(shard, vocabulary=VOCABULARY, limits=SMALL)
        texts = {SequenceId(number): text(number, 10) for number in (1, 2, 3, 4)}
        for step in range(4):
            wanted = []
            for sequence in data.draw(st.lists(st.sampled_from(sorted(texts)), unique=True, max_size=4)):
                kept = data.draw(st.integers(0, len(texts[sequence])))
                texts[sequence] = texts[sequence][:kept] + text(step, data.draw(st.integers(1, 6)))
                wanted.append(Wanted(sequence, texts[sequence], data.draw(st.integers(0, 3))))
            proposed = draft.propose(wanted)
            assert proposed == [greedy(published, list(each.tokens), each.count) for each in wanted]
            for each, guesses in zip(wanted, proposed, strict=True):
                texts[each.sequence] += guesses[: data.draw(st.integers(0, 3))]

    def test_are_the_same_after_the_blocks_went_to_others(self, draft, shard, published):
        wanted = [Wanted(SequenceId(seed), text(seed, 60), 3) for seed in range(1, 8)]
        right = [greedy(published, list(each.tokens), 3) for each in wanted]
        assert [draft.propose([each])[0] for each in wanted] == right
        assert shard.pool.length(ONE) == 0
        assert [draft.propose([each])[0] for each in wanted] == right
        assert draft.propose(wanted[:1] + wanted[3:5]) == right[:1] + right[3:5]

    def test_of_more_sequences_than_fit_in_one_inference(self, shard, published):
        few = DraftModel(shard, vocabulary=VOCABULARY, limits=DraftLimits(window=64, kept=32, sequences=2))
        wanted = [Wanted(SequenceId(seed), text(seed, 50), 3) for seed in range(5)]
        assert few.propose(wanted) == [greedy(published, list(each.tokens), 3) for each in wanted]

    def test_of_a_text_beyond_the_window_see_its_end_only(self, draft, published):
        tokens = text(1, 1000)
        assert draft.propose([Wanted(ONE, tokens, 4)]) == [greedy(published, tokens[-SMALL.kept :], 4)]

    def test_are_none_of_nothing(self, draft):
        assert draft.propose([]) == []
        assert draft.propose([Wanted(ONE, [], 3), Wanted(OTHER, text(1, 5), 0)]) == [[], []]

    def test_end_where_the_target_does_not_know_a_token(self, shard, published):
        tokens = text(1, 30)
        said = greedy(published, tokens, 6)
        least = max(said[:3])
        narrow = DraftModel(shard, vocabulary=least, limits=SMALL)
        (guesses,) = narrow.propose([Wanted(ONE, [token % least for token in tokens], 6)])
        assert all(token < least for token in guesses)
        assert narrow.propose([Wanted(ONE, [*tokens, least], 6)]) == [[]]

    def test_of_an_ended_sequence_come_from_its_new_text(self, draft, shard, published):
        draft.propose([Wanted(ONE, text(1, 40), 3)])
        draft.end(ONE)
        draft.end(SequenceId(77))
        tokens = text(2, 40)
        assert draft.propose([Wanted(ONE, tokens, 3)]) == [greedy(published, tokens, 3)]
        draft.end(ONE)
        draft.propose([])
        assert shard.pool.length(ONE) == 0

    def test_are_none_after_its_device_failed(self, shard, caplog):
        breaking = BreakingShard(shard)
        draft = DraftModel(breaking, vocabulary=VOCABULARY, limits=SMALL)
        wanted = [Wanted(ONE, text(1, 20), 3), Wanted(OTHER, text(2, 20), 3)]
        assert all(len(guesses) == 3 for guesses in draft.propose(wanted))
        breaking.broken = True
        assert draft.propose(wanted) == [[], []]
        assert draft.propose(wanted[:1]) == [[]]
        assert "the device was removed" in caplog.text

    def test_cost_what_was_measured_even_before_the_first(self, draft):
        assert draft.cost_ms(1) > 0


class TestWindow:
    def test_moves_in_hops(self):
        window, tokens, fed = Window(SMALL), text(1, 20), 0
        for token in text(2, 1000):
            tokens.append(token)
            seen = window.follow(tokens)
            assert SMALL.kept <= len(seen) <= SMALL.window or len(tokens) <= SMALL.window
            assert seen == tokens[-len(seen) :]
            fed += len(seen) - window.start(seen)
            window.reached(seen)
        hop = SMALL.window - SMALL.kept
        assert fed <= len(tokens) * (1 + SMALL.kept / hop) + SMALL.window

    def test_stays_while_guesses_come_and_go_at_its_limit(self):
        window, tokens = Window(SMALL), text(1, SMALL.window)
        for length in (64, 66, 64, 67, 65, 68):
            seen = window.follow((tokens + text(length, 8))[:length])
            window.reached(seen)
        assert len(seen) - window.start(seen) <= 8

    def test_fits_a_draft_that_knows_few_positions(self):
        assert DraftLimits().within(100_000) == DraftLimits()
        limits = DraftLimits().within(128)
        assert limits.window + limits.longest <= 128
        assert 0 < limits.kept < limits.window


# --- the real draft of the starter model ------------------------------------------------------------------------------

DRAFT = "IDLEPOOL_DRAFT"
BESIDE = Path(__file__).parents[4] / "shared" / "models" / "smollm2-135m-draft"
"""A draft for the starter model is no part of any package: it lies beside the checkout, or the variable names it."""

PROMPTS = (
    "Write a Python function that checks whether a number is prime.",
    "List five fruits and say what each is good for.",
    "Explain how a bicycle stays upright.",
    "Write a short story about a lighthouse keeper.",
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the starter model says to a prompt at temperature 0."""

    prompt: list[int]
    answer: list[int]


@pytest.fixture(scope="module")
def folder() -> Path:
    folder = Path(os.environ.get(DRAFT) or BESIDE)
    if not (folder / "openvino_model.xml").is_file():
        pytest.skip(f"no draft for the starter model: neither in {BESIDE} nor named by {DRAFT}")
    return folder


@pytest.fixture(scope="module")
def starter(starter_store: ModelStore) -> Path:
    return starter_store.get("starter").folder


@pytest.fixture(scope="module")
def real(folder, starter) -> DraftModel:
    return load_draft(folder, starter, threads=1)


@pytest.fixture(scope="module")
def replies(starter: Path) -> list[Reply]:
    tokenizer = Tokenizer(starter)
    prompts = [tokenizer.encode_chat([ChatMessage("user", prompt)]) for prompt in PROMPTS]
    itself = load_draft(starter, starter, threads=1, limits=DraftLimits(longest=96, sequences=len(prompts)))
    answers = itself.propose([Wanted(SequenceId(n), prompt, 96) for n, prompt in enumerate(prompts)])
    return [Reply(prompt, answer) for prompt, answer in zip(prompts, answers, strict=True)]


def mean_accepted(drafter: Drafter, replies: list[Reply], count: int, *, before: list[int] | None = None) -> float:
    """Mean number of guesses accepted a round; `before` stands before each prompt."""
    accepted = []
    for number, reply in enumerate(replies):
        tokens = [*(before or []), *reply.prompt]
        rest = reply.answer
        while len(rest) > count:
            (guesses,) = drafter.propose([Wanted(SequenceId(number), tokens, count)])
            right = next((i for i, (a, b) in enumerate(zip(guesses, rest, strict=False)) if a != b), count)
            accepted.append(right)
            tokens, rest = tokens + rest[: right + 1], rest[right + 1 :]
        drafter.end(SequenceId(number))
    return sum(accepted) / len(accepted)


@pytest.mark.model
class TestRealDraft:
    @pytest.mark.parametrize(("count", "published"), [(3, 1.29), (5, 1.56)])
    def test_as_many_guesses_are_accepted_as_its_makers_say(self, real, replies, count, published):
        """Its makers' figures for replies before they repeat themselves word by word: these here end before that."""
        assert mean_accepted(real, replies, count) > published - 0.25

    def test_guesses_are_the_same_alone_and_in_company(self, real, replies):
        wanted = [Wanted(SequenceId(n), reply.prompt + reply.answer[:20], 8) for n, reply in enumerate(replies)]
        together = real.propose(wanted)
        for each in wanted:
            real.end(each.sequence)
        assert together == [real.propose([each])[0] for each in wanted]

    def test_a_long_history_does_not_confuse_it(self, real, replies):
        tokens = [token for reply in replies for token in reply.prompt + reply.answer] * 3
        long = mean_accepted(real, replies[-1:], 5, before=tokens)
        assert long > 0.75 * mean_accepted(real, replies[-1:], 5)

    def test_one_for_another_model_is_refused(self, folder, tiny_model):
        with pytest.raises(DraftRefused, match="49,152 tokens and the model 300"):
            load_draft(folder, tiny_model)
