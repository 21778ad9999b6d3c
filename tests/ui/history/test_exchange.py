"""Conversations leave as files and come back: all of them in JSON, what is shown in Markdown; rubbish is refused."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.ui.history import exchange, markdown
from idlepool.ui.history.history import History
from idlepool.ui.history.values import ChatSettings, Figures, Message, Tree

TRICKY = "A list:\n\n## Question\n\n\\## Answer (x)\n---\nidlepool-conversation: 1\n```\n## Answer\n```"


T = TypeVar("T")


def to_the_end(steps: Generator[exchange.Progress, None, T]) -> T:
    """What is returned after all steps."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(T, end.value)


def branched(history: History) -> int:
    conversation = history.create(model="starter", settings=ChatSettings("Be brief.", top_k=3))
    asked = history.add_message(conversation.id, None, "user", TRICKY)
    first = history.add_message(conversation.id, asked.id, "assistant", "A1 ünïcode 東京", model="starter")
    history.update_message(first.id, state="length", detail="full", figures=Figures(tokens=3))
    history.add_message(conversation.id, asked.id, "assistant", "A2", model="other")
    history.choose(first.id)
    history.rename(conversation.id, "A: name")
    history.pin(conversation.id, True)
    history.save_draft(conversation.id, "draft")
    return conversation.id


def without_numbers(tree: Tree) -> Tree:
    order = {message.id: number for number, message in enumerate(tree.messages)}
    return dataclasses.replace(
        tree,
        changed_ms=0,
        leaf=None if tree.leaf is None else order[tree.leaf],
        messages=tuple(
            dataclasses.replace(m, id=order[m.id], conversation=0, parent=None if m.parent is None else order[m.parent])
            for m in tree.messages
        ),
    )


def test_json_brings_all_of_it_back(tmp_path: Path) -> None:
    history, other = History(None), History(None)
    other.create()
    number = branched(history)
    to_the_end(exchange.write_file(history, [number], tmp_path / "one.json"))
    (again,) = to_the_end(exchange.read_file(other, tmp_path / "one.json"))
    assert without_numbers(other.tree(again)) == without_numbers(history.tree(number))
    assert again != number
    assert json.loads((tmp_path / "one.json").read_text("utf-8"))["idlepool"] == "conversations"


def test_markdown_brings_back_what_is_shown(tmp_path: Path) -> None:
    history, other = History(None), History(None)
    numbers = [branched(history), branched(history)]
    to_the_end(exchange.write_file(history, numbers, tmp_path / "all.md"))
    again = to_the_end(exchange.read_file(other, tmp_path / "all.md"))
    assert [[m.text for m in other.path(one)] for one in again] == [[TRICKY, "A1 ünïcode 東京"]] * 2
    assert [m.model for m in other.path(again[0])] == ["", "starter"]
    assert other.open(again[0]).title == "A: name"
    assert [entry.id for entry in other.conversations(limit=9)] == again


def test_markdown_reads_well(tmp_path: Path) -> None:
    history = History(None)
    conversation = history.create()
    asked = history.add_message(conversation.id, None, "user", "Why is the sky blue?")
    history.add_message(conversation.id, asked.id, "assistant", "Because of **Rayleigh**.", model="starter")
    to_the_end(exchange.write_file(history, [conversation.id], tmp_path / "sky.md"))
    text = re.sub("changed: .*", "changed: …", (tmp_path / "sky.md").read_text("utf-8"))
    assert text == (
        "---\nidlepool-conversation: 1\ntitle: Why is the sky blue?\nmodel: \nchanged: …\n---\n\n"
        "## Question\n\nWhy is the sky blue?\n\n## Answer (starter)\n\nBecause of **Rayleigh**.\n"
    ).replace("model: \n", "model: starter\n")


@given(st.lists(st.text(st.sampled_from("#\\ QuestionAnswer()-\nidlepool-conversation: 1x"), min_size=1), max_size=5))
@settings(deadline=None)
def test_any_text_comes_back_from_markdown(texts: list[str]) -> None:
    messages = tuple(
        Message(number, 0, number - 1 or None, "user" if number % 2 else "assistant", text, "done", "", None, "", 0)
        for number, text in enumerate(texts, start=1)
    )
    (document,) = markdown.documents(markdown.written(Tree("t", messages), messages))
    back = markdown.tree(document)
    assert [message.text for message in back.messages] == [text.strip() for text in texts]


MESSAGE = {
    "id": 1, "conversation": 1, "parent": None, "role": "user", "text": "x", "state": "done", "detail": "",
    "figures": None, "model": "", "created_ms": 0,
}  # fmt: skip


def with_messages(*messages: dict[str, object], leaf: int | None = None) -> str:
    tree = {"title": "t", "messages": messages, "leaf": leaf}
    return json.dumps({"idlepool": "conversations", "version": 1, "conversations": [tree]})


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[]",
        "{" * 100_000,
        '{"idlepool": "conversations", "version": 2, "conversations": []}',
        '{"idlepool": "conversations", "version": 1, "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        with_messages(MESSAGE, MESSAGE),
        with_messages(MESSAGE | {"parent": 1}),
        with_messages(MESSAGE | {"parent": 7}),
        with_messages(MESSAGE | {"role": "system"}),
        with_messages(MESSAGE | {"text": 3}),
        with_messages(MESSAGE, leaf=5),
        "# Some other Markdown\n\n## Question\n\nWhy?",
        "---\nidlepool-conversation: 1\ntitle: no end",
        "---\nidlepool-conversation: 1\ntitle: t\n---\nstray\n## Question\n\nx",
        "\0\1\2",
    ],
)
@pytest.mark.parametrize("ending", ["json", "md"])
def test_rubbish_is_refused_with_a_sentence_and_leaves_nothing(tmp_path: Path, content: str, ending: str) -> None:
    history = History(None)
    (tmp_path / f"file.{ending}").write_text(content, "utf-8")
    with pytest.raises(exchange.ImportRefused, match=rf"file\.{ending} holds no conversations"):
        to_the_end(exchange.read_file(history, tmp_path / f"file.{ending}"))
    assert history.conversations(limit=5) == []


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(exchange.ImportRefused):
        to_the_end(exchange.read_file(History(None), tmp_path / "file.md"))


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(exchange.MOST_BYTES + 1)
    with pytest.raises(exchange.ImportRefused, match="larger than 256 MB"):
        to_the_end(exchange.read_file(History(None), tmp_path / "huge.json"))


def talks(history: History, *questions: str) -> list[int]:
    numbers = [history.create().id for _ in questions]
    for number, question in zip(numbers, questions, strict=True):
        history.add_message(number, None, "user", question)
    return numbers


@pytest.mark.parametrize("name", ["all.md", "all.json"])
def test_an_export_that_is_given_up_leaves_what_was_there_and_nothing_else(tmp_path: Path, name: str) -> None:
    history = History(None)
    (tmp_path / name).write_text("of yesterday")
    steps = exchange.write_file(history, talks(history, "one", "two", "three"), tmp_path / name)
    assert next(steps) == (1, 3)
    assert (tmp_path / name).read_text() == "of yesterday"
    steps.close()
    assert (tmp_path / name).read_text() == "of yesterday"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    history = History(None)
    (tmp_path / "all.md").mkdir()
    with pytest.raises(OSError):
        to_the_end(exchange.write_file(history, talks(history, "one"), tmp_path / "all.md"))
    assert [path.name for path in tmp_path.iterdir()] == ["all.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own there")
def test_an_export_goes_where_a_link_leads(tmp_path: Path) -> None:
    history = History(None)
    (tmp_path / "real.md").write_text("of yesterday")
    (tmp_path / "link.md").symlink_to("real.md")
    to_the_end(exchange.write_file(history, talks(history, "one"), tmp_path / "link.md"))
    assert (tmp_path / "link.md").is_symlink()
    assert "one" in (tmp_path / "real.md").read_text()


@pytest.mark.parametrize("name", ["all.md", "all.json"])
def test_what_is_deleted_meanwhile_is_left_out(tmp_path: Path, name: str) -> None:
    history, other = History(None), History(None)
    numbers = talks(history, "one", "two", "three")
    steps = exchange.write_file(history, numbers, tmp_path / name)
    next(steps)
    history.delete(numbers[1])
    assert to_the_end(steps) == 2
    again = to_the_end(exchange.read_file(other, tmp_path / name))
    assert [other.open(number).title for number in again] == ["one", "three"]


def test_where_all_are_deleted_nothing_is_written(tmp_path: Path) -> None:
    history = History(None)
    (number,) = talks(history, "one")
    history.delete(number)
    with pytest.raises(LookupError):
        to_the_end(exchange.write_file(history, [number], tmp_path / "one.json"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["all.md", "all.json"])
def test_an_import_is_seen_at_its_end_or_not_at_all(tmp_path: Path, name: str) -> None:
    history = History(tmp_path)
    numbers = talks(history, "one", "two", "three")
    to_the_end(exchange.write_file(history, numbers, tmp_path / name))
    steps = exchange.read_file(history, tmp_path / name)
    while next(steps) != (2, 3):
        assert len(history.conversations(limit=9)) == 3
    assert len(history.search("two", limit=9)) == 1
    steps.close()
    history.purge_deleted()
    history.close()
    again = History(tmp_path)
    assert [entry.id for entry in again.conversations(limit=9)] == numbers[::-1]
    assert len(to_the_end(exchange.read_file(again, tmp_path / name))) == 3
    assert [entry.title for entry in again.conversations(limit=9)][:3] == ["one", "two", "three"]
    again.close()
