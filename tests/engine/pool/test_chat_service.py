"""Conversations with the starter model on one PC, as the window sees them: events, from the question to the end."""

from __future__ import annotations

import json
import shutil

import pytest
import pytest_asyncio
from played_pool import PlayedPool, until
from played_window import Window

from idlepool.engine.events import AnswerDone, AnswerPaused, AnswerQueued, AnswerStarted, ChatMessage
from idlepool.engine.models.manifest import SETTINGS_FILE
from idlepool.engine.plan_events import ChosenPlan
from idlepool.engine.types import Sampling

pytestmark = [pytest.mark.model, pytest.mark.asyncio(loop_scope="module")]

JAPAN = "What is the capital of Japan?"
CONTEXT = 600
STORY = "Write a long story about a cat and a lighthouse."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(starter_store, cache, tmp_path_factory):
    """Served by the starter model, which is said to hold only CONTEXT tokens: a full one takes seconds to fill."""
    folder = shutil.copytree(starter_store.get("starter").folder, tmp_path_factory.mktemp("model") / "starter")
    (folder / SETTINGS_FILE).write_text(json.dumps({"context": CONTEXT, "source": "a test"}))
    async with PlayedPool(tmp_path_factory.mktemp("pool"), cache=cache) as pool:
        node = await pool.start("pc-1", model=folder)
        window = Window(node, folder)
        await window.service.warm_up("tiny")
        yield window
        await window.service.close()


async def test_an_answer_comes_in_pieces_and_ends(window):
    request = window.ask(JAPAN)
    done = await window.done(request)
    assert (done.finish, done.detail) == ("stop", "")
    assert window.started(request) == AnswerStarted(request, done.prompt_tokens, CONTEXT, 40, kept_messages=1)
    assert "Tokyo" in window.text(request)
    assert window.text(request) == window.tokenizer.decode(done.token_ids)
    pieces = window.pieces(request)
    assert len(pieces) > 1  # the first at once, the others some at a time
    assert [piece.tokens for piece in pieces] == sorted(piece.tokens for piece in pieces)
    assert pieces[-1].tokens == len(done.token_ids)
    assert done.prompt_tokens == len(window.tokenizer.encode_chat((ChatMessage("user", JAPAN),)))
    assert done.tokens_per_second > 0
    assert done.time_to_first_token_ms > 0


async def test_a_limit_ends_it(window):
    done = await window.done(window.ask(STORY, max_tokens=5))
    assert (done.finish, len(done.token_ids)) == ("length", 5)


async def test_a_seed_gives_the_same_answer_again(window):
    sampling = Sampling(temperature=1.0, top_p=0.9, seed=4)
    asked = [window.ask(STORY, sampling=s, max_tokens=12) for s in (sampling, sampling, Sampling(1.0, seed=5))]
    first, second, other = [(await window.done(request)).token_ids for request in asked]
    assert first == second != other


async def test_several_are_answered_at_once(window):
    story = window.ask(STORY, max_tokens=60)
    await until(lambda: window.pieces(story))
    beside = window.ask(JAPAN)
    await window.done(beside)
    assert not any(isinstance(event, AnswerDone) for event in window.events[story])
    assert "Tokyo" in window.text(beside)
    assert len((await window.done(story)).token_ids) == 60


async def test_in_one_conversation_answers_take_turns(window):
    first = window.ask(STORY, chat="one", max_tokens=30)
    second = window.ask(JAPAN, chat="one")
    await until(lambda: window.events[second])
    assert isinstance(window.events[first][-1], AnswerDone)
    assert len(window.events[first][-1].token_ids) == 30
    await window.done(second)
    assert "Tokyo" in window.text(second)


async def test_a_conversation_goes_on(window):
    request = window.ask(JAPAN, chat="travel")
    await window.done(request)
    following = window.ask(JAPAN, window.text(request), "And of Italy?", chat="travel")
    await window.done(following)
    assert "Rome" in window.text(following)


@pytest.mark.parametrize("loading", [False, True])
async def test_one_stopped_before_it_began_is_over_and_the_next_is_answered(window, loading):
    """Also while the tokenizer is being loaded, for which others wait as well."""
    service = window.new_service()
    request = window.ask(STORY, service=service)
    waiting = window.ask(JAPAN, service=service)
    if loading:
        await until(lambda: service._tokenizers._loading)
    service.stop(request)
    done = await window.done(request)
    assert (done.finish, done.token_ids) == ("cancelled", ())
    assert (await window.done(waiting)).finish == "stop"
    assert (await window.done(window.ask(JAPAN, service=service))).finish == "stop"
    await service.close()


async def test_one_stopped_in_the_middle_keeps_its_text(window):
    whole = await window.done(window.ask(STORY, max_tokens=60))
    request = window.ask(STORY, chat="stopped", max_tokens=60)
    await until(lambda: len(window.pieces(request)) > 3)
    window.service.stop(request)
    done = await window.done(request)
    assert done.finish == "cancelled"
    assert 3 <= len(done.token_ids) < 60
    assert done.token_ids == whole.token_ids[: len(done.token_ids)]
    assert window.text(request) == window.tokenizer.decode(done.token_ids)
    window.service.stop(request)  # it is over already
    edited = window.ask(JAPAN, chat="stopped")
    await window.done(edited)
    assert "Tokyo" in window.text(edited)


async def test_a_prompt_that_does_not_fit_is_told_in_numbers(window):
    done = await window.done(window.ask("word " * 700))
    assert done.finish == "failed"
    assert done.prompt_tokens > 700
    assert f"The conversation has {done.prompt_tokens:,} tokens and the model holds 600." in done.detail


async def test_a_conversation_that_slides_keeps_the_last_question_and_says_what_was_left_out(window):
    turns = [*[JAPAN, "The capital of Japan is Tokyo."] * 25, JAPAN]
    request = window.ask(*turns, overflow="slide")
    done = await window.done(request)
    started = window.started(request)
    assert done.finish == "stop"
    assert "Tokyo" in window.text(request)
    assert started.dropped_messages >= 4
    assert started.kept_messages + started.dropped_messages == len(turns)
    assert started.prompt_tokens == done.prompt_tokens <= CONTEXT - 40
    assert started.prompt_tokens + started.dropped_tokens > CONTEXT


async def test_an_answer_that_reaches_the_end_of_the_context_says_so_in_numbers(window):
    request = window.ask(f"{STORY} " * 46, "Once upon a time there was a cat.", STORY, max_tokens=500)
    done = await window.done(request)
    free = CONTEXT - done.prompt_tokens
    assert 0 < free < 60
    assert window.started(request).max_tokens == free
    assert (done.finish, len(done.token_ids)) == ("length", free)
    assert f"600 tokens: {done.prompt_tokens} of the conversation and {free} of this answer" in done.detail


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"model": "nobody"}, "There is no model called “nobody”. Models here: tiny."),
        ({"max_tokens": 0}, "An answer of 0 tokens was asked for."),
        ({"stop": ("a", "")}, "A stop text is empty."),
        ({"sampling": Sampling(temperature=-1.0)}, "The temperature is -1.0."),
        ({"sampling": Sampling(top_p=0.0)}, "The top-p is 0.0."),
    ],
)
async def test_what_cannot_be_answered_is_told(window, settings, said):
    done = await window.done(window.ask(JAPAN, **settings))
    assert (done.finish, done.token_ids) == ("failed", ())
    assert done.detail.startswith(said)


async def test_a_stop_text_ends_the_answer_and_is_no_part_of_it(window):
    whole = await window.done(window.ask(JAPAN))
    request = window.ask(JAPAN, stop=("nowhere", " is To"))
    done = await window.done(request)
    assert done.finish == "stop"
    assert window.text(request) == "The capital of Japan"
    assert done.token_ids == whole.token_ids[:4]
    again = window.ask(JAPAN, window.text(request), "Go on.", chat=f"chat {request}")
    assert (await window.done(again)).finish in ("stop", "length")


async def test_a_stop_text_that_never_comes_takes_nothing_away(window):
    request = window.ask(JAPAN, stop=("Tokyo. And", "Kyoto"))
    done = await window.done(request)
    assert window.text(request).endswith("Tokyo.")
    assert window.text(request) == window.tokenizer.decode(done.token_ids)


async def test_log_probabilities_are_told_where_they_are_asked_for(window):
    plain = await window.done(window.ask(JAPAN))
    done = await window.done(window.ask(JAPAN, sampling=Sampling(logprobs=2)))
    assert (plain.logprobs, plain.top) == ((), ())
    assert len(done.logprobs) == len(done.top) == len(done.token_ids) > 3
    for token, logprob, best in zip(done.token_ids, done.logprobs, done.top, strict=True):
        assert best[0] == (token, logprob)
        assert 0 >= best[0][1] >= best[1][1]


@pytest.mark.parametrize("moment", ["prefill", "decode"])
async def test_nothing_of_what_was_stopped_reaches_the_next_answer(window, moment):
    """Over and over in one conversation, at once after each other; what comes in the end is what a fresh one gets."""
    alone = await window.done(window.ask(JAPAN))
    stopped = [
        window.ask(f"{STORY} " * (30 if moment == "prefill" else 1) + str(turn), chat=f"restless {moment}")
        for turn in range(5)
    ]
    for request in stopped:
        await until(lambda seen=window.events[request]: len(seen) > (0 if moment == "prefill" else 4))
        window.service.stop(request)
    following = window.ask(JAPAN, chat=f"restless {moment}")
    done = await window.done(following)
    assert done.token_ids == alone.token_ids
    for request in stopped:
        ends = [event for event in window.events[request] if isinstance(event, AnswerDone)]
        assert [end.finish for end in ends] == ["cancelled"]
        assert window.events[request][-1] is ends[0]


async def test_those_who_find_no_room_wait_in_line_and_are_told_where(window):
    asked = [window.ask(JAPAN, chat=f"crowd {number}", max_tokens=12) for number in range(70)]
    waited = []
    for request in asked:
        await window.done(request)
        assert "Tokyo" in window.text(request)
        waited.append([event.position for event in window.events[request] if isinstance(event, AnswerQueued)])
    assert any(waited)
    for positions in waited:
        assert positions == sorted(set(positions), reverse=True)
    assert all(positions[-1] == 0 for positions in waited if positions), "who waited hears when it is answered"


async def test_more_questions_than_are_taken_are_refused_at_once(window):
    service = window.new_service(most_questions=2)
    taken = [window.ask(JAPAN, service=service) for _ in range(2)]
    refused = await window.done(window.ask(JAPAN, service=service))
    assert (refused.finish, refused.detail) == (
        "failed",
        "2 questions are waiting to be answered already. Ask again in a moment.",
    )
    for request in taken:
        assert (await window.done(request)).finish == "stop"
    assert (await window.done(window.ask(JAPAN, service=service))).finish == "stop"


async def test_an_answer_goes_on_over_the_next_pipeline_where_one_breaks(window):
    undisturbed = await window.done(window.ask(STORY, max_tokens=60))
    request = window.ask(STORY, max_tokens=60)
    await until(lambda: len(window.pieces(request)) > 3)
    pipeline = await window.node.pipelines.open(window.node.models.named("tiny"))
    pipeline.close()
    done = await window.done(request)
    assert (done.finish, done.token_ids) == ("length", undisturbed.token_ids)
    assert window.text(request) == window.tokenizer.decode(undisturbed.token_ids)
    pauses = [event for event in window.events[request] if isinstance(event, AnswerPaused)]
    assert [pause.sentence for pause in pauses] == ["The pipeline was closed. The answer goes on in a moment."]


async def test_an_answer_that_broke_off_is_gone_on_with(window):
    request = window.ask(JAPAN, "In Japan, people live on islands. The capital is the city of")
    done = await window.done(request)
    assert done.finish == "stop"
    assert done.prompt_tokens > len(window.tokenizer.encode_chat((ChatMessage("user", JAPAN),)))
    assert window.text(request).startswith(" Tokyo")


@pytest.mark.parametrize("roles", [(), ("system",), ("assistant",)])
async def test_without_a_question_there_is_nothing_to_answer(window, roles):
    request = window.ask(messages=tuple(ChatMessage(role, "Be brief.") for role in roles))
    assert (await window.done(request)).detail == "There is nothing to answer. Ask something."


async def test_a_plan_made_by_hand_that_cannot_be_is_named_and_the_automatic_one_answers(window):
    plans = window.node.heading.plans
    await plans.choose(ChosenPlan("tiny", (window.node.id,), ((0, 5),)))  # the model has more layers now
    done = await window.done(window.ask(JAPAN))
    assert (done.finish, done.own_plan) == ("failed", True)
    assert done.detail.startswith("The plan that you made by hand for this model does not fit now.")
    await plans.choose(ChosenPlan("tiny", (), ()))
    done = await window.done(window.ask(JAPAN))
    assert (done.finish, done.own_plan) == ("stop", False)
