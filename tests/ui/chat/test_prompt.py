"""What the model is told of a conversation."""

from __future__ import annotations

from idlepool.engine.events import ChatMessage
from idlepool.ui.chat.prompt import messages_for, repeatable, sampling_for
from idlepool.ui.history.values import ChatSettings, Message, Role

NOTHING_SET = ChatSettings()


def path(*texts: str) -> list[Message]:
    """Questions and answers in turn."""
    roles: tuple[Role, Role] = ("user", "assistant")
    return [
        Message(at, 1, at - 1 or None, roles[(at - 1) % 2], text, "done", "", None, "", 0)
        for at, text in enumerate(texts, 1)
    ]


def test_the_whole_path_is_told():
    assert messages_for(path("one?", "One.", "two?", ""), NOTHING_SET) == (
        ChatMessage("user", "one?"),
        ChatMessage("assistant", "One."),
        ChatMessage("user", "two?"),
    )


def test_an_answer_that_goes_on_is_the_last_message():
    assert messages_for(path("one?", "On"), NOTHING_SET)[-1] == ChatMessage("assistant", "On")


def test_roles_alternate_even_when_answers_never_came():
    told = messages_for(path("one?", "", "two?", "", "three?", "3", "four?", ""), NOTHING_SET)
    assert [message.role for message in told] == ["user", "assistant", "user"]
    assert told[0].content == "one?\n\ntwo?\n\nthree?"


def test_what_the_model_is_told_beforehand_comes_first():
    told = messages_for(path("one?", ""), ChatSettings(system_prompt="  Be brief.\n"))
    assert told == (ChatMessage("system", "Be brief."), ChatMessage("user", "one?"))


def test_what_was_set_holds_and_the_rest_is_the_default():
    sampling = sampling_for(ChatSettings(top_k=40, seed=7))
    assert (sampling.top_k, sampling.seed) == (40, 7)
    assert (sampling.temperature, sampling.top_p) == (0.3, 0.9)


def test_only_who_sets_a_seed_or_no_variety_counts_on_the_same_answer():
    assert not repeatable(NOTHING_SET)
    assert repeatable(ChatSettings(seed=0))
    assert repeatable(ChatSettings(temperature=0))
    assert sampling_for(NOTHING_SET).seed != sampling_for(NOTHING_SET).seed
