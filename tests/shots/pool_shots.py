"""The pool page: a chain at rest, at work, being prepared, planned; the links; the plan by hand."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shots.shot import SETTLE_MS, Shot, wait_until

from idlepool.ui.main_window import MainWindow
from idlepool.ui.pool.plan_dialog import PlanDialog


def at_top(window: MainWindow) -> QWidget | None:
    window.pool_page.show_model("qwen3-14b")
    window.show_page(window.pool_page)
    wait_until(lambda: bool(window.state.peers) and window.pool_page.plan.model == "qwen3-14b")
    QTest.qWait(2 * SETTLE_MS)
    return None


def below(window: MainWindow) -> QWidget | None:
    at_top(window)
    window.pool_page.links.button.click()
    wait_until(window.pool_page.links.table.isVisible)
    QTest.qWait(2 * SETTLE_MS)
    bar = window.pool_page.verticalScrollBar()
    bar.setValue(bar.maximum())
    return None


def middle(window: MainWindow) -> QWidget | None:
    at_top(window)
    bar = window.pool_page.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    return None


def by_hand(window: MainWindow) -> QWidget | None:
    at_top(window)
    window.pool_page.plan.by_hand.click()
    dialog = window.pool_page.findChild(PlanDialog)
    assert dialog is not None
    wait_until(dialog.use.isEnabled)
    return dialog


def too_much(window: MainWindow) -> QWidget | None:
    dialog = by_hand(window)
    assert isinstance(dialog, PlanDialog)
    dialog.rows[dialog.tiling.nodes[0]].count.setValue(30)
    wait_until(lambda: dialog.result_words.objectName() == "problem")
    return dialog


SHOTS = [
    Shot("pool-rest", at_top, ("--play", "pool")),
    Shot("pool-busy", at_top, ("--play", "pool-busy"), ((1280, 800),)),
    Shot("pool-cards", middle, ("--play", "pool")),
    Shot("pool-links", below, ("--play", "pool")),
    Shot("pool-wide", at_top, ("--play", "pool-wide")),
    Shot("pool-load", at_top, ("--play", "pool-load"), ((1280, 800),)),
    Shot("pool-plan", at_top, ("--play", "pool-plan"), ((1280, 800),)),
    Shot("pool-long", at_top, ("--play", "pool-long"), ((1280, 800), (420, 700))),
    Shot("pool-two", at_top, ("--play", "pool-two"), ((900, 600),)),
    Shot("pool-waits", at_top, ("--play", "pool-waits"), ((900, 600),)),
    Shot("pool-misfit", at_top, ("--play", "pool-misfit"), ((420, 700),)),
    Shot("pool-none", at_top, ("--play", "pool-none"), ((900, 600),)),
    Shot("pool-joined", at_top, ("--play", "pool-joined"), ((900, 600),)),
    Shot("pool-small", at_top, ("--play", "pool"), ((420, 700),)),
    Shot("pool-small-links", below, ("--play", "pool"), ((420, 700),)),
    Shot("pool-hand", by_hand, ("--play", "pool"), ((900, 600),)),
    Shot("pool-hand-refused", too_much, ("--play", "pool"), ((900, 600),)),
]
