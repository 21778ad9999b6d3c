"""A chat in the terminal with the scripted node of the window's tests: what is said beside the answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from idlepool.app.answer_options import options_of
from idlepool.app.arguments import make_parser
from idlepool.app.node_client import NodeClient
from idlepool.app.terminal_chat import Notices, converse
from idlepool.engine.events import AnswerStarted

NODE = Path(__file__).parents[1] / "ui" / "scripted_node.py"

Said = Callable[..., list[str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """What is said on standard error while some lines are typed."""

    def chat(*lines: str, options: tuple[str, ...] = ()) -> list[str]:
        typed = iter([*lines, "/quit"])
        monkeypatch.setattr("builtins.input", lambda _: next(typed))
        with NodeClient([sys.executable, str(NODE)]) as client:
            converse(client, "starter", options_of(make_parser().parse_args(["chat", *options])))
        return capsys.readouterr().err.splitlines()

    return chat


def test_a_conversation_that_is_nearly_full_is_told_with_what_happens_then(said: Said) -> None:
    warning = "This conversation fills 7,003 of the model's 8,192 tokens; then"
    assert f"{warning} the oldest messages are left out. /new begins anew." in said("full")
    assert f"{warning} questions are refused. /new begins anew." in said("full", options=("--overflow", "reject"))


def test_what_the_model_does_not_see_is_told_once_and_before_the_answer(said: Said) -> None:
    lines = said("slide", "slide", "hello")
    told = [place for place, line in enumerate(lines) if "does not see the oldest 6 messages" in line]
    assert len(told) == 1
    assert "8,600 tokens" in lines[told[0]]
    assert told[0] < next(place for place, line in enumerate(lines) if "tokens/s" in line)


def test_the_place_in_line_is_told(said: Said) -> None:
    lines = said("wait for your turn")
    assert [line for line in lines if "in line" in line] == ["2nd in line …", "Next in line …"]


def test_drafts_and_the_end_of_the_context_stand_below_the_answer(said: Said) -> None:
    closing = said("end")[-1]
    assert "5 of 8 drafts accepted" in closing
    assert "8,000 of the conversation and 192 of this answer" in closing


def test_who_answers_on_another_pc_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    notices = Notices()
    for by in ("", "PC-3", "PC-3", "PC-1"):
        notices.take(AnswerStarted(1, 20, 2048, 9, 1, answered_by=by))
    assert [line.split()[0] for line in capsys.readouterr().err.splitlines()] == ["PC-3", "PC-1"]


def test_an_answer_that_broke_off_is_gone_on_with(said: Said, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said("/continue", "fail now", "/continue", "/new", "/continue")
    assert lines.count("There is no answer to go on with.") == 2
    assert "idle-2, which held layers 10 to 19, is gone." in lines
    assert sum("tokens/s" in line for line in lines) == 1, "the rest of the answer came"
