"""Text of several answers made at once is each answer's own, whole and in order."""

from __future__ import annotations

import asyncio

import pytest

from idlepool.engine.decode.request import Token
from idlepool.engine.events import AnswerText
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.pool.context_fit import Fitted
from idlepool.engine.pool.growing_answer import GrowingAnswer
from idlepool.engine.pool.text_maker import SHOW_EVERY_S, TextMaker

pytestmark = pytest.mark.model

TEXTS = ("The quick brown fox 🦊 jumps.", "日本語の文章です。 e\u0301 and é", "one two three four five six seven")


async def test_answers_that_grow_together(starter_store: ModelStore) -> None:
    tokenizer = Tokenizer(starter_store.get("starter").folder)
    events: list[AnswerText] = []

    def emit(event: object) -> None:
        if isinstance(event, AnswerText):
            events.append(event)

    maker = TextMaker()
    answers = [GrowingAnswer(number, emit, maker) for number in range(len(TEXTS))]
    tokens = [tokenizer.encode(text) for text in TEXTS]
    for answer in answers:
        answer.start(Fitted((1,), 1), tokenizer, stops=(), context=100, max_tokens=90)
    for step in range(max(map(len, tokens))):
        for answer, ids in zip(answers, tokens, strict=True):
            if step < len(ids):
                answer.add(Token(ids[step]))
        if step % 4 == 0:
            await asyncio.sleep(1.2 * SHOW_EVERY_S)
    for answer in answers:
        answer.flush()
    await asyncio.sleep(1.5 * SHOW_EVERY_S)  # nothing comes after the end
    for number, text in enumerate(TEXTS):
        own = [event for event in events if event.request == number]
        assert "".join(event.text for event in own) == text
        assert len(own) > 1
        assert own[-1].tokens == len(tokens[number])
