"""What is typed at the command line reaches the node with the question."""

from __future__ import annotations

import pytest

from idlepool.app.answer_options import options_of
from idlepool.app.arguments import make_parser
from idlepool.engine.errors import RequestError
from idlepool.engine.events import Ask, ChatMessage, Sampling

QUESTION = (ChatMessage("user", "Hello"),)


def asked(*typed: str) -> Ask:
    return options_of(make_parser().parse_args(typed)).ask("c", "starter", QUESTION)


def test_every_setting_is_passed_on() -> None:
    ask = asked(
        "chat", "--temperature", "0.8", "--top-k", "40", "--top-p", "0.95", "--min-p", "0.05", "--seed", "7",
        "--repetition-penalty", "1.1", "--presence-penalty", "0.5", "--frequency-penalty", "0.25", "--stop", "END",
        "--stop", "\n\n", "--max-tokens", "9", "--overflow", "reject",
    )  # fmt: skip
    assert ask.sampling == Sampling(0.8, 40, 0.95, 7, 0.05, 1.1, 0.5, 0.25)
    assert (ask.stop, ask.max_tokens, ask.overflow) == (("END", "\n\n"), 9, "reject")
    assert (ask.conversation, ask.model, ask.messages) == ("c", "starter", QUESTION)


@pytest.mark.parametrize(
    ("typed", "reproducible"),
    [
        (["chat"], False),
        (["chat", "--temperature", "0"], True),
        (["chat", "--seed", "0"], True),
        (["demo"], True),
        (["demo", "--temperature", "0.8"], True),
    ],
)
def test_reproducible_where_nothing_is_left_to_chance(typed: list[str], reproducible: bool) -> None:
    assert asked(*typed).reproducible is reproducible


def test_without_a_seed_each_question_draws_its_own() -> None:
    options = options_of(make_parser().parse_args(["chat"]))
    first, second = (options.ask("c", "starter", QUESTION) for _ in range(2))
    assert first.sampling.seed != second.sampling.seed
    assert first.request != second.request


def test_a_setting_without_meaning_is_refused_before_anything_is_started() -> None:
    with pytest.raises(RequestError, match=r"The top-p is 1\.5\. It must be above 0 and at most 1"):
        asked("chat", "--top-p", "1.5")


def test_an_empty_stop_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        asked("chat", "--stop", "")
    assert "--stop: a stop text cannot be empty" in capsys.readouterr().err
