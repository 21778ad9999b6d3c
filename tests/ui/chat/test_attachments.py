"""Files that go with a message."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.ui.chat.attachments import MOST_BYTES, Attachment, AttachmentRefused, join, read_attachment, split

PLENTY = 100_000

texts = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=80)
names = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), min_size=1, max_size=20)
typed_texts = texts.map(str.strip)


@given(typed_texts, st.lists(st.builds(Attachment, names, texts), max_size=3))
def test_a_message_is_taken_apart_as_it_was_joined(typed: str, files: list[Attachment]):
    message = join(typed, tuple(files))
    again = join(*split(message))
    assert again == message
    if "```" not in typed:
        assert split(message) == (typed, tuple(files))


def test_what_was_written_below_a_fence_is_not_lost():
    message = join("look", (Attachment("a.txt", "text"),)) + "\n\nand this"
    assert split(message) == (message, ())


def test_a_file_that_holds_fences_stays_one():
    file = Attachment("notes.md", "```\ncode\n```\n\n````\nmore\n````")
    assert split(join("", (file,))) == ("", (file,))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain\r\ntext\r\n", "plain\ntext"),
        ("\ufeffwith a mark".encode(), "with a mark"),
        ("Grüße, 世界".encode(), "Grüße, 世界"),
        ("Grüße".encode("cp1252"), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        (b"", ""),
        (b"form\x0cfeed\x1b[1m", "form\x0cfeed\x1b[1m"),
    ],
)
def test_text_is_read_in_what_it_was_written(tmp_path: Path, data: bytes, text: str):
    file = tmp_path / "file.txt"
    file.write_bytes(data)
    assert read_attachment(file, room=PLENTY) == Attachment("file.txt", text)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00", bytes(range(256)), b"a\x00b", b"\xff\xfea"])
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes):
    file = tmp_path / "picture.png"
    file.write_bytes(data)
    with pytest.raises(AttachmentRefused, match=r"picture.png is no text file"):
        read_attachment(file, room=PLENTY)


def test_what_does_not_fit_is_refused_in_numbers(tmp_path: Path):
    file = tmp_path / "long.txt"
    file.write_text("word " * 3000)
    assert read_attachment(file, room=5000).tokens == 5000
    with pytest.raises(AttachmentRefused, match=r"about 5,000 tokens, and there is room for about 1,200"):
        read_attachment(file, room=1200)
    file.write_bytes(b"a" * (MOST_BYTES + 1))
    for room in (0, PLENTY):
        with pytest.raises(AttachmentRefused, match="too long"):
            read_attachment(file, room=room)


def test_what_cannot_be_read_is_refused_with_the_reason(tmp_path: Path):
    with pytest.raises(AttachmentRefused, match=r"gone.txt cannot be read: "):
        read_attachment(tmp_path / "gone.txt", room=PLENTY)
    with pytest.raises(AttachmentRefused, match="is not a file"):
        read_attachment(tmp_path, room=PLENTY)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(AttachmentRefused, match="is not a file"):
        read_attachment(tmp_path / "pipe", room=PLENTY)
