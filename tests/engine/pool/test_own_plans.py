"""What the owner chose for plans is kept, and holds as long as the PCs are there."""

from __future__ import annotations

import pytest

from idlepool.engine.errors import StorageError
from idlepool.engine.events import StageInfo
from idlepool.engine.net.messages import DeviceInfo, Place
from idlepool.engine.plan_events import ChosenPlan, OwnPlans
from idlepool.engine.pool.own_plans import FILE, OwnPlanUnfit, PlanKeeper
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice
from idlepool.engine.pool.pool_planning import Present
from idlepool.engine.types import ElementType, NodeId, Span

HERE = NodeId("here")
PRESENT = tuple(
    Present(Place(node, "127.0.0.1", 1), node.title(), (DeviceInfo("CPU", ElementType.F32, 10**9),))
    for node in ("here", "a", "b")
)
BY_HAND = ChosenPlan("tiny", ("here", "b"), ((0, 1), (1, 4)))


@pytest.fixture
def told() -> list[OwnPlans]:
    return []


@pytest.fixture
def keeper(tmp_path, told):
    return PlanKeeper(tmp_path / "home", HERE, told.append)


async def test_choices_are_told_and_are_still_there_after_a_restart(keeper, told, tmp_path):
    await keeper.exclude(["a", "here"])
    await keeper.choose(BY_HAND)
    await keeper.choose(BY_HAND)
    wanted = OwnPlans(("a",), (BY_HAND,))  # this PC is never left out
    assert told == [OwnPlans(("a",)), wanted]
    assert PlanKeeper(tmp_path / "home", HERE, told.append).own == wanted


async def test_a_pc_that_is_left_out_is_in_no_plan(keeper):
    await keeper.exclude(["a"])
    assert [pc.node for pc in keeper.usable(PRESENT)] == ["here", "b"]
    await keeper.exclude([])
    assert keeper.usable(PRESENT) == PRESENT


async def test_a_plan_by_hand_holds_while_all_its_pcs_may_be_used(keeper):
    await keeper.choose(BY_HAND)
    assert keeper.choice("tiny", PRESENT) == PlanChoice(("Here", "B"), (Span(0, 1), Span(1, 4)))
    assert keeper.choice("other", PRESENT) == NO_CHOICE
    assert keeper.choice("tiny", PRESENT[:2]) == NO_CHOICE
    await keeper.exclude(["b"])
    assert keeper.choice("tiny", PRESENT) == NO_CHOICE
    await keeper.exclude([])
    await keeper.choose(ChosenPlan("tiny", (), ()))
    assert keeper.choice("tiny", PRESENT) == NO_CHOICE


@pytest.mark.parametrize("spans", [((0, 0), (0, 4)), ((0, 4),), ()])
async def test_a_plan_in_which_a_pc_has_no_layers_is_none(keeper, spans):
    await keeper.choose(ChosenPlan("tiny", ("here", "b"), spans))
    with pytest.raises(OwnPlanUnfit, match=r"made by hand .* needs at least one layer.* planned automatically"):
        keeper.choice("tiny", PRESENT)


async def test_a_pipeline_is_not_wanted_any_more_when_something_else_was_chosen(keeper):
    automatic = [StageInfo("here", "Here", 0, 2, "ready"), StageInfo("a", "A", 2, 4, "ready")]
    assert not keeper.forbids("tiny", automatic, None, PRESENT)
    await keeper.exclude(["a"])
    assert keeper.forbids("tiny", automatic, None, PRESENT)
    await keeper.exclude([])
    await keeper.choose(BY_HAND)
    assert keeper.forbids("tiny", automatic, None, PRESENT)
    assert not keeper.forbids("tiny", automatic, BY_HAND, PRESENT[:2])  # made so while b was away
    assert keeper.forbids("tiny", automatic, BY_HAND, PRESENT)
    chosen = [StageInfo("here", "Here", 0, 1, "ready"), StageInfo("b", "B", 1, 4, "ready")]
    assert not keeper.forbids("tiny", chosen, BY_HAND, PRESENT)


@pytest.mark.parametrize("text", ["{", '{"type":"own_plans","excluded":7}', "[]", "[" * 100_000])
async def test_a_damaged_file_is_as_if_nothing_was_chosen_and_is_kept_aside(tmp_path, told, text):
    (tmp_path / FILE).write_text(text)
    (tmp_path / f"{FILE}.broken").write_text("an earlier one")
    keeper = PlanKeeper(tmp_path, HERE, told.append)
    assert keeper.own == OwnPlans()
    assert "plans.json.broken-2 now" in keeper.problem
    await keeper.exclude(["a"])
    assert (tmp_path / f"{FILE}.broken-2").read_text() == text
    assert (tmp_path / f"{FILE}.broken").read_text() == "an earlier one"
    assert PlanKeeper(tmp_path, HERE, told.append).problem == ""


def test_a_folder_in_the_place_of_the_file_is_put_aside_too(tmp_path, told):
    (tmp_path / FILE).mkdir()
    assert PlanKeeper(tmp_path, HERE, told.append).problem
    assert (tmp_path / f"{FILE}.broken").is_dir()


async def test_a_choice_that_cannot_be_kept_is_none(tmp_path, told):
    (tmp_path / "file").write_text("no folder")
    keeper = PlanKeeper(tmp_path / "file" / "home", HERE, told.append)
    with pytest.raises(StorageError):
        await keeper.exclude(["a"])
    assert (keeper.own, told) == (OwnPlans(), [])
