"""Answers for the window: a conversation comes in as messages, its answer goes out as events while it grows.

Ask -> tokens -> pipeline (opened where there is none) -> ids one by one -> stable text -> AnswerText, AnswerDone
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from idlepool.engine.decode.head import generate
from idlepool.engine.decode.sampler import check_sampling
from idlepool.engine.decode.text_stream import TextStream
from idlepool.engine.errors import IdlepoolError, PoolError, PromptTooLong, RequestError
from idlepool.engine.events import AnswerDone, AnswerText, Ask, Event, FinishReason
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.pool.pipelines import Pipelines
from idlepool.engine.types import ModelId

log = logging.getLogger("idlepool.chat")


@dataclass(slots=True)
class _Answer:
    """An answer that grows."""

    request: int
    prompt_tokens: int = 0
    asked: float = field(default_factory=time.monotonic)
    first: float = 0.0
    latest: float = 0.0
    ids: list[int] = field(default_factory=list)

    def add(self, token: int) -> None:
        self.latest = time.monotonic()
        self.first = self.first or self.latest
        self.ids.append(token)

    @property
    def tokens_per_second(self) -> float:
        """From the first token on; prefill does not count."""
        seconds = self.latest - self.first
        return (len(self.ids) - 1) / seconds if seconds > 0 else 0.0

    def done(self, finish: FinishReason, detail: str = "") -> AnswerDone:
        first_ms = 1e3 * (self.first - self.asked) if self.ids else 0.0
        ids = tuple(self.ids)
        return AnswerDone(self.request, finish, ids, self.prompt_tokens, self.tokens_per_second, first_ms, detail)


class ChatService:
    """Answers questions, several at once; one at a time in each conversation.

    `stages` asks for so many PCs; None lets the plan decide.
    """

    def __init__(
        self, models: ModelFolders, pipelines: Pipelines, emit: Callable[[Event], None], *, stages: int | None = None
    ) -> None:
        self._models = models
        self._pipelines = pipelines
        self._emit = emit
        self._stages = stages
        self._tokenizers: dict[ModelId, asyncio.Task[Tokenizer]] = {}
        self._answers: dict[int, asyncio.Task[FinishReason]] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def ask(self, ask: Ask) -> None:
        """Begin to answer; AnswerText and at last AnswerDone are emitted."""
        answer = _Answer(ask.request)
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
        tokenizer = self._tokenizer(model)
        pipeline = await self._pipelines.open(model, stages=self._stages)
        await pipeline.wait_ready()
        await asyncio.shield(tokenizer)

    async def close(self) -> None:
        """Stop all answers."""
        answers = list(self._answers.values())
        for task in answers:
            task.cancel()
        await asyncio.gather(*answers, return_exceptions=True)

    async def _answer(self, ask: Ask, answer: _Answer) -> FinishReason:
        async with self._turns.setdefault(ask.conversation, asyncio.Lock()):
            return await self._generate(ask, answer)

    def _end(self, answer: _Answer, task: asyncio.Task[FinishReason]) -> None:
        """Whatever happens to an answer, even before it began, the window hears of its end."""
        self._answers.pop(answer.request, None)
        if task.cancelled():
            self._emit(answer.done("cancelled"))
            return
        error = task.exception()
        if error is None:
            self._emit(answer.done(task.result()))
            return
        if not isinstance(error, IdlepoolError):
            log.error("an answer failed", exc_info=error)
            error = PoolError(f"Something unexpected went wrong ({type(error).__name__}).", "The log has the details.")
        self._emit(answer.done("failed", str(error)))

    async def _generate(self, ask: Ask, answer: _Answer) -> FinishReason:
        check_sampling(ask.sampling)
        if ask.max_tokens < 1:
            raise RequestError(f"An answer of {ask.max_tokens} tokens was asked for.", "Ask for at least one.")
        model = await asyncio.to_thread(self._models.named, ask.model)
        tokenizer = await asyncio.shield(self._tokenizer(model))  # others wait for the same one
        prompt = await asyncio.to_thread(tokenizer.encode_chat, ask.messages)
        answer.prompt_tokens = len(prompt)
        context = model.manifest.context
        if len(prompt) >= context:
            raise PromptTooLong(len(prompt), context)
        pipeline = await self._pipelines.open(model, stages=self._stages)
        await pipeline.wait_ready()
        async with pipeline.turn(ask.conversation) as (sequence, gone):
            if gone is not None:
                await self._pipelines.end_sequence(pipeline, gone)
            ids = generate(pipeline, sequence, prompt, sampling=ask.sampling, end_ids=tokenizer.end_ids)
            return await self._stream(answer, ids, tokenizer, limit=min(ask.max_tokens, context - len(prompt)))

    async def _stream(
        self, answer: _Answer, ids: AsyncGenerator[int], tokenizer: Tokenizer, *, limit: int
    ) -> FinishReason:
        text = TextStream(tokenizer.decode)
        try:
            async with contextlib.aclosing(ids):
                async for token in ids:
                    answer.add(token)
                    self._emit_text(answer, text.push([token]))
                    if len(answer.ids) == limit:
                        return "length"
        finally:
            self._emit_text(answer, text.flush())
        return "stop"

    def _emit_text(self, answer: _Answer, text: str) -> None:
        if text:
            self._emit(AnswerText(answer.request, text, len(answer.ids), answer.tokens_per_second))

    def _tokenizer(self, model: StoredModel) -> asyncio.Task[Tokenizer]:
        """The model's tokenizer, loaded once; what failed is tried again."""
        task = self._tokenizers.get(model.model)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tokenizers[model.model] = asyncio.create_task(asyncio.to_thread(Tokenizer, model.folder))
        return task
