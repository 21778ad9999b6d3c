"""What the model is told of a conversation."""

from __future__ import annotations

from idlepool.engine.events import ChatMessage
from idlepool.ui.conversation import Conversation

USER, ASSISTANT = "user", "assistant"


def conversation(*turns: tuple[str, str]) -> Conversation:
    talk = Conversation()
    for question, answer in turns:
        talk.ask(question)
        talk.extend_answer(answer)
    return talk


def test_the_whole_history_is_told():
    talk = conversation(("one?", "One."), ("two?", ""))
    assert talk.messages() == (ChatMessage(USER, "one?"), ChatMessage(ASSISTANT, "One."), ChatMessage(USER, "two?"))


def test_a_partial_answer_stays_in_the_history():
    talk = conversation(("one?", "On"))
    talk.ask("go on")
    assert talk.messages()[1] == ChatMessage(ASSISTANT, "On")


def test_roles_alternate_even_when_answers_never_came():
    talk = conversation(("one?", ""), ("two?", ""), ("three?", "3"), ("four?", ""))
    assert [message.role for message in talk.messages()] == [USER, ASSISTANT, USER]
    assert talk.messages()[0].content == "one?\n\ntwo?\n\nthree?"


def test_asking_again_leaves_the_failed_answer_out():
    talk = conversation(("one?", "On"))
    talk.retry()
    assert talk.messages() == (ChatMessage(USER, "one?"),)


def test_each_conversation_has_an_id_of_its_own():
    assert Conversation().id != Conversation().id
