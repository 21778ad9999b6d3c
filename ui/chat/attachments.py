"""Text files that go with a message: read with care, written into it as fenced blocks, and found in it again."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from idlepool.ui.engine_words import say
from idlepool.ui.numbers import whole

CHARACTERS_PER_TOKEN: Final = 3
"""A careful guess: English has about four, code and other languages have fewer."""

MOST_BYTES: Final = 2_000_000
"""No model here holds more; it bounds what the window reads, whatever is dropped on it."""

_BLOCK: Final = re.compile(
    r"(?:\A|\n\n)(?P<name>[^\n]{1,255}):\n(?P<fence>`{3,})file\n(?P<text>.*?)\n(?P=fence)(?=\n\n|\Z)", re.DOTALL
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_FENCES: Final = re.compile(r"`{3,}")

translate = QCoreApplication.translate


class AttachmentRefused(Exception):
    """A file cannot go with the message; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """The text of a file, under its name without the folder."""

    name: str
    text: str

    @property
    def block(self) -> str:
        """How it stands in a message: its name, and a fence longer than any in the text."""
        fence = "`" * max(3, 1 + max((len(run) for run in _FENCES.findall(self.text)), default=0))
        return f"{self.name}:\n{fence}file\n{self.text}\n{fence}"

    @property
    def tokens(self) -> int:
        """About how many a model needs for it."""
        return len(self.text) // CHARACTERS_PER_TOKEN


def join(typed: str, attachments: tuple[Attachment, ...]) -> str:
    """The message as the model reads it: what was typed, then the files."""
    return "\n\n".join(filter(None, (typed.strip(), *(attachment.block for attachment in attachments))))


def split(message: str) -> tuple[str, tuple[Attachment, ...]]:
    """What `join` was given."""
    found = list(_BLOCK.finditer(message))
    start = found[0].start() if found else len(message)
    if message[start:] != "".join(block[0] for block in found):
        return message, ()  # somebody wrote on below them
    return message[:start], tuple(Attachment(block["name"], block["text"]) for block in found)


def read_attachment(path: Path, *, room: int) -> Attachment:
    """Read a file that the model has `room` tokens for; 0: that is not known.

    Raises:
        AttachmentRefused: it is no text, too long, or cannot be read.
    """
    try:
        kind = path.stat()
        if not stat.S_ISREG(kind.st_mode):
            raise AttachmentRefused(translate("Attachments", "{name} is not a file.").format(name=path.name))
        if kind.st_size > MOST_BYTES:
            raise AttachmentRefused(_too_long(path.name, kind.st_size // CHARACTERS_PER_TOKEN, room))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        sentence = translate("Attachments", "{name} cannot be read: {reason}.")
        raise AttachmentRefused(sentence.format(name=path.name, reason=say(error.strerror or str(error)))) from error
    attachment = Attachment(path.name.replace("\n", " "), _text_of(path.name, data))
    if room and attachment.tokens > room:
        raise AttachmentRefused(_too_long(path.name, attachment.tokens, room))
    return attachment


def _text_of(name: str, data: bytes) -> str:
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    # What is no Unicode is most often of an older Windows, which gave every byte but a few a meaning.
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _CONTROL.search(text):
            return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    sentence = translate("Attachments", "{name} is no text file: only text can be put into a message.")
    raise AttachmentRefused(sentence.format(name=name))


def _too_long(name: str, tokens: int, room: int) -> str:
    if room <= 0:
        return translate("Attachments", "{name} is too long for any model here. Attach a part of it.").format(name=name)
    return translate(
        "Attachments",
        "{name} is too long: it has about {tokens} tokens, and there is room for about {room}. Attach a part of it.",
    ).format(name=name, tokens=whole(tokens), room=whole(room))
