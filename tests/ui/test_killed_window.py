"""The window's process dies in the middle of an answer, as in a power cut."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.bubble import AnswerBubble

PROGRAM = Path(__file__).with_name("window_to_kill.py")
QUESTION = "split " + "all of this into many small pieces " * 120
LOST_MS = 250
"""Most of an answer of this length that may be lost, in what came in so many milliseconds;"""
READ_MS = 3000
"""Of the answer, before the end."""
LATE_MS = 500
"""and this much more where the machine is busy."""


def test_at_most_a_few_words_of_an_answer_are_lost(tmp_path: Path, open_window, qtbot: QtBot):
    program = subprocess.Popen(
        [sys.executable, str(PROGRAM), str(tmp_path), QUESTION], stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    came: list[tuple[int, int]] = []
    try:
        for line in program.stdout:
            milliseconds, characters = map(int, line.split())
            came.append((milliseconds, characters))
            if milliseconds - came[0][0] > READ_MS:
                break
    finally:
        program.kill()
        program.wait()
    last_ms, characters = came[-1]
    assert characters < len(QUESTION)
    sure = max(count for milliseconds, count in came if milliseconds <= last_ms - LOST_MS - LATE_MS)
    assert sure > 0

    window = open_window(folder=tmp_path)
    answer = window.chat.transcript.bubbles[-1]
    assert isinstance(answer, AnswerBubble)
    assert len(answer.source) >= sure
    assert QUESTION.upper().startswith(answer.source)
    assert "The answer broke off when Idlepool ended." in [label.text() for label in answer.findChildren(QLabel)]
