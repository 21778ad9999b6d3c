"""Three PCs, one model: whoever asks is answered by the pipeline that runs, on whichever PC it is headed."""

from __future__ import annotations

import asyncio

import pytest
import pytest_asyncio
from played_pool import PlayedPool, until
from played_window import Window

from idlepool.engine.events import AnswerDone, AnswerQueued
from idlepool.engine.types import Sampling

pytestmark = [pytest.mark.model, pytest.mark.asyncio(loop_scope="module")]

JAPAN = "What is the capital of Japan?"
STORY = "Write a long story about a cat and a lighthouse."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(starter_store, cache, tmp_path_factory):
    """A pool, and windows of three PCs: the first heads the model, the second has it too, the third has not."""
    folder = starter_store.get("starter").folder
    async with PlayedPool(tmp_path_factory.mktemp("pool"), cache=cache) as pool:
        nodes = [
            await pool.start("pc-1", model=folder, stages=1),
            await pool.start("pc-2", model=folder, stages=1),
            await pool.start("pc-3"),
        ]
        found = [Window(node, folder) for node in nodes]
        await found[0].service.warm_up("tiny")
        await until(lambda: all(_running(node, nodes[0]) for node in nodes[1:]))
        yield pool, found
        await asyncio.gather(*(window.service.close() for window in found))


@pytest.fixture(scope="module")
def windows(played):
    return played[1]


def _running(node, other):
    """What a node knows that another one heads."""
    return node._running().get(other.id)


async def test_another_pc_joins_and_no_layer_is_loaded_twice(windows):
    head, second, third = windows
    own = await head.done(head.ask(JAPAN))
    for window in (second, third):
        request = window.ask(JAPAN)
        done = await window.done(request)
        assert (done.request, done.finish, done.detail) == (request, "stop", "")
        assert done.token_ids == own.token_ids
        assert window.text(request) == window.tokenizer.decode(done.token_ids)
        assert len(window.pieces(request)) > 1
        assert window.started(request).answered_by == "pc-1"
        assert done.tokens_per_second > 0
        assert window.node.pipelines.running == ()
    assert head.started(own.request).answered_by == ""


async def test_conversations_and_numbers_of_pcs_are_their_own(windows):
    """Two PCs use the same number and the same name of a conversation at the same time."""
    head, second, third = windows
    alone = await third.done(third.ask(JAPAN))
    long = [window.ask(STORY, chat="one", max_tokens=40) for window in (head, second)]
    await until(lambda: all(window.pieces(request) for window, request in zip((head, second), long, strict=True)))
    meanwhile = await third.done(third.ask(JAPAN, chat="one"))
    assert meanwhile.token_ids == alone.token_ids
    ends = [await window.done(request) for window, request in zip((head, second), long, strict=True)]
    assert [len(end.token_ids) for end in ends] == [40, 40]
    assert ends[0].token_ids == ends[1].token_ids


async def test_a_conversation_goes_on_over_the_link(windows):
    third = windows[2]
    first = third.ask(JAPAN, chat="travel")
    await third.done(first)
    following = third.ask(JAPAN, third.text(first), "And of Italy?", chat="travel")
    await third.done(following)
    assert "Rome" in third.text(following)


async def test_a_stop_reaches_the_head(windows):
    head, _, third = windows
    request = third.ask(STORY, max_tokens=400)
    await until(lambda: len(third.pieces(request)) > 2)
    (pipeline,) = head.node.pipelines._pipelines.values()
    assert pipeline.busy
    third.stop(request)
    done = await third.done(request)
    assert done.finish == "cancelled"
    assert 2 < len(done.token_ids) < 400
    assert third.text(request) == third.tokenizer.decode(done.token_ids)
    await until(lambda: not pipeline.busy)


async def test_log_probabilities_cross_the_link(windows):
    third = windows[2]
    done = await third.done(third.ask(JAPAN, sampling=Sampling(logprobs=2)))
    assert len(done.logprobs) == len(done.top) == len(done.token_ids) > 3


async def test_what_cannot_be_answered_is_told_by_the_head(windows):
    third = windows[2]
    done = await third.done(third.ask("word " * 9000))
    assert done.finish == "failed"
    assert "tokens and the model holds" in done.detail
    done = await third.done(third.ask("x" * 2**20))
    assert done.detail == "The conversation is too long to be sent to another PC. Begin a new one."
    done = await third.done(third.ask(JAPAN, stop=tuple(map(str, range(17)))))
    assert done.detail == "A question has 17 stop texts; at most 16 are taken from another PC."
    done = await third.done(third.ask(JAPAN, model="nobody"))
    assert done.detail.startswith("There is no model called “nobody”.")


async def test_one_pc_has_sixteen_questions_at_once_and_the_others_theirs(windows):
    _, second, third = windows
    many = [third.ask(STORY, max_tokens=30) for _ in range(17)]
    other = second.ask(JAPAN)
    ends = [await third.done(request) for request in many]
    (refused,) = [end for end in ends if end.finish == "failed"]
    assert refused.detail == "16 questions are waiting to be answered already. Ask again in a moment."
    assert all(len(end.token_ids) == 30 for end in ends if end is not refused)
    assert (await second.done(other)).finish == "stop"
    for request in many:
        positions = [event.position for event in third.events[request] if isinstance(event, AnswerQueued)]
        assert positions == sorted(positions, reverse=True)


async def test_what_a_pc_asked_ends_when_its_link_does(windows):
    head, _, third = windows
    (pipeline,) = head.node.pipelines._pipelines.values()
    requests = [third.ask(STORY, max_tokens=400) for _ in range(3)]
    await until(lambda: all(third.pieces(request) for request in requests))
    await third.node._peers.present[head.node.id].link.close("gone")
    for request in requests:
        assert (await third.done(request)).finish == "failed"
    await until(lambda: not pipeline.busy)
    await until(lambda: _running(third.node, head.node))
    assert (await third.done(third.ask(JAPAN))).finish == "stop"


async def test_a_head_that_lost_a_stage_opens_anew_for_who_has_no_model(windows):
    head, _, third = windows
    (pipeline,) = head.node.pipelines._pipelines.values()
    pipeline.close()
    await until(lambda: not _running(third.node, head.node))
    request = third.ask(JAPAN)
    assert (await third.done(request)).finish == "stop"
    assert third.started(request).answered_by == "pc-1"


async def test_of_two_heads_the_smaller_id_answers_and_the_other_pipeline_goes(windows):
    """Both opened at the same moment, neither knew of the other."""
    head, second, third = windows
    await second.service.warm_up("tiny")
    await until(lambda: _running(third.node, second.node) and _running(head.node, second.node))
    first, last = sorted((head, second), key=lambda window: window.node.id)
    request = third.ask(JAPAN)
    assert (await third.done(request)).finish == "stop"
    assert third.started(request).answered_by == first.node.settings.name
    request = last.ask(JAPAN)
    assert (await last.done(request)).finish == "stop"
    assert last.started(request).answered_by == first.node.settings.name
    await until(lambda: not _running(third.node, last.node))
    request = first.ask(JAPAN)
    await first.done(request)
    assert first.started(request).answered_by == ""


async def test_a_head_that_goes_away_leaves_the_text_and_the_next_answer_is_made_here(played):
    pool, (one, two, _) = played
    head, asker = sorted((one, two), key=lambda window: window.node.id)
    name = head.node.settings.name
    request = asker.ask(STORY, max_tokens=400)
    await until(lambda: len(asker.pieces(request)) > 2)
    await pool.leave(name)
    done = await asker.done(request)
    assert done.finish == "failed"
    assert done.detail == f"{name}, which answered this, is gone. This PC or another one can go on with it."
    assert asker.text(request)
    again = asker.ask(JAPAN)
    assert (await asker.done(again)).finish == "stop"
    assert asker.started(again).answered_by == ""


async def test_the_window_hears_of_every_end_once(windows):
    for window in windows:
        for events in window.events.values():
            assert [isinstance(event, AnswerDone) for event in events].count(True) == 1
