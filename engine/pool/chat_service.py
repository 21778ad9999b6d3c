"""Answers for the window: a conversation comes in as messages, its answer goes out as events while it grows.

Ask -> what fits the context -> pipeline (opened where there is none) -> place in line -> tokens -> stable text
                                 ^--- it breaks: the next one goes on <---'
Ask -> another PC that heads the model's pipeline -> what that one says
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol
from weakref import WeakValueDictionary

from idlepool.engine.decode.request import Answer, Finished, Interrupted, Queued, Request, Token
from idlepool.engine.decode.sampler import check_sampling
from idlepool.engine.errors import IdlepoolError, PoolError, PromptTooLong, QueueFull, RequestError
from idlepool.engine.events import AnswerEvent, Ask, FinishReason
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.pool.carrying_on import carry_on
from idlepool.engine.pool.context_fit import fit
from idlepool.engine.pool.growing_answer import GrowingAnswer
from idlepool.engine.pool.joined import Joined
from idlepool.engine.pool.own_plans import OwnPlanUnfit
from idlepool.engine.pool.pipeline_opener import PipelineOpener
from idlepool.engine.pool.pipelines import Pipelines
from idlepool.engine.pool.text_maker import TextMaker
from idlepool.engine.pool.tokenizers import Tokenizers

log = logging.getLogger("idlepool.chat")

MOST_QUESTIONS = 256
"""Answered and waiting at once, those included whose pipeline is still being opened."""


class Models(Protocol):
    """Where the models are."""

    def named(self, name: str) -> StoredModel:
        """A complete model by name. Raises UnknownModel, ModelDamaged."""


class ChatService:
    """Answers questions, several at once; one at a time in each conversation.

    `stages` asks for so many PCs; None lets the plan decide. `joined` knows who else may answer; None: nobody.
    """

    def __init__(
        self,
        models: Models,
        pipelines: Pipelines,
        emit: Callable[[AnswerEvent], None],
        *,
        stages: int | None = None,
        most_questions: int = MOST_QUESTIONS,
        tokenizers: Tokenizers | None = None,
        joined: Joined | None = None,
    ) -> None:
        self._models = models
        self._pipelines = pipelines
        self._emit = emit
        self._stages = stages
        self._most_questions = most_questions
        self._tokenizers = tokenizers or Tokenizers()
        self._joined = joined
        self._texts = TextMaker()
        self._answers: dict[int, asyncio.Task[FinishReason]] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def ask(self, ask: Ask) -> None:
        """Begin to answer: AnswerStarted, AnswerQueued and AnswerText are emitted, and in any case AnswerDone."""
        answer = GrowingAnswer(ask.request, self._emit, self._texts)
        if len(self._answers) >= self._most_questions:
            answer.done("failed", str(QueueFull(len(self._answers))))
            return
        task = asyncio.create_task(self._answer(ask, answer))
        self._answers[ask.request] = task
        task.add_done_callback(lambda done: self._end(answer, done))

    def stop(self, request: int) -> None:
        """Stop an answer; one that is over already is left alone."""
        task = self._answers.get(request)
        if task is not None:
            task.cancel()

    async def warm_up(self, name: str) -> None:
        """Open the pipeline of a model and load its tokenizer before anybody asks.

        Raises:
            IdlepoolError: the model is not here or cannot be spread.
        """
        model = await asyncio.to_thread(self._models.named, name)
        pipeline = await self._pipelines.open(model, stages=self._stages)
        await self._tokenizers.of(model)
        await pipeline.wait_ready()

    async def close(self) -> None:
        """Stop all answers."""
        answers = list(self._answers.values())
        for task in answers:
            task.cancel()
        await asyncio.gather(*answers, return_exceptions=True)

    def _end(self, answer: GrowingAnswer, task: asyncio.Task[FinishReason]) -> None:
        """Whatever happens to an answer, even before it began, the window hears of its end."""
        self._answers.pop(answer.request, None)
        if task.cancelled():
            answer.done("cancelled")
            return
        error = task.exception()
        if error is None:
            answer.done(task.result())
            return
        if not isinstance(error, IdlepoolError):
            log.error("an answer failed", exc_info=error)
            error = PoolError(f"Something unexpected went wrong ({type(error).__name__}).", "The log has the details.")
        answer.done("failed", str(error), refused=refuses(error), own_plan=isinstance(error, OwnPlanUnfit))

    async def _answer(self, ask: Ask, answer: GrowingAnswer) -> FinishReason:
        _check(ask)
        async with self._turns.setdefault(ask.conversation, asyncio.Lock()):
            head = await self._joined.head_of(ask.model) if self._joined is not None else None
            if self._joined is not None and head is not None:
                return await self._joined.answer(head, ask, answer.relay)
            model = await asyncio.to_thread(self._models.named, ask.model)
            check_sampling(ask.sampling, vocabulary=model.manifest.vocabulary)
            tokenizer = await self._tokenizers.of(model)
            request = await self._fit(ask, answer, tokenizer, context=model.manifest.context)
            opener = PipelineOpener(self._pipelines, model, self._stages)
            return await self._stream(answer, carry_on(request, opener))

    async def _fit(self, ask: Ask, answer: GrowingAnswer, tokenizer: Tokenizer, *, context: int) -> Request:
        """The request for as much of the conversation as the model can hold; the window is told what that is."""
        max_tokens, overflow = ask.max_tokens, ask.overflow
        fitting = partial(fit, tokenizer, ask.messages, context=context, max_tokens=max_tokens, overflow=overflow)
        try:
            fitted = await asyncio.to_thread(fitting)
        except PromptTooLong as error:
            answer.prompt_tokens = error.tokens
            raise
        max_tokens = min(max_tokens, context - len(fitted.prompt))
        stops = (*ask.stop, *tokenizer.stops)
        last = ask.messages[-1]
        begun = last.content if last.role == "assistant" else ""
        answer.start(fitted, tokenizer, stops=stops, context=context, max_tokens=max_tokens, begun=begun)
        return Request(ask.conversation, fitted.prompt, ask.sampling, tokenizer.end_ids, max_tokens, _reproducible(ask))

    async def _stream(self, answer: GrowingAnswer, items: Answer) -> FinishReason:
        try:
            async with contextlib.aclosing(items):
                async for item in items:
                    match item:
                        case Queued(position=position):
                            answer.queue(position)
                        case Interrupted(sentence=sentence):
                            answer.pause(sentence)
                        case Token():
                            if answer.add(item):
                                return "stop"
                        case Finished(reason=reason):
                            answer.finish(item)
                            return reason
        finally:
            answer.flush()
        return "stop"


def refuses(error: IdlepoolError) -> bool:
    """Whether it is about the question itself, so that asking again is of no use."""
    return isinstance(error, RequestError) and not isinstance(error, QueueFull)


def _check(ask: Ask) -> None:
    """Raise RequestError where a setting has no meaning."""
    check_sampling(ask.sampling)
    if ask.max_tokens < 1:
        raise RequestError(f"An answer of {ask.max_tokens} tokens was asked for.", "Ask for at least one.")
    if not any(message.role == "user" for message in ask.messages):
        raise RequestError("There is nothing to answer.", "Ask something.")
    if not all(ask.stop):
        raise RequestError("A stop text is empty.", "Leave it out, or say what the answer should end before.")


def _reproducible(ask: Ask) -> bool:
    if ask.reproducible is not None:
        return ask.reproducible
    return ask.sampling.temperature == 0 or ask.sampling.seed != 0
