"""What a window asks of real nodes about plans and figures: how a model would run, and what its owner wants instead."""

from __future__ import annotations

import msgspec
import psutil
import pytest
from played_pool import MODEL, PlayedPool, answer, until
from tiny_model import build_tiny_model

from idlepool.app.plan_session import PlanSession
from idlepool.engine.errors import NoRoom
from idlepool.engine.figures_events import ChainFigures, WantFigures
from idlepool.engine.plan_events import ChoosePlan, ChosenPlan, ExcludePcs, OwnPlans, PlanTold, TryPlan, WantPlan
from idlepool.engine.pool.plan_telling import EXCLUDED, GONE, NO_MORE
from idlepool.engine.types import Sampling


class Window:
    """A client of a node, and all that it was told."""

    def __init__(self, node) -> None:
        self.heard = []
        self.session = PlanSession(node, self.heard.append)

    async def next(self, kind, *commands):
        """Ask, and return the next answer of that kind."""
        del self.heard[:]
        for command in commands:
            self.session.obey(command)
        return await until(lambda: next((event for event in self.heard if isinstance(event, kind)), None))


@pytest.fixture
async def pool(tmp_path):
    async with PlayedPool(tmp_path, cache=tmp_path / "cache") as played:
        yield played


@pytest.fixture
async def pcs(pool, tmp_path):
    """Three PCs, of which the first has the model `tiny`, of 4 layers."""
    head = await pool.start("pc-1", model=build_tiny_model(tmp_path / "tiny"))
    others = [await pool.start(name) for name in ("pc-2", "pc-3")]
    await until(lambda: len(head.present()) == 3)
    return [head, *others]


@pytest.fixture
async def window(pcs):
    opened = Window(pcs[0])
    yield opened
    await opened.session.close()


async def test_a_plan_says_how_fast_it_is_and_who_is_left_out(window, pcs):
    told = await window.next(PlanTold, WantPlan((MODEL,)))
    assert told.possible
    assert told.tokens_per_second > 0
    assert (told.stages[0].name, told.stages[0].first, told.stages[-1].last) == ("pc-1", 0, 4)
    assert 0 < told.needed_bytes < told.lent_bytes
    assert told.spare_users > 0
    assert not told.by_hand
    assert {name for name, _ in told.left_out} >= {"pc-2", "pc-3"} - {stage.name for stage in told.stages}
    left_out = await window.next(PlanTold, ExcludePcs((pcs[1].id,)), WantPlan((MODEL,)))
    assert ("pc-2", EXCLUDED) in left_out.left_out
    assert left_out.lent_bytes < told.lent_bytes


async def test_what_cannot_run_is_said_with_what_is_missing(window, pool, pcs):
    unknown = await window.next(PlanTold, WantPlan(("nothing",)))
    assert not unknown.possible
    assert "nothing" in unknown.sentence
    small = [device.__class__(device.name, device.precision, 10**8, device.kind) for device in pcs[0].devices]
    for node in pcs:
        node._this.devices = tuple(small)
        await node._peers.tell_status()
    await until(lambda: all(pc.device.usable_bytes == 10**8 for pc in pcs[0].present()))
    told = await window.next(PlanTold, WantPlan((MODEL,)))
    assert not told.possible
    assert "are missing" in told.sentence or "GB" in told.sentence
    assert told.needed_bytes > 10**8
    assert told.lent_bytes == 3 * 10**8
    assert "you left out" not in told.hint
    told = await window.next(PlanTold, ExcludePcs((pcs[1].id,)), WantPlan((MODEL,)))
    assert told.hint.endswith("Or let PCs take part again that you left out: pc-2.")
    with pytest.raises(NoRoom) as refused:
        await pool.open(pcs[0], stages=None)
    assert refused.value.hint.endswith("that you left out: pc-2.")


async def test_a_plan_by_hand_whose_pc_is_away_or_removed_says_whom_it_waits_for(window, pool, pcs):
    head, second, third = pcs
    plan = ChoosePlan(MODEL, (head.id, second.id, third.id), ((0, 1), (1, 2), (2, 4)))
    window.session.obey(plan)
    await until(lambda: pool.seen("pc-1", OwnPlans))
    told = await window.next(PlanTold, WantPlan((MODEL,)))
    assert (told.by_hand, told.problem) == (True, "")
    told = await window.next(PlanTold, ExcludePcs((second.id,)), WantPlan((MODEL,)))
    assert (told.possible, told.by_hand) == (True, False)
    assert told.problem == "The plan that you chose needs pc-2, and you left that out of your plans."
    head.membership.remove(third.id)
    await until(lambda: len(head.present()) == 2)
    told = await window.next(PlanTold, WantPlan((MODEL,)))
    waits, needs = f"The plan that you chose waits for {GONE}.", "The plan that you chose needs pc-2,"
    assert told.problem.startswith(f"{waits} {needs}")


async def test_a_plan_by_hand_that_does_not_fit_any_more_says_so_and_why(window, pool, pcs):
    head, second = pcs[:2]
    window.session.obey(ChoosePlan(MODEL, (head.id, second.id), ((0, 1), (1, 4))))
    await until(lambda: pool.seen("pc-1", OwnPlans))
    second._this.devices = tuple(msgspec.structs.replace(device, usable_bytes=10**6) for device in second.devices)
    await second._peers.tell_status()
    await until(lambda: [pc.device.usable_bytes for pc in head.present() if pc.node == second.id] == [10**6])
    told = await window.next(PlanTold, WantPlan((MODEL,)))
    assert (told.possible, told.by_hand, told.problem) == (False, True, NO_MORE)
    assert "pc-2" in told.sentence
    assert told.hint
    told = await window.next(PlanTold, ChoosePlan(MODEL), WantPlan((MODEL,)))
    assert (told.possible, told.problem) == (True, "")


async def test_a_plan_by_hand_is_tried_first_then_chosen_and_pipelines_are_made_so(window, pool, pcs):
    before = await pool.open(pcs[0], stages=None)
    plan = ChosenPlan(MODEL, (pcs[0].id, pcs[2].id), ((0, 3), (3, 4)))
    tried = await window.next(PlanTold, TryPlan(plan))
    assert (tried.possible, tried.tried, tried.by_hand) == (True, True, True)
    assert [(stage.name, stage.first, stage.last) for stage in tried.stages] == [("pc-1", 0, 3), ("pc-3", 3, 4)]
    refused = await window.next(PlanTold, ChoosePlan(MODEL, plan.pcs, ((0, 2), (3, 4))))
    assert (refused.possible, refused.tried) == (False, True)
    assert "are not the 4 layers" in refused.sentence
    window.session.obey(ChoosePlan(MODEL, plan.pcs, plan.spans))
    await until(lambda: pool.seen("pc-1", OwnPlans))
    pipeline = await pool.open(pcs[0], stages=None)
    assert before.broken  # nobody used it
    assert [(stage.name, stage.first, stage.last) for stage in pipeline.stages] == [("pc-1", 0, 3), ("pc-3", 3, 4)]
    window.session.obey(ExcludePcs((pcs[2].id,)))
    await until(lambda: len(pool.seen("pc-1", OwnPlans)) == 2)
    assert "pc-3" not in {stage.name for stage in (await pool.open(pcs[0], stages=None)).stages}


async def test_figures_come_each_second_until_they_are_not_wanted(window, pool, pcs):
    plan = ChoosePlan(MODEL, (pcs[0].id, pcs[1].id), ((0, 2), (2, 4)))
    window.session.obey(plan)
    await until(lambda: pool.seen("pc-1", OwnPlans))
    pipeline = await pool.open(pcs[0], stages=None)
    first = await window.next(ChainFigures, WantFigures(on=True))
    (chain,) = first.chains
    assert chain.model == MODEL
    assert [stage.node for stage in chain.stages] == [pcs[0].id, pcs[1].id]
    assert all(stage.step_ms > 0 and 0 < stage.memory_bytes < stage.lent_bytes for stage in chain.stages)
    assert (chain.tokens, chain.tokens_per_second, chain.round_ms) == (0, 0.0, 0.0)
    assert [pc.node for pc in first.pcs] == [node.id for node in pcs]
    assert [(held.model, held.first, held.last, held.layers) for held in first.pcs[0].held] == [(MODEL, 0, 4, 4)]
    heard = window.heard
    measured = await until(lambda: all(stage.measured_bytes for stage in heard[-1].chains[0].stages) and heard[-1])
    processes = [psutil.Process(stage.pid).memory_info().rss for stage in pipeline.stages]
    assert [stage.measured_bytes for stage in measured.chains[0].stages] == pytest.approx(processes, rel=0.2)
    await answer(pipeline, "chat", [5, 6, 7], count=20, sampling=Sampling())
    busy = await until(lambda: next((event for event in heard if event.chains[0].tokens), None))
    assert busy.chains[0].tokens_per_second > 0
    assert busy.chains[0].round_ms > 0
