"""The history as the window uses it: a tree of messages, a list, settings, all of it found again after a restart."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from idlepool.ui.history import erasing, rows
from idlepool.ui.history.history import History
from idlepool.ui.history.values import ChatSettings, Figures

YEAR_MS = 365 * 24 * 3600 * 1000


@pytest.fixture
def history() -> History:
    return History(None)


def talk(history: History, question: str = "Why is the sky blue?", answer: str = "Because of Rayleigh.") -> int:
    conversation = history.create(model="starter")
    asked = history.add_message(conversation.id, None, "user", question)
    history.add_message(conversation.id, asked.id, "assistant", answer, model="starter")
    return conversation.id


def texts(history: History, conversation: int) -> list[str]:
    return [message.text for message in history.path(conversation)]


def titles(history: History) -> list[str]:
    return [entry.title for entry in history.conversations(limit=100)]


def test_all_is_found_again_after_a_restart(tmp_path: Path) -> None:
    before = History(tmp_path / "folder that is made")
    conversation = before.create(model="starter", settings=ChatSettings(temperature=0.5))
    asked = before.add_message(conversation.id, None, "user", "Why?")
    answer = before.add_message(conversation.id, asked.id, "assistant", "", model="starter", state="partial")
    before.update_message(answer.id, text="Because", state="stopped", detail="Stopped", figures=Figures(20.0, 150.0, 3))
    before.save_draft(conversation.id, "And then")
    before.save_preset("exact", ChatSettings(seed=1, temperature=0.0))
    shown = before.path(conversation.id)
    before.close()

    after = History(tmp_path / "folder that is made")
    opened = after.open(conversation.id)
    assert (opened.title, opened.draft, opened.settings) == ("Why?", "And then", ChatSettings(temperature=0.5))
    assert after.path(conversation.id) == shown
    assert shown[1].figures == Figures(20.0, 150.0, 3)
    assert (shown[1].state, shown[1].detail, shown[1].model) == ("stopped", "Stopped", "starter")
    assert after.presets() == {"exact": ChatSettings(seed=1, temperature=0.0)}
    assert after.problem == ""


def test_an_update_changes_only_what_it_names(history: History) -> None:
    conversation = talk(history)
    answer = history.path(conversation)[1]
    history.update_message(answer.id, state="failed", detail="A PC is gone.")
    history.update_message(answer.id, text="")
    now = history.message(answer.id)
    assert (now.text, now.state, now.detail, now.figures) == ("", "failed", "A PC is gone.", None)


def test_the_last_alternative_is_shown_and_each_other_can_be_chosen(history: History) -> None:
    conversation = talk(history, "Q", "A1")
    asked, first = history.path(conversation)
    second = history.add_message(conversation, asked.id, "assistant", "A2")
    further = history.add_message(conversation, second.id, "user", "Q2")
    assert texts(history, conversation) == ["Q", "A2", "Q2"]
    assert history.siblings(first.id) == history.siblings(second.id) == (first.id, second.id)
    history.choose(first.id)
    assert texts(history, conversation) == ["Q", "A1"]
    history.choose(second.id)
    assert history.path(conversation)[-1].id == further.id


def test_an_edited_first_question_is_a_branch_of_its_own(history: History) -> None:
    conversation = talk(history, "Q", "A")
    other = talk(history, "not of this conversation")
    edited = history.add_message(conversation, None, "user", "Q edited")
    first = history.siblings(edited.id)[0]
    assert len(history.siblings(edited.id)) == 2
    assert texts(history, conversation) == ["Q edited"]
    history.choose(first)
    assert texts(history, conversation) == ["Q", "A"]
    assert len(history.path(other)) == 2


def test_the_list_has_the_pinned_ones_first_and_then_the_newest(history: History) -> None:
    one, two, three = (talk(history, name) for name in ("one", "two", "three"))
    assert titles(history) == ["three", "two", "one"]
    history.add_message(one, history.path(one)[-1].id, "user", "more")
    history.pin(two, True)
    assert titles(history) == ["two", "one", "three"]
    history.pin(two, False)
    assert titles(history) == ["one", "three", "two"]
    assert [entry.id for entry in history.conversations(limit=1, offset=1)] == [three]


def test_nothing_is_listed_before_a_word_was_said(history: History) -> None:
    empty = history.create()
    assert titles(history) == []
    history.save_draft(empty.id, "Dear all")
    assert len(titles(history)) == 1
    history.save_draft(empty.id, "")
    history.purge_deleted()
    with pytest.raises(LookupError):
        history.open(empty.id)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Why?\n\nAnd how?", "Why? And how?"),
        ("word " * 40, "word word word word word word word word word word word word…"),
        ("x" * 100, "x" * 59 + "…"),
        ("half a character \ud83d", "half a character ?"),
    ],
)
def test_a_conversation_is_called_by_its_first_question(history: History, question: str, title: str) -> None:
    conversation = talk(history, question)
    history.add_message(conversation, history.path(conversation)[-1].id, "user", "later")
    assert titles(history) == [title]


def test_a_given_name_stays_and_an_empty_one_gives_the_first_words_back(history: History) -> None:
    conversation = talk(history, "Why?")
    history.rename(conversation, "  The\nsky ")
    history.add_message(conversation, None, "user", "Why not?")
    assert titles(history) == ["The sky"]
    history.rename(conversation, "")
    assert titles(history) == ["Why?"]


def test_deleting_can_be_undone_until_it_is_purged(history: History) -> None:
    kept, gone = talk(history, "kept"), talk(history, "gone")
    history.delete(gone)
    assert titles(history) == ["kept"]
    assert history.search("gone", limit=9) == []
    history.restore(gone)
    assert texts(history, gone) == ["gone", "Because of Rayleigh."]
    history.delete(gone)
    history.purge_deleted()
    history.restore(gone)
    assert titles(history) == ["kept"]
    assert texts(history, kept)
    with pytest.raises(LookupError):
        history.add_message(gone, None, "user", "hello?")


def test_what_was_purged_is_not_in_the_file_any_more(tmp_path: Path) -> None:
    history = History(tmp_path)
    gone = talk(history, "the word xylophonist")
    history.delete(gone)
    history.purge_deleted()
    assert history.tidy()
    history.close()
    history = History(tmp_path)  # the next run goes on
    while history.tidy():
        pass
    history.close()
    assert not any(b"xylophonist" in file.read_bytes() for file in tmp_path.iterdir())


def test_words_are_found_while_the_index_is_tidied_step_by_step(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "PAGES", 1)
    for number in range(20):
        talk(history, " ".join(f"word{number}x{count}" for count in range(400)))
    history.delete(talk(history, "gone"))
    history.purge_deleted()
    taken = 0
    while history.tidy():
        taken += 1
        assert history.search("word7x7", limit=2)
    assert taken > 1
    assert history.search("gone", limit=9) == []
    assert not history.tidy()


def test_a_clock_that_jumps_moves_nothing(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    now = rows.now_ms()
    for name, jump in (("first", 0), ("in ten years", 10 * YEAR_MS), ("years ago", -10 * YEAR_MS), ("today", 0)):
        with monkeypatch.context() as clock:
            clock.setattr(time, "time_ns", lambda jump=jump: (now + jump) * 1_000_000)
            talk(history, name)
    assert titles(history) == ["today", "years ago", "in ten years", "first"]
    assert all(entry.changed_ms <= rows.now_ms() for entry in history.conversations(limit=9))


def test_a_preset_is_replaced_and_forgotten(history: History) -> None:
    history.save_preset("b", ChatSettings(top_k=1))
    history.save_preset("A", ChatSettings())
    history.save_preset("b", ChatSettings(top_k=2))
    assert list(history.presets().items()) == [("A", ChatSettings()), ("b", ChatSettings(top_k=2))]
    history.delete_preset("b")
    history.delete_preset("never there")
    assert list(history.presets()) == ["A"]


def test_a_conversation_of_two_thousand_messages_is_walked_in_order(history: History) -> None:
    conversation = history.create()
    parent = None
    for number in range(2_000):
        parent = history.add_message(conversation.id, parent, "user", str(number)).id
    assert texts(history, conversation.id) == [str(number) for number in range(2_000)]
    history.choose(history.path(conversation.id)[0].id)
    assert len(history.path(conversation.id)) == 2_000
