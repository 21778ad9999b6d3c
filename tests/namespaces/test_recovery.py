"""PCs and stage processes that are killed or freeze in the middle of an answer: it goes on, and is the same to the bit.

Each round takes another stage of the running pipeline at a token drawn by its seed; the PC that is left over, which has
the layers or fetches them, takes part in the next pipeline. The long form has IDLEPOOL_ROUNDS rounds of each kind, 50
unless that says otherwise, and prints how long the answers paused.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator

import psutil
import pytest
from played_network import why_not
from played_nodes import GREEDY, HeardAnswer, PlayedNode, freeze, percentile_95, say_figures, thaw
from played_office import PlayedOffice, played_office

from idlepool.engine.events import AnswerDone, StageInfo
from idlepool.engine.types import Sampling

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be played here"),
]

STAGES = 4
PLACES = ("the head's own", "the first of another PC", "a middle one", "the last")
"""The stages, in their order."""

ROUNDS, MANY_ROUNDS = 1, int(os.environ.get("IDLEPOOL_ROUNDS", "50"))
LONGEST_PAUSE_S = 5.0
LONGEST_FROZEN_PAUSE_S = 10.0

QUESTIONS = ("Tell me about the sea.", "How is bread made?", "Why do cats sleep so much?")
HOWS = (GREEDY, Sampling(temperature=0.9, top_p=0.95, seed=7))
LATEST_TOKEN = 32
"""After which something happens; the answers are half as long again."""

seeds = pytest.mark.parametrize(
    "rounds", [ROUNDS, pytest.param(MANY_ROUNDS, marks=[pytest.mark.long, pytest.mark.timeout(3600)])]
)
others = pytest.mark.parametrize("place", range(1, STAGES), ids=PLACES[1:])
everywhere = pytest.mark.parametrize("place", range(STAGES), ids=PLACES)


@pytest.fixture(scope="module")
def office(tmp_path_factory, starter_store) -> Iterator[PlayedOffice]:
    with played_office(tmp_path_factory.mktemp("office"), pcs=STAGES + 1, stages=STAGES) as office:
        yield office


@pytest.fixture(scope="module")
def undisturbed(office) -> dict[tuple[str, Sampling], tuple[AnswerDone, str]]:
    """What is answered, and its text, where nothing happens."""
    office.make_whole()
    answers = {(question, how): office.head.ask(question, sampling=how) for question in QUESTIONS for how in HOWS}
    heard = {asked: office.head.answer(request) for asked, request in answers.items()}
    assert all(len(answer.done.token_ids) > LATEST_TOKEN for answer in heard.values())
    return {asked: (answer.done, answer.text) for asked, answer in heard.items()}


class Rounds:
    """Answers in which something happens at a token that a seed draws."""

    def __init__(self, office: PlayedOffice, undisturbed: dict[tuple[str, Sampling], tuple[AnswerDone, str]]) -> None:
        self.office = office
        self.pauses_s: list[float] = []
        self._undisturbed = undisturbed

    def play(self, seed: int, place: int, happens: Callable[[PlayedNode, StageInfo], None]) -> StageInfo:
        """One of them; the stage to which it happened."""
        generator = random.Random(f"{seed} {place}")
        question, how = generator.choice(QUESTIONS), generator.choice(HOWS)
        token = generator.randrange(LATEST_TOKEN)
        self.office.make_whole()
        head = self.office.head
        stage = head.stages[place]
        answer = head.answers[head.ask(question, sampling=how)]
        head.until(lambda: answer.started and answer.tokens >= token)
        happened_at = time.monotonic()
        happens(self.office.named(stage.name), stage)
        head.until(lambda: answer.done)
        self._check(answer, *self._undisturbed[question, how], told=f"seed {seed}, stage {place}, token {token}")
        self.pauses_s.append(answer.went_on_at - happened_at)
        return stage

    def forgive(self) -> None:
        """The head plans without a PC whose stage failed lately, but for its lifetime only: it starts anew."""
        self.office.head.close()

    def _check(self, answer: HeardAnswer, expected: AnswerDone, text: str, *, told: str) -> None:
        assert answer.pauses, f"{told}: it was over before anything happened"
        assert (answer.done.finish, answer.done.detail) == (expected.finish, expected.detail), told
        assert answer.done.token_ids == expected.token_ids, told
        assert answer.text == text, told
        counts = [part.tokens for _, part in answer.texts]
        assert counts == sorted(counts), told

    def end(self, what: str, capsys: pytest.CaptureFixture[str], *, limit_s: float) -> None:
        """Where there were many rounds, say how long the pauses were, and that they were short enough."""
        if len(self.pauses_s) >= MANY_ROUNDS:
            say_figures(capsys, what, pauses_s=self.pauses_s)
            assert percentile_95(self.pauses_s) <= limit_s


@pytest.fixture
def played(office, undisturbed) -> Rounds:
    return Rounds(office, undisturbed)


@seeds
@others
def test_a_pc_is_killed(played, place, rounds, capsys):
    for seed in range(rounds):
        played.play(seed, place, lambda node, _: node.kill())
    played.end(f"PC killed: {PLACES[place]}", capsys, limit_s=LONGEST_PAUSE_S)


@seeds
@everywhere
def test_a_stage_process_is_killed(played, place, rounds, capsys):
    for seed in range(rounds):
        played.play(seed, place, lambda _, stage: psutil.Process(stage.pid).kill())
        played.forgive()
    played.end(f"process killed: {PLACES[place]}", capsys, limit_s=LONGEST_PAUSE_S)


@seeds
def test_a_pc_freezes_and_thaws(played, rounds, capsys):
    for seed in range(rounds):
        stage = played.play(seed, random.Random(seed).randrange(1, STAGES), lambda node, _: freeze(node.process.pid))
        thaw(played.office.named(stage.name).process.pid)
    played.end("PC frozen", capsys, limit_s=LONGEST_FROZEN_PAUSE_S)


@seeds
def test_a_stage_process_freezes(played, rounds, capsys):
    for seed in range(rounds):
        played.play(seed, random.Random(seed).randrange(STAGES), lambda _, stage: freeze(stage.pid))
        played.forgive()
    played.end("process frozen", capsys, limit_s=LONGEST_FROZEN_PAUSE_S)
