"""What a PC may ask another one, and what it may not: without any model, over a real link."""

from __future__ import annotations

import msgspec
import pytest
from played_pool import until

from idlepool.engine.errors import RequestError
from idlepool.engine.events import AnswerDone, AnswerText, Ask, ChatMessage
from idlepool.engine.net.messages import EndSequence
from idlepool.engine.net.question_messages import PeerAnswer, PeerAsk, PeerStop
from idlepool.engine.pool.guests import checked
from idlepool.engine.types import Sampling

QUESTION = Ask(1, "chat", "f" * 64, (ChatMessage("user", "Why?"),))


async def answer(link) -> AnswerDone:
    """The next end of an answer."""
    async for item in link:
        if isinstance(item, PeerAnswer) and isinstance(item.event, AnswerDone):
            return item.event
    raise AssertionError(await link.wait_closed())


async def test_a_model_that_is_not_there_is_told(pool):
    await pool.start("pc-1")
    link = await pool.visit("pc-1", "control")
    for request in (1, 2, 1):  # a number is free again when its answer is over
        await link.send(PeerAsk(msgspec.structs.replace(QUESTION, request=request)))
        done = await answer(link)
        assert (done.request, done.finish) == (request, "failed")
        assert done.detail == "The model is no longer on the PC that answered about it. Ask again."
    await link.close("done")


async def test_no_path_is_a_model(pool, model):
    """What is asked about is an id, not a name, and never a way to a file."""
    await pool.start("pc-1", model=model)
    link = await pool.visit("pc-1", "control")
    for name in ("tiny", "../pc-1/models/tiny", str(model), ""):
        await link.send(PeerAsk(msgspec.structs.replace(QUESTION, model=name)))
        assert "no longer on the PC" in (await answer(link)).detail
    await link.close("done")


@pytest.mark.parametrize("request_", [-1, -(2**63)])
async def test_a_question_without_a_number_closes_the_link(pool, request_):
    await pool.start("pc-1")
    link = await pool.visit("pc-1", "control")
    await link.send(PeerAsk(msgspec.structs.replace(QUESTION, request=request_)))
    async for _ in link:
        pass
    assert await link.wait_closed() == "A question has no number of its own."


async def test_a_number_twice_at_once_closes_the_link(pool):
    await pool.start("pc-1")
    link = await pool.visit("pc-1", "control")
    await link.send(PeerAsk(QUESTION))
    await link.send(PeerAsk(QUESTION))
    said = [item async for item in link if isinstance(item, PeerAnswer)]
    assert len(said) <= 1
    assert await link.wait_closed() == "A question has no number of its own."


async def test_answers_and_stops_that_nobody_waits_for_do_no_harm(pool):
    node = await pool.start("pc-1")
    link = await pool.visit("pc-1", "control")
    await link.send(PeerStop(5))
    await link.send(PeerAnswer(AnswerText(1, "unasked", 1, 1.0)))
    await link.send(EndSequence(5, 6))
    await link.send(PeerAsk(QUESTION))
    assert (await answer(link)).finish == "failed"
    await link.close("done")
    await until(lambda: not node.heading.guests._guests)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"messages": QUESTION.messages * 4097}, "A question has 4,097 messages; at most 4,096"),
        ({"stop": ("a" * 1001,)}, "A question has 1,001 characters in a stop text"),
        ({"stop": ("a",) * 17}, "A question has 17 stop texts"),
        ({"conversation": "a" * 201}, "A question has 201 characters in its conversation's name"),
    ],
)
def test_too_much_of_anything_is_refused(changes, said):
    with pytest.raises(RequestError, match=said):
        checked(msgspec.structs.replace(QUESTION, **changes))


@pytest.mark.parametrize("logprobs", [-1, 0, 20])
def test_the_longest_answer_fits_a_message(logprobs):
    """Even one of the largest ids and the longest numbers."""
    asked = msgspec.structs.replace(QUESTION, max_tokens=10**9, sampling=Sampling(logprobs=logprobs))
    count = checked(asked).max_tokens
    logprob = -1.2345678806304932e-38
    told = count if logprobs >= 0 else 0
    tops = (((2**31 - 1, logprob),) * logprobs,) * told if logprobs else ()
    done = AnswerDone(1, "length", (2**31 - 1,) * count, 9, 1.0, 1.0, "x" * 600, 1, 1, (logprob,) * told, tops)
    assert count > 1000
    assert len(msgspec.json.encode(PeerAnswer(done))) < 2**20
    assert checked(QUESTION) == QUESTION
