"""Owners come back in the middle of somebody's answer: they have their PC at once, and the answer goes on elsewhere.

The long form has IDLEPOOL_ROUNDS rounds, 50 unless that says otherwise, and prints how long everything took.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
from owned_node import Owner, owned_node
from played_network import why_not
from played_nodes import percentile_95, say_figures
from played_office import plain_node, played_office

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be played here"),
]

STAGES = 3
ROUNDS, MANY_ROUNDS = 2, int(os.environ.get("IDLEPOOL_ROUNDS", "50"))
SEA = "Tell me about the sea."
LATEST_TOKEN = 32
ANSWER_TOKENS = 4 * LATEST_TOKEN
"""A PC looks some times a second whether its owner is there: the answer must last until then."""
LOOK_S = 0.002

STOPS_WITHIN_S = 0.1
MEMORY_BACK_WITHIN_S = 10.0


class Owners:
    """Of all PCs but the head's, which lends always; they are away."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def of(self, name: str) -> Owner:
        return Owner(self._root / f"{name}.idle")

    def command(self, name: str, options: Sequence[str]) -> list[str]:
        if name == "pc-1":
            return plain_node(name, options)
        self.of(name).goes()
        return owned_node(self._root / f"{name}.idle", *options, "--lend", "when-idle")


def seconds_of(process: psutil.Process) -> tuple[float, float]:
    """From now until a process does nothing any more, and until it is gone with all its memory."""
    began, stopped_s = time.monotonic(), 0.0
    while True:
        try:
            if not stopped_s and process.status() == psutil.STATUS_STOPPED:
                stopped_s = time.monotonic() - began
            if process.status() == psutil.STATUS_ZOMBIE:
                break
        except psutil.NoSuchProcess:
            break
        time.sleep(LOOK_S)
    gone_s = time.monotonic() - began
    return stopped_s or gone_s, gone_s


@pytest.mark.parametrize(
    "rounds", [ROUNDS, pytest.param(MANY_ROUNDS, marks=[pytest.mark.long, pytest.mark.timeout(3600)])]
)
def test_the_owner_has_the_pc_at_once_and_the_answer_goes_on_elsewhere(tmp_path, starter_store, rounds, capsys):
    owners = Owners(tmp_path)
    stopped_s, gone_s, pauses_s = [], [], []
    with played_office(tmp_path, pcs=STAGES + 1, stages=STAGES, command=owners.command) as office:
        head = office.head
        office.make_whole()
        undisturbed = head.answer(head.ask(SEA, max_tokens=ANSWER_TOKENS))
        for seed in range(rounds):
            generator = random.Random(seed)
            office.make_whole()
            stage = head.stages[generator.randrange(1, STAGES)]
            answer = head.answers[head.ask(SEA, max_tokens=ANSWER_TOKENS)]
            token = generator.randrange(LATEST_TOKEN)
            head.until(lambda answer=answer, token=token: answer.started and answer.tokens >= token)
            returned_at = time.monotonic()
            owners.of(stage.name).returns()
            stopped, gone = seconds_of(psutil.Process(stage.pid))
            head.until(lambda answer=answer: answer.done)
            owners.of(stage.name).goes()

            assert answer.pauses, "it was over before anybody came"
            assert answer.done.token_ids == undisturbed.done.token_ids
            assert answer.text == undisturbed.text
            assert gone <= MEMORY_BACK_WITHIN_S
            stopped_s.append(stopped)
            gone_s.append(gone)
            pauses_s.append(answer.went_on_at - returned_at)

    if rounds >= MANY_ROUNDS:
        say_figures(capsys, "owner returns", stopped_s=stopped_s, gone_s=gone_s, pauses_s=pauses_s)
        assert percentile_95(stopped_s) <= STOPS_WITHIN_S
