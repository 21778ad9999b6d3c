"""Parting Markdown: each block where it belongs, and the same parts however a text arrives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.ui.chat.parts import Code, Prose, Reader, Table, Thought, split, without_thoughts

BLOCKS = (
    "Some words of **prose**,\nover two lines.\n",
    "# A heading\n",
    "Another one\n===\n",
    "#no heading\n",
    "- one\n- two\n  - three\n\n- four\n",
    "1. one\n   ```python\n   nested = 1\n   ```\n   more\n2. two\n",
    "- a\n\n  ~~~\n  first\n  ~~~\n  ```\n  second\n  ```\n\n  - deep\n    ```\n    third\n",
    "> quoted\n> ```\n> code\n",
    "```python\ndef f():\n    return '<think>'\n\n```\n",
    "~~~\ntildes\n```\nstill\n~~~\n",
    "````md\n```\ninner\n```\n````\n",
    "    indented = 1\n\n    code = 2\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "a | b\n-|-\n1 | 2\n",
    "***\n",
    "<think>\nWhat *is* it?\n\n```\ncode in a thought\n```\n</think>\n",
    "</think>\n",
    "<b>no tag</b>\n",
    "[a]: https://example.org\n",
    "emoji 👩‍💻 and \u2028 separators\x0c\n",
    "word " * 250 + "\n",
    "```\nnever closed\n",
)
texts = st.lists(st.sampled_from(BLOCKS), max_size=8).flatmap(
    lambda blocks: st.sampled_from(("", "\n", "\n\n")).map(lambda gap: gap.join(blocks))
)


@settings(deadline=None)  # the parser is imported with the first text
@given(text=texts, cuts=st.lists(st.integers(0, 3000), max_size=12))
def test_a_text_that_grows_has_the_parts_of_the_whole_one(text: str, cuts: list[int]):
    reader = Reader()
    for cut in sorted(min(cut, len(text)) for cut in cuts):
        assert reader.read(text[:cut]) == split(text[:cut])
    assert reader.read(text) == split(text)


@settings(deadline=None)
@given(text=st.text(alphabet="ab \n`#-|>*<think/>", max_size=60))
def test_letter_by_letter_too(text: str):
    reader = Reader()
    for length in range(len(text) + 1):
        assert reader.read(text[:length]) == split(text[:length])


@settings(deadline=None)
@given(text=texts)
def test_no_word_is_lost(text: str):
    shown = "".join(part.text if isinstance(part, Code) else part.source for part in split(text))
    for word in ("prose", "heading", "three", "nested", "quoted", "return", "tildes", "inner", "indented", "emoji"):
        assert shown.count(word) == text.count(word)


@pytest.mark.parametrize("line", ["#1 of all", "-1 degrees", "1.5 metres", ">= 2", "```x``` y", "<thinking", "***a"])
def test_a_line_that_is_half_written_ends_nothing_for_good(line: str):
    text = f"| a |\n|---|\n| 1 |\n{line}\n| 2 |\n\nend"
    reader = Reader()
    for length in range(len(text) + 1):
        assert reader.read(text[:length]) == split(text[:length])


def test_a_text_that_is_replaced_is_read_anew():
    reader = Reader()
    reader.read("```\none\n```\n\n```\ntwo\n```\n\nthree\n\nfour")
    assert reader.read("other words") == (Prose("other words"),)


def test_each_block_is_what_it_is():
    source = "Look:\n\n```python\nprint(1)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone."
    assert split(source) == (
        Prose("Look:"),
        Code("print(1)", "python"),
        Table("| a | b |\n|---|---|\n| 1 | 2 |"),
        Prose("Done."),
    )


@pytest.mark.parametrize("written", ["```python\nprint(1)", "```python\nprint(1)\n", "```python\nprint(1)\n``"])
def test_code_that_is_being_written_is_open_and_has_no_half_fence(written: str):
    (code,) = split(written)
    assert isinstance(code, Code)
    assert (code.text.strip(), code.language, code.closed) == ("print(1)", "python", False)


def test_code_in_the_items_of_a_list_is_set_apart_and_the_list_goes_on():
    source = "1. Install:\n   ```bash\n   pip install x\n   ```\n   Wait.\n2. Run:\n\n   ```\n   x\n   ```\n3. End"
    assert split(source) == (
        Prose("1. Install:"),
        Code("pip install x", "bash"),
        Prose("Wait.\n\n2. Run:"),
        Code("x"),
        Prose("3. End"),
    )


def test_code_that_begins_an_item_or_stands_deeper_stays_in_the_list():
    for source in ("1. ```\n   x\n   ```\n2. two", "- one\n  - two\n    ```\n    x\n    ```"):
        assert split(source) == (Prose(source),)


def test_long_prose_is_closed_bit_by_bit():
    parts = split("word " * 150 + "\n\n" + "word " * 150 + "\n\n" + "the rest")
    assert [type(part) for part in parts] == [Prose, Prose]
    assert parts[1] == Prose("the rest")


def test_thoughts_are_set_apart_closed_or_not():
    assert split("<think>\nHm.\n</think>\n\nYes.") == (Thought("Hm."), Prose("Yes."))
    assert split("<think>\nHm.") == (Thought("Hm.", closed=False),)
    assert split("<thi") == ()


def test_an_opening_tag_that_the_template_wrote_is_not_missed():
    assert split("Hm, let me see.\n</think>\n\nYes.") == (Thought("Hm, let me see."), Prose("Yes."))


@pytest.mark.parametrize(
    "text", ["The tag `<think>` opens.", "```\n<think>\n```", "a <think> b", "```\nx\n</think>\n```"]
)
def test_a_tag_that_is_talked_about_is_no_thought(text: str):
    assert not any(isinstance(part, Thought) for part in split(text))
    assert without_thoughts(text) == text


def test_a_copy_leaves_the_thoughts_out():
    assert without_thoughts("<think>\nsecret\n</think>\n\n**Yes**, it is.\n") == "**Yes**, it is."
    assert without_thoughts("<think>\nnot finished") == ""
