"""What a running pool is measured by: the pace of its users, what their drafts were worth, what the processors did."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

import psutil

from idlepool.app.bench.parting import Parting, parting
from idlepool.app.bench.prompts import crowd, history
from idlepool.app.bench.rows import Row, batches
from idlepool.app.bench.users import Pace, Seen, ask_together, attend, pace, together
from idlepool.app.node_client import NodeClient
from idlepool.app.terminal_chat import Notices
from idlepool.engine.events import AnswerDone, ChatMessage, PipelineStats, WantStats
from idlepool.engine.plan_events import ChosenPlan, PlanTold, TryPlan

WARM_TOKENS = 48
"""More than the steps by which each PC corrects what it measured while others loaded, see step_drift.py."""

Told = TypeVar("Told", PipelineStats, PlanTold)


@dataclass(frozen=True, slots=True)
class Measured:
    """A row in one round."""

    tokens_per_second: float
    to_reference: float
    """Against one user of OpenVINO GenAI, measured right before on the same pool's turn."""
    steady: bool
    """Whether all users were answered at the same time: see users.py."""
    tokens: int
    drafted: int
    accepted: int
    frames: int
    """Micro-batches that the head sent, those of prefill included."""
    head_ms_per_step: float
    """What the head says of its own work on each."""
    round_trip_ms: float
    """From sending one to its verdict."""
    head_processor_ms_per_token: float
    """Processor time of the head's whole process, links and pipes included, in which no layer is computed."""
    busy: tuple[float, ...]
    """Share of the time that each stage's process was computing."""

    @property
    def acceptance(self) -> float | None:
        """Share of the drafted tokens that were right."""
        return self.accepted / self.drafted if self.drafted else None

    @property
    def tokens_per_step(self) -> float:
        """Every verdict brings the drafts that were right and one token more."""
        return self.tokens / max(1, self.tokens - self.accepted)


@dataclass(frozen=True, slots=True)
class SecondTurn:
    """Times to the first token after a long history: prefilled from nothing, and where only the question is new."""

    prompt_tokens: int
    cold_ms: float
    second_ms: float


class Pool:
    """A pool that answers; `model` is what its users talk to."""

    def __init__(self, client: NodeClient, notices: Notices, *, model: str) -> None:
        self._client = client
        self._notices = notices
        self._model = model

    def warm_up(self) -> None:
        """Spread the model and answer something, so that nothing is done for the first time later.

        Raises:
            PoolError: the model cannot be spread, and why.
        """
        self._ask(crowd(1), tokens=WARM_TOKENS)

    def measure(self, row: Row, *, tokens: int, reference: float) -> Measured:
        """Let its users ask, batch after batch. `reference` is in tokens/s."""
        paces: list[Pace] = []
        ends: list[AnswerDone] = []
        before = self._stats()
        with _ProcessorTime([self._client.pid, *self._stage_pids()]) as spent:
            for questions in batches(row):
                seen = self._ask(questions, tokens=tokens, reproducible=row.reproducible)
                paces.append(pace(seen))
                ends += [user.done for user in seen if user.done is not None]
        after = self._stats()
        frames = after.frames - before.frames
        total = together(paces)
        told = sum(len(end.token_ids) for end in ends)
        return Measured(
            tokens_per_second=total.tokens_per_second,
            to_reference=total.tokens_per_second / reference,
            steady=total.steady,
            tokens=told,
            drafted=sum(end.drafted for end in ends),
            accepted=sum(end.accepted for end in ends),
            frames=frames,
            head_ms_per_step=(after.own_ms - before.own_ms) / frames,
            round_trip_ms=(after.round_trips_ms - before.round_trips_ms) / frames,
            head_processor_ms_per_token=1e3 * spent.seconds[0] / told,
            busy=tuple(seconds / spent.elapsed_s for seconds in spent.seconds[1:]),
        )

    def second_turn(self, number: int, *, lines: int) -> SecondTurn:
        """Two long conversations that differ from their first words on: one grows by a question, one comes at once."""
        question = ChatMessage("user", "And which one is named last?")
        grown = history(2 * number, lines)
        (first,) = self._talk(grown, name=f"turns-{number}")
        (second,) = self._talk((*grown, ChatMessage("assistant", first.text), question), name=f"turns-{number}")
        cold_turns = (*history(2 * number + 1, lines), ChatMessage("assistant", first.text), question)
        (cold,) = self._talk(cold_turns)
        assert second.done is not None and cold.done is not None
        return SecondTurn(cold.done.prompt_tokens, cold.done.time_to_first_token_ms, second.done.time_to_first_token_ms)

    def parting(self, *, answers: int, tokens: int) -> Parting:
        """Ask so many questions one after the other, then all at once, neither reproducibly."""
        questions = crowd(answers)
        alone = [seen for question in questions for seen in self._ask([question], tokens=tokens, logprobs=2)]
        together = self._ask(questions, tokens=tokens)
        return parting(
            [seen.done for seen in alone if seen.done is not None],
            [seen.done for seen in together if seen.done is not None],
        )

    def predicted(self) -> float:
        """Tokens/s of one user without drafts, as the plan has it beforehand for the stages that run."""
        pipeline = self._notices.pipeline
        assert pipeline is not None
        pcs = tuple(stage.node for stage in pipeline.stages)
        spans = tuple((stage.first, stage.last) for stage in pipeline.stages)
        self._client.send(TryPlan(ChosenPlan(self._model, pcs, spans)))
        return self._told(PlanTold).tokens_per_second

    def _ask(
        self, questions: Sequence[str], *, tokens: int, reproducible: bool = False, logprobs: int = -1
    ) -> list[Seen]:
        conversations = [(ChatMessage("user", question),) for question in questions]
        return ask_together(
            self._client,
            self._notices,
            conversations,
            model=self._model,
            max_tokens=tokens,
            reproducible=reproducible,
            logprobs=logprobs,
        )

    def _talk(self, messages: tuple[ChatMessage, ...], *, name: str = "") -> list[Seen]:
        return ask_together(self._client, self._notices, [messages], model=self._model, max_tokens=8, name=name)

    def _stats(self) -> PipelineStats:
        """Answered at once.

        Raises:
            PoolError: the pipeline broke, so there is no answer.
        """
        self._client.send(WantStats(self._model))
        return self._told(PipelineStats)

    def _told(self, kind: type[Told]) -> Told:
        """The next event of a kind."""
        while not isinstance(event := self._client.next_event(), kind):
            attend(self._notices, event)
        return event

    def _stage_pids(self) -> list[int]:
        pipeline = self._notices.pipeline
        return [stage.pid for stage in pipeline.stages] if pipeline else []


class _ProcessorTime:
    """Seconds of processor time that each of some processes spends in a `with` block, and how long that took."""

    def __init__(self, pids: list[int]) -> None:
        self._processes = [psutil.Process(pid) for pid in pids]
        self.seconds: list[float] = []
        self.elapsed_s = 0.0

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        self._before = self._now()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.seconds = [now - before for now, before in zip(self._now(), self._before, strict=True)]
            self.elapsed_s = time.perf_counter() - self._started

    def _now(self) -> list[float]:
        times = [process.cpu_times() for process in self._processes]
        return [spent.user + spent.system for spent in times]
