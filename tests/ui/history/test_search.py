"""The search finds words in any language, in titles and messages, and shows where."""

from __future__ import annotations

import pytest

from idlepool.ui.history.history import History
from idlepool.ui.history.values import Found

TEXTS = {
    "english": "The quick brown fox doesn't jump; C++ and 3.14 do.",
    "german": "Die Größe der Donaudampfschifffahrt überrascht.",
    "french": "Le garçon naïf mange à l'école.",
    "japanese": "東京都は日本の首都です。コンピューターの話。",
    "chinese": "今天天气很好，我们去公园。",
    "korean": "서울에서 부산까지 기차로 갑니다.",
    "thai": "ฉันรักภาษาไทยมาก",
    "russian": "Съешь ещё этих мягких булок.",
    "arabic": "مرحبا بالعالم",
    "hindi": "हिन्दी में लिखा है",
    "mixed": "Deploy auf サーバー3台 at night",
}


@pytest.fixture
def history() -> History:
    history = History(None)
    for name, text in TEXTS.items():
        conversation = history.create()
        asked = history.add_message(conversation.id, None, "user", f"title-{name}")
        history.add_message(conversation.id, asked.id, "assistant", text)
    return history


def found(history: History, words: str) -> list[str]:
    return [one.entry.title.removeprefix("title-") for one in history.search(words, limit=20)]


def marked(one: Found) -> list[str]:
    return [piece.text for piece in one.snippet if piece.found]


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ("fox", "english"),
        ("FOX qui", "english"),
        ("doesn't", "english"),
        ("C++ quick", "english"),
        ("größe", "german"),
        ("donau", "german"),
        ("uber", "german"),
        ("garcon", "french"),
        ("京都", "japanese"),
        ("首都", "japanese"),
        ("コンピュ", "japanese"),
        ("天气", "chinese"),
        ("公", "chinese"),
        ("서울", "korean"),
        ("부산 기차", "korean"),
        ("ภาษา", "thai"),
        ("мягк", "russian"),
        ("بالعالم", "arabic"),
        ("हिन्दी", "hindi"),
        ("サーバー 3", "mixed"),
        ("title-mix", "mixed"),
        ("fox 東京", None),
        ("xyz", None),
    ],
)
def test_a_word_or_its_beginning_is_found(history: History, words: str, where: str | None) -> None:
    assert found(history, words) == ([where] if where else [])


@pytest.mark.parametrize("words", ["", "   ", '"', "*", "NOT", "(", "a OR", "text:", "^", "\0", "--", "'; DROP"])
def test_whatever_is_typed_is_no_error(history: History, words: str) -> None:
    history.search(words, limit=5)


def test_the_snippet_marks_the_words_and_reads_as_it_was_written(history: History) -> None:
    (one,) = history.search("首都 日本", limit=5)
    assert marked(one) == ["日本", "首都"]
    assert "".join(piece.text for piece in one.snippet) == "東京都は日本の首都です。コンピュー…"
    assert one.message is not None
    assert history.message(one.message).text == TEXTS["japanese"]


def test_a_long_text_is_cut_around_the_word(history: History) -> None:
    conversation = history.create()
    history.add_message(conversation.id, None, "user", "filler " * 500 + "\n\nneedle\t" + "filler " * 500)
    (one,) = history.search("needle", limit=5)
    shown = "".join(piece.text for piece in one.snippet)
    assert marked(one) == ["needle"]
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) < 200
    assert "\n" not in shown


def test_the_newest_come_first_each_once_and_titles_before_all(history: History) -> None:
    for number in range(3):
        conversation = history.create()
        asked = history.add_message(conversation.id, None, "user", f"question {number}")
        for _ in range(4):
            asked = history.add_message(conversation.id, asked.id, "assistant", "a pelican")
    named = history.conversations(limit=50)[-1]
    history.rename(named.id, "Pelican notes")
    assert [one.entry.title for one in history.search("pelican", limit=3)] == [
        "Pelican notes",
        "question 2",
        "question 1",
    ]
    assert history.search("pelican", limit=3)[0].message is None


def test_changed_text_is_found_by_its_new_words_only(history: History) -> None:
    (one,) = history.search("fox", limit=5)
    assert one.message is not None
    history.update_message(one.message, text="The lazy dog")
    assert found(history, "fox") == []
    assert found(history, "dog") == ["english"]
    history.rename(one.entry.id, "renamed")
    history.rename(one.entry.id, "again")
    assert found(history, "renamed") == []
    assert found(history, "again") == ["again"]
