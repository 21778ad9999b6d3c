"""The pool page of the real window, served by the scripted node: what its owner sees, chooses and is told."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLabel, QStyle, QWidget
from pytestqt.qtbot import QtBot
from scripted_pool import MODEL

from idlepool.engine.plan_events import ExcludePcs, PlannedStage, PlanTold
from idlepool.ui.main_window import MainWindow
from idlepool.ui.pool.chain_view import SEEN, ChainView, bar_ends
from idlepool.ui.pool.chain_words import guess
from idlepool.ui.pool.plan_dialog import PlanDialog
from idlepool.ui.pool.pool_page import PoolPage

PATIENCE_MS = 20_000
OpenWindow = Callable[..., MainWindow]
OpenPool = Callable[[str], PoolPage]


@pytest.fixture
def open_pool(open_window: OpenWindow, qtbot: QtBot) -> OpenPool:
    """Open the window at its pool page, for what scripted_pool.py plays by that word."""

    def open_it(how: str) -> PoolPage:
        window = open_window("--play", how)
        page = window.pool_page
        page.show_model(MODEL)
        window.show_page(page)
        qtbot.waitUntil(lambda: page.plan.model == MODEL and len(page.members.rows) == 5, timeout=PATIENCE_MS)
        qtbot.waitUntil(lambda: MODEL in page._state.plans, timeout=PATIENCE_MS)
        return page

    return open_it


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE_MS)


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


def test_the_chain_is_seen_in_order_and_told_in_words(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    until(qtbot, lambda: page.plan.chain.picture.pcs and page.plan.chain.picture.pcs[0].memory_bytes)
    cards = page.plan.chain.cards
    assert [card.accessibleName() for card in cards] == ["idle-1 (this PC)", "attic", "harbour"]
    assert [card.x() for card in cards] == sorted(card.x() for card in cards)
    told = cards[0].accessibleDescription()
    assert told == "layers 0–7, CPU, takes 2.2 of 9.0 GB, 14 ms a step, 0.4 ms to attic"
    told = cards[1].accessibleDescription()
    assert told == "layers 8–25, GPU, 5.4 of 10.0 GB planned, 12 ms a step, 1.4 ms to harbour"
    assert cards[2].accessibleDescription().endswith("10 ms a step, 2.4 ms back to idle-1")
    assert "A step takes 37 ms of computing and 4.2 ms on the way." in page.plan.summary.text()
    assert "about 23 tokens/s" in page.plan.prediction.text()
    assert "room for 3 more" in page.plan.prediction.text()
    assert "Without lagoon: somebody uses it." in page.plan.left_out.text()


def test_the_cards_stand_below_one_another_where_there_is_little_room(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool-wide")
    page.window().resize(420, 700)
    until(qtbot, lambda: len({card.x() for card in page.plan.chain.cards}) == 1)
    until(qtbot, lambda: page.widget().width() <= page.viewport().width())
    tops = [card.y() for card in page.plan.chain.cards]
    assert tops == sorted(set(tops))
    assert page.plan.chain.height() >= page.plan.chain.cards[-1].geometry().bottom()


def test_every_pc_is_seen_in_the_bar_and_the_bar_is_to_scale():
    assert bar_ends([8, 26, 40], 800) == [160, 520, 800]
    ends = bar_ends([1, 60, 100, 124, 125, 126], 280)  # of 126 layers one would be two pixels
    assert ends[-1] == 280
    assert min(after - before for before, after in pairwise([0, *ends])) == SEEN
    assert abs(ends[1] - 280 * 60 / 126) < 1


def test_it_moves_only_while_somebody_is_answered_and_somebody_looks(
    open_pool: OpenPool, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    page = open_pool("pool-busy")
    chain = page.plan.chain
    wanted = chain.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, chain) > 0
    until(qtbot, lambda: chain.picture.round_ms)
    assert "Answering: 21 tokens/s" in page.plan.summary.text()
    assert (chain.moves, chain._timer.isActive()) == (wanted, wanted)
    page.window().show_page(0)
    assert not chain._timer.isActive()
    monkeypatch.setattr(ChainView, "moves", property(lambda _: True))  # as where the system wants motion
    page.window().show_page(page)
    assert chain._timer.isActive()
    chain.grab()


def test_who_takes_part_is_told_with_what_they_could_read(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    assert page.who.text() == "Who takes part in this conversation"
    words = page.takes_part.words.text()
    assert "attic and harbour run some of the layers" in words
    assert "enough to reconstruct what you write and what is answered" in words
    assert "only numbers" not in words


def test_a_chat_that_another_pc_answers_is_told_as_such(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool-joined")
    until(qtbot, lambda: "attic answers about this model" in page.takes_part.words.text())
    assert "it gets what you write as it is" in page.takes_part.words.text()


def test_a_model_that_cannot_run_says_why_and_what_would_help(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool-none")
    until(qtbot, lambda: "2.4 GB are missing" in page.plan.summary.text())
    assert "Another PC that lends 3.1 GB" in page.plan.summary.text()
    assert not page.plan.prediction.isVisible()


def test_each_pc_shows_its_state_what_it_has_and_what_it_holds(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    here, attic, _, lagoon, quarry = (texts(row) for row in page.members.rows)
    assert "You use this PC" in here
    assert "Holds all of qwen3-14b, all of starter" in here
    assert "Words of this PC: acorn sunset giraffe lemon torch velvet kiwi harbour" in here
    assert "Words (it shows the same): acorn sunset" in attic
    assert "Lends GPU (discrete GPU) with 16.0 GB, CPU with 24.0 GB · 0.4 ms away" in attic
    assert "Holds layers 8–25 of qwen3-14b" in attic
    assert "does not lend: somebody uses it" in lagoon
    assert "not reached" in quarry


def test_a_pc_can_be_left_out_of_plans_and_used_again(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    card = page.members.rows[1]
    qtbot.mouseClick(card.switch, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: page._state.own_plans.excluded == (page._state.members[1].node,))
    assert "Left out of my plans" in texts(card)
    assert not card.switch.isChecked()
    qtbot.keyClick(card.switch, Qt.Key.Key_Space)
    until(qtbot, lambda: not page._state.own_plans.excluded)
    assert "Used in my plans" in texts(card)


def test_no_plan_is_chosen_where_every_pc_is_left_out(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    assert page.plan.by_hand.isEnabled()
    page._state.bridge.send(ExcludePcs(tuple(peer.node for peer in page._state.peers)))
    until(qtbot, lambda: not page.plan.by_hand.isEnabled())


def test_links_are_tested_and_judged(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    page.links.button.setFocus()
    page.links.button.click()
    assert not page.links.button.isEnabled()
    until(qtbot, page.links.table.isVisible)
    words = texts(page.links)
    for wanted in ("attic", "0.8 ms", "112.0 MB/s", "Good: it costs next to nothing.", "Far away"):
        assert wanted in words
    assert "The test of the link to quarry broke off." in words
    assert page.links.button.isEnabled()
    assert page.window().focusWidget() is page.links.button  # for who tests once more by the keyboard


def test_a_plan_by_hand_always_tiles_the_model_and_can_be_taken_back(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    page.plan.by_hand.click()
    dialog = page.findChild(PlanDialog)
    until(qtbot, dialog.use.isEnabled)
    assert "about 20 tokens/s" in dialog.result_words.text()
    here, attic, harbour = dialog.tiling.nodes
    dialog.rows[here].count.setValue(30)
    assert dialog.tiling.spans == ((0, 30), (30, 31), (31, 40))
    assert not dialog.use.isEnabled()
    until(qtbot, lambda: "idle-1 has 11.4 GB for them. Give it fewer layers." in dialog.result_words.text())
    assert not dialog.use.isEnabled()
    dialog.rows[here].count.setValue(10)
    dialog.rows[harbour].up.click()
    dialog.rows[attic].used.click()
    assert dialog.tiling.nodes == (here, harbour)
    until(qtbot, dialog.use.isEnabled)
    dialog.use.click()
    until(qtbot, lambda: page._state.own_plans.chosen)
    (chosen,) = page._state.own_plans.chosen
    assert (chosen.model, chosen.pcs) == (MODEL, (here, harbour))
    assert chosen.spans[-1][1] == 40
    until(qtbot, page.plan.automatic.isVisible)
    assert page.plan.chosen.isVisible()
    page.plan.automatic.click()
    until(qtbot, lambda: not page._state.own_plans.chosen)
    assert not page.plan.automatic.isVisible()


def test_a_plan_by_hand_that_waits_for_a_pc_says_so_and_can_be_given_up(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool-waits")
    until(qtbot, page.plan.notice.isVisible)
    assert page.plan.problem.text() == "The plan that you chose waits for quarry."
    assert "about 23 tokens/s" in page.plan.prediction.text()  # of the plan that is made meanwhile
    assert not page.plan.chosen.isVisible()  # for it is none that was chosen
    qtbot.mouseClick(page.plan.instead, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: not page.plan.notice.isVisible())
    assert page._state.own_plans.chosen == ()


def test_a_plan_by_hand_that_does_not_fit_any_more_says_why_and_can_be_given_up(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool-misfit")
    until(qtbot, page.plan.notice.isVisible)
    assert page.plan.problem.text() == "The plan that you chose cannot be used any more."
    assert page.plan.summary.text() == "Layers 0 to 19 need 6.7 GB; idle-1 has 5.1 GB for them. Give it fewer layers."
    qtbot.mouseClick(page.plan.instead, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: len(page.plan.chain.cards) == 3)
    assert not page.plan.notice.isVisible()


def test_the_speed_of_another_plan_is_not_said_to_be_that_of_the_chain(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool-wide")
    until(qtbot, lambda: page.plan.prediction.text())
    told = "Planned anew it would run on idle-1, attic, harbour: about 23 tokens/s for one person"
    assert page.plan.prediction.text().startswith(told)


def test_a_speed_that_is_a_guess_is_said_to_be_one_and_why():
    stages = PlannedStage("1", "a", 0, 4, "CPU", 1, 1.0, 1), PlannedStage("2", "b", 4, 8, "CPU", 1, 1.0, 1, link_ms=0.4)
    plan = PlanTold("m", possible=True, tokens_per_second=9.0, stages=stages)
    assert guess(plan) == "The speed is a guess: not all links between these PCs are measured yet."
    assert "not all of these PCs ran this model yet" in guess(msgspec.structs.replace(plan, stages=stages[1:]))
    assert guess(msgspec.structs.replace(plan, measured=True)) == ""


def test_figures_are_wanted_only_while_the_page_is_shown(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    sent = []
    page._state.bridge.send = sent.append  # type: ignore[method-assign]
    page.window().show_page(0)
    page.window().show_page(page)
    assert [command.on for command in sent if hasattr(command, "on")] == [False, True]


def test_everything_that_can_be_reached_by_keys_has_a_name(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    kinds = (QAbstractButton, QComboBox, QAbstractSpinBox)
    reached = [widget for kind in kinds for widget in page.findChildren(kind) if widget.isVisible()]
    assert len(reached) > 8
    assert [widget for widget in reached if not (widget.accessibleName() or getattr(widget, "text", str)())] == []
    page.plan.by_hand.click()
    dialog = page.findChild(PlanDialog)
    fields = [widget for kind in kinds for widget in dialog.findChildren(kind) if widget.isVisible()]
    assert [widget for widget in fields if not (widget.accessibleName() or widget.text())] == []


def test_the_keyboard_goes_through_the_page_from_the_top(open_pool: OpenPool, qtbot: QtBot):
    page = open_pool("pool")
    until(qtbot, lambda: len(page.plan.chain.cards) == 3)
    reached, widget = [], page.pair
    while widget is not page.links.button:
        reached.append(widget)
        widget = widget.nextInFocusChain()
        while not (widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled()):
            widget = widget.nextInFocusChain()
    tops = [widget.mapTo(page.widget(), widget.rect().center()).y() for widget in reached]
    assert len(reached) >= 3 + 3 + 2 * 4
    assert all(after >= before - 60 for before, after in pairwise(tops))
