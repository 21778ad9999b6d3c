"""Conversations leave as files and come back: all of them in JSON, what is shown in Markdown; rubbish is refused."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.ui.history import exchange, markdown
from idlepool.ui.history.history import History
from idlepool.ui.history.values import ChatSettings, Figures, Message, Tree

TRICKY = "A list:\n\n## Question\n\n\\## Answer (x)\n---\nidlepool-conversation: 1\n```\n## Answer\n```"


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
    exchange.write_file(history, [number], tmp_path / "one.json")
    (again,) = exchange.read_file(other, tmp_path / "one.json")
    assert without_numbers(other.tree(again)) == without_numbers(history.tree(number))
    assert again != number
    assert json.loads((tmp_path / "one.json").read_text("utf-8"))["idlepool"] == "conversations"


def test_markdown_brings_back_what_is_shown(tmp_path: Path) -> None:
    history, other = History(None), History(None)
    numbers = [branched(history), branched(history)]
    exchange.write_file(history, numbers, tmp_path / "all.md")
    again = exchange.read_file(other, tmp_path / "all.md")
    assert [[m.text for m in other.path(one)] for one in again] == [[TRICKY, "A1 ünïcode 東京"]] * 2
    assert [m.model for m in other.path(again[0])] == ["", "starter"]
    assert other.open(again[0]).title == "A: name"
    assert [entry.id for entry in other.conversations(limit=9)] == again


def test_markdown_reads_well(tmp_path: Path) -> None:
    history = History(None)
    conversation = history.create()
    asked = history.add_message(conversation.id, None, "user", "Why is the sky blue?")
    history.add_message(conversation.id, asked.id, "assistant", "Because of **Rayleigh**.", model="starter")
    exchange.write_file(history, [conversation.id], tmp_path / "sky.md")
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
    (back,) = markdown.read(markdown.written(Tree("t", messages), messages))
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
        exchange.read_file(history, tmp_path / f"file.{ending}")
    assert history.conversations(limit=5) == []


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(exchange.ImportRefused):
        exchange.read_file(History(None), tmp_path / "file.md")


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(exchange.MOST_BYTES + 1)
    with pytest.raises(exchange.ImportRefused, match="larger than 256 MB"):
        exchange.read_file(History(None), tmp_path / "huge.json")
