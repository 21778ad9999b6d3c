"""A short run in the real window, and what the figures are made from."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from idlepool.app.bench.window_texts import CHARACTERS, answer, question
from idlepool.ui.chat.parts import Code, Prose, Table, split


def test_the_messages_are_long_and_mixed():
    for number in range(12):
        assert len(answer(number)) == len(question(number)) == CHARACTERS
        assert {type(part) for part in split(answer(number))} == {Prose, Code, Table}
    assert answer(1) != answer(2)


def test_a_short_run_tells_gaps_memory_and_how_fast_a_conversation_opens():
    # A process of its own: Qt has one application, and its platform is chosen when it starts.
    command = [sys.executable, "-m", "idlepool.app", "bench", "window", "--seconds", "2", "--messages", "20", "--json"]
    command += ["--starts", "1", "--conversations", "30"]
    done = subprocess.run(
        command, capture_output=True, check=True, timeout=400, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    )
    told = json.loads(done.stdout)
    for start in ("startup", "startup_with_conversations"):
        assert 0 < told[start]["painted_ms"][0] <= told[start]["usable_ms"][0]
    found = told["smoothness"]
    assert found["display"] == "offscreen"
    assert found["messages"] == 20
    assert found["tokens"] > 50
    assert 0 < found["gap_p50_ms"] <= found["gap_p99_ms"] <= found["gap_max_ms"]
    assert found["computed_max_ms"] <= found["gap_max_ms"] * 1.1
    assert found["restore_ms"] > 0
    assert 0 < found["memory_begin_mb"] < 1000
