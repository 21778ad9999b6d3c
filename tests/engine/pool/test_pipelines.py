"""Three PCs that share one model answer as the model does alone, whatever happened to the conversation before."""

from __future__ import annotations

import asyncio
import contextlib
import functools

import numpy as np
import psutil
import pytest
import pytest_asyncio
from played_pool import MODEL, PlayedPool, answer, asked, ids_of, knows_only_f32, until

from idlepool.engine.decode.scheduler import PREFILL_CHUNK
from idlepool.engine.errors import NoRoom, PeerLost, PoolError, StageFailed
from idlepool.engine.events import PipelineChanged
from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool import pipelines, step_drift
from idlepool.engine.pool.plan_choice import PlanChoice
from idlepool.engine.types import ElementType, Sampling, Span

GREEDY = Sampling()
SAMPLED = Sampling(temperature=8.0, top_k=100, top_p=0.95, seed=7)
SEEDED = Sampling(temperature=8.0, seed=11)
"""The logits of the random model spread over some 8, so this is neither greedy nor blind."""

shared = pytest.mark.asyncio(loop_scope="module")


def prompt(length: int, *, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(0, 300, length).tolist()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def three(model, cache, tmp_path_factory):
    """A ready pipeline of three stages.

    One PC knows only f32, so all compute in it: then the chunks in which a conversation came make no difference that
    could turn a choice, and every answer can be compared with the unsplit model's to the whole conversation.
    """
    async with PlayedPool(tmp_path_factory.mktemp("pool"), cache=cache) as pool:
        head = await pool.start("pc-1", model=model)
        await pool.start("pc-2")
        await knows_only_f32(await pool.start("pc-3"), head, pcs=3)
        yield await pool.open(head, stages=3)


@pytest.fixture
def alone(unsplit):
    """What the unsplit model says in f32."""
    return functools.partial(unsplit, precision=ElementType.F32)


@shared
@pytest.mark.parametrize("sampling", [GREEDY, SAMPLED])
@pytest.mark.parametrize("length", [1, 2, PREFILL_CHUNK, 300])
async def test_a_split_answers_as_the_unsplit_model(three, alone, length, sampling):
    wanted = prompt(length)
    found = await answer(three, f"{length} {sampling}", wanted, count=16, sampling=sampling)
    assert found == alone(wanted, count=16, sampling=sampling)


def test_the_model_of_these_tests_would_show_a_wrong_token(alone):
    wanted = prompt(20)
    other = [wanted[0] + 1, *wanted[1:]]
    assert alone(wanted, count=12, sampling=SEEDED) != alone(other, count=12, sampling=SEEDED)


@shared
async def test_conversations_do_not_touch_one_another(three, alone):
    prompts = [prompt(length, seed=length) for length in (5, 40, 270)]
    samplings = [GREEDY, SAMPLED, Sampling(temperature=1.0, seed=8)]
    found = await asyncio.gather(
        *(answer(three, f"beside {n}", prompts[n], count=20, sampling=samplings[n]) for n in range(3))
    )
    assert found == [alone(prompts[n], count=20, sampling=samplings[n]) for n in range(3)]


@shared
async def test_a_conversation_goes_on(three, alone):
    first = prompt(30)
    second = [*first, *await answer(three, "on", first, count=8, sampling=SEEDED), *prompt(6, seed=1)]
    assert await answer(three, "on", second, count=12, sampling=SEEDED) == alone(second, count=12, sampling=SEEDED)


@shared
async def test_what_is_held_already_is_not_sent_again(three):
    first = prompt(200)
    reply = await answer(three, "again", first, count=3, sampling=GREEDY)
    before = three.stats.rows
    await answer(three, "again", [*first, *reply, 5], count=1, sampling=GREEDY)
    assert three.stats.rows - before <= 3


@shared
async def test_conversations_that_begin_alike_share_what_is_held(three, alone):
    system = prompt(200, seed=9)
    await answer(three, "one", [*system, 7], count=2, sampling=GREEDY)
    before = three.stats.rows
    found = await answer(three, "two", [*system, 8], count=6, sampling=SEEDED)
    assert three.stats.rows - before <= 3 * 6
    assert found == alone([*system, 8], count=6, sampling=SEEDED)


@shared
@pytest.mark.parametrize("kept", [0, 1, 25, 49])
async def test_an_edited_message_is_answered_as_edited(three, alone, kept):
    first = prompt(50)
    await answer(three, f"edit {kept}", first, count=8, sampling=SEEDED)
    edited = [*first[:kept], *prompt(4, seed=2)]
    found = await answer(three, f"edit {kept}", edited, count=12, sampling=SEEDED)
    assert found == alone(edited, count=12, sampling=SEEDED)


@shared
async def test_the_same_question_again_is_answered_the_same(three, alone):
    wanted = prompt(20)
    for _ in range(2):
        found = await answer(three, "same", wanted, count=12, sampling=SEEDED)
        assert found == alone(wanted, count=12, sampling=SEEDED)


@shared
@pytest.mark.parametrize("steps", [0, 1, 3, 30])
async def test_a_stopped_answer_leaves_nothing_behind(three, alone, steps):
    """Stopped after so many turns of the event loop: while chunks of the prompt, or a token, are on their way."""
    ids = ids_of(three.generate(asked(f"stop {steps}", prompt(290), sampling=SEEDED)))
    stopped = asyncio.create_task(anext(ids))
    for _ in range(steps):
        await asyncio.sleep(0)
    stopped.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await stopped
    await ids.aclose()
    wanted = [*prompt(260), *prompt(3, seed=3)]
    found = await answer(three, f"stop {steps}", wanted, count=12, sampling=SEEDED)
    assert found == alone(wanted, count=12, sampling=SEEDED)


@shared
async def test_more_conversations_at_once_than_the_stages_hold(three, alone):
    """Some wait in line; what is idle makes room."""
    prompts = [prompt(260 + n, seed=n) for n in range(9)]
    found = await asyncio.gather(
        *(answer(three, f"crowd {n}", wanted, count=4, sampling=SEEDED) for n, wanted in enumerate(prompts))
    )
    assert found == [alone(wanted, count=4, sampling=SEEDED) for wanted in prompts]


@shared
async def test_the_layers_are_told_stage_by_stage(three):
    assert [(stage.name, stage.phase) for stage in three.stages] == [(f"pc-{n}", "ready") for n in (1, 2, 3)]
    assert [stage.first for stage in three.stages] == [0, *(stage.last for stage in three.stages[:-1])]
    assert three.stages[-1].last == 4
    pids = {stage.pid for stage in three.stages}
    assert len(pids) == 3
    assert all(psutil.pid_exists(pid) for pid in pids)


async def test_a_second_question_joins_the_running_pipeline(pool, model):
    head = await pool.start("pc-1", model=model)
    opened = await asyncio.gather(*(pool.open(head, stages=None) for _ in range(3)))
    assert opened[0] is opened[1] is opened[2]


async def test_layers_go_where_they_were_measured_to_be_fast(pool, model, unsplit, tmp_path):
    """Told a number of stages, PCs share evenly; told none, the slow head gives away what it can."""
    head = await pool.start("pc-1", model=model, cache=tmp_path / "cache-1")
    fast = await pool.start("pc-2", cache=tmp_path / "cache-2")
    for node, ms in ((head, 4000.0), (fast, 1.0)):
        await until(lambda node=node: node.devices)
        known = head.models.named(MODEL).model
        node._on_measured(StepTimes(0, 4, (ms, ms, ms), known, node.devices[0].name, "paged"))
    await until(lambda: len(head.present()) == 2 and head.present()[1].times)
    pipeline = await pool.open(head, stages=None)
    assert [(stage.name, stage.first, stage.last) for stage in pipeline.stages] == [("pc-1", 0, 1), ("pc-2", 1, 4)]
    assert await answer(pipeline, "chat", prompt(5), count=4, sampling=GREEDY) == unsplit(
        prompt(5), count=4, sampling=GREEDY
    )
    # Loading the layers measured them anew, and everybody was told.
    newest = await until(lambda: next((t for t in head.present()[1].times if t.first == 1), None))
    assert (newest.last, len(newest.ms), newest.model) == (4, 4, known)
    assert min(newest.ms) > 0


async def test_a_pc_that_leaves_is_named_and_the_rest_goes_on(pool, model, alone):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    await knows_only_f32(await pool.start("pc-3"), head, pcs=3)
    pipeline = await pool.open(head, stages=3)
    ids = ids_of(pipeline.generate(asked("chat", prompt(10), sampling=GREEDY)))
    found = [await anext(ids) for _ in range(3)]
    with pytest.raises(PeerLost, match=r"^pc-3, which held layers \d to 3, is gone\.$"):
        async with asyncio.timeout(20):
            await asyncio.gather(_collect(ids, found), pool.leave("pc-3"))
    assert found == alone(prompt(10), count=len(found), sampling=GREEDY)
    assert pool.seen("pc-1", PipelineChanged)[-1].state == "broken"
    assert [stage.phase for stage in pipeline.stages] == ["ready", "ready", "lost"]
    again = await pool.open(head, stages=3)  # as many as are left
    assert [stage.name for stage in again.stages] == ["pc-1", "pc-2"]
    assert await answer(again, "chat", prompt(10), count=8, sampling=GREEDY) == alone(
        prompt(10), count=8, sampling=GREEDY
    )


async def _collect(ids, found):
    async for token in ids:
        found.append(token)


@pytest.mark.parametrize("victim", [0, 1])
async def test_a_stage_process_that_dies_is_told_of(pool, model, victim):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    psutil.Process(pipeline.stages[victim].pid).kill()
    sentence = rf"^pc-{victim + 1} could not run its layers: its stage process ended unexpectedly"
    with pytest.raises(StageFailed, match=sentence):
        async with asyncio.timeout(20):
            await answer(pipeline, "chat", prompt(5), count=1000, sampling=GREEDY)
    await until(lambda: not any(psutil.pid_exists(stage.pid) for stage in pipeline.stages))
    await answer(await pool.open(head, stages=2), "chat", prompt(5), count=2, sampling=GREEDY)


async def test_a_stage_without_room_for_its_files_says_so(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    (pool.home("pc-2") / "shards").write_text("not a folder")
    with pytest.raises(StageFailed, match=r"^pc-2 could not run its layers: .*shards.* could not be written"):
        await pool.open(head, stages=2)


async def test_too_few_pcs_are_counted(pool, model, monkeypatch):
    monkeypatch.setattr(pipelines, "WAIT_FOR_PCS_S", 1.0)
    head = await pool.start("pc-1", model=model)
    await until(lambda: head.devices)
    with pytest.raises(NoRoom, match=r"3 PCs were asked for; only these are here: pc-1\."):
        await head.pipelines.open(head.models.named(MODEL), stages=3)


async def test_closing_a_pipeline_frees_every_pc(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    pids = [stage.pid for stage in pipeline.stages]
    pipeline.close()
    with pytest.raises(PoolError, match="closed"):
        await answer(pipeline, "chat", prompt(5), count=1, sampling=GREEDY)
    await until(lambda: not any(psutil.pid_exists(pid) for pid in pids))


async def test_the_owner_chooses_which_pcs_run_which_layers_as_long_as_they_are_there(pool, model):
    choice = PlanChoice(("pc-1", "pc-3", "pc-2"), (Span(0, 1), Span(1, 3), Span(3, 4)))
    head = await pool.start("pc-1", model=model, choice=choice)
    for name in ("pc-2", "pc-3"):
        await pool.start(name)
    pipeline = await pool.open(head, stages=None)
    assert [(stage.name, stage.first, stage.last) for stage in pipeline.stages] == [
        ("pc-1", 0, 1),
        ("pc-3", 1, 3),
        ("pc-2", 3, 4),
    ]
    await pool.leave("pc-3")
    await until(lambda: pipeline.broken)
    assert "pc-3" not in {stage.name for stage in (await pool.open(head, stages=None)).stages}


async def test_steps_that_take_longer_than_at_load_are_told_to_all(pool, model, monkeypatch, tmp_path):
    for name, value in {"BATCH_STEPS": 2, "BATCH_S": 0.0, "BATCHES": 1, "DRIFT": -0.99}.items():
        monkeypatch.setattr(step_drift, name, value)  # whatever differs by anything
    head = await pool.start("pc-1", model=model, cache=tmp_path / "cache-1")
    other = await pool.start("pc-2", cache=tmp_path / "cache-2")  # without what others measured
    pipeline = await pool.open(head, stages=2)
    (loaded,) = await until(lambda: head._peers.present[other.id].status.times)
    await answer(pipeline, "some", prompt(4), count=12, sampling=GREEDY)
    (told,) = await until(lambda: [t for t in head._peers.present[other.id].status.times if t.ms != loaded.ms])
    assert (told.first, told.last, told.device) == (loaded.first, loaded.last, "CPU")
    factors = [now / then for now, then in zip(told.ms, loaded.ms, strict=True)]
    assert factors == pytest.approx(factors[:1] * len(factors))
