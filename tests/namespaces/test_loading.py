"""A pipeline is ready when each of its stages is: one that is stuck while it loads is waited for, and named."""

from __future__ import annotations

import re

import pytest
from played_network import why_not
from played_nodes import freeze, thaw
from played_office import played_office

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be played here"),
]

SEA = "Tell me about the sea."
LONGER_THAN_A_DEAD_PC_S = 10


def test_a_stage_that_is_stuck_while_it_loads_keeps_the_pipeline_preparing(tmp_path, starter_store):
    with played_office(tmp_path, pcs=2, stages=2) as office:
        head, other = office.nodes
        answer = head.answers[head.ask(SEA)]
        head.until(lambda: head.pipeline.stages and head.pipeline.stages[1].phase == "loading")
        stuck = [process.pid for process in other.stage_processes]
        for pid in stuck:
            freeze(pid)
        head.until(lambda: head.pipeline.stages[0].phase == "ready")

        head.until(lambda: head.pipeline.stages[1].phase_s >= LONGER_THAN_A_DEAD_PC_S)
        assert (head.pipeline.state, head.pipeline.stages[1].phase) == ("preparing", "loading")
        assert re.search(r"pc-2 \(loads its layers, 1\d s\)", head.pipeline.detail)
        assert (answer.texts, answer.done) == ([], None)
        assert head.here == ["pc-1", "pc-2"]

        for pid in stuck:
            thaw(pid)
        head.until(lambda: answer.done)
        assert head.pipeline.state == "ready"
        assert answer.done.finish == "length"
        assert {change.state for change in head.pipeline_changes} == {"preparing", "ready"}
