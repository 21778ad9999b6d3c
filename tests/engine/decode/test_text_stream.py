"""Streamed text: its pieces add up to the whole, none is taken back, and a long answer costs no more per token."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.text_stream import TextStream
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.tokenizer import Tokenizer

Decode = Callable[[Sequence[int]], str]

TEXTS = [
    "👨‍👩‍👧 and 🏳️‍🌈, 🙂🙂",
    "日本の首都は東京です。",
    "e\u0301a\u0300 क्षि ที่",
    "def f(x):\n    return [\n        x,  'n' ,\n    ]  \n\n\n",
    "   leading, trailing   ",
    "It is n't 's 're ' so ' ! , done .",
]


def plain_bytes(tokens: Sequence[int]) -> str:
    """Token = byte; what is no UTF-8 shows as U+FFFD."""
    return bytes(tokens).decode(errors="replace")


def lenient_bytes(tokens: Sequence[int]) -> str:
    """Token = byte; what is no UTF-8 is left out."""
    return bytes(tokens).decode(errors="ignore")


def tidy(tokens: Sequence[int]) -> str:
    """Blanks before full stops and contractions are dropped, as detokenizers of the GPT-2 family do."""
    return re.sub(
        r" ([.?!,])| ('[ms])| (') | ('[rv]e)| (n't)", lambda found: found[found.lastindex or 0], plain_bytes(tokens)
    )


def stripped(tokens: Sequence[int]) -> str:
    """The blank at the beginning is dropped, as SentencePiece does."""
    return plain_bytes(tokens).removeprefix(" ")


def stripped_lenient(tokens: Sequence[int]) -> str:
    return lenient_bytes(tokens).removeprefix(" ")


DECODERS = [plain_bytes, lenient_bytes, tidy, stripped, stripped_lenient]

UNICODE = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.text(st.characters(categories=["Mn", "Mc", "Me"]), max_size=4),  # combining marks
        st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=6),  # CJK
        st.text(st.characters(min_codepoint=0x1F300, max_codepoint=0x1FAFF), max_size=4),  # emoji
        st.sampled_from(["\u200d", "\ufe0f", "👩\u200d👧", "🇯🇵", "👍🏽", "क्षि", " 's", " ", "\ufffd", "\ufffd ", "\0"]),
    ),
    max_size=12,
).map("".join)
"""Text of any kind, rich in what takes several tokens a character or several characters a sign."""

PIECES = st.sampled_from(
    [*(text.encode() for text in TEXTS), b" ", b"'", b"n", b"t", b"'s", b".", b"a", b"\n", b"\xe6\x97"]
)
"""Whole texts, ends on which detokenizers differ, and half a character."""


def stream(decode: Decode, tokens: Sequence[int], sizes: Sequence[int] = (1,)) -> list[str]:
    """All pieces, the tokens pushed in groups of `sizes` in turn; the last piece is the flush."""
    text, pieces, at, turn = TextStream(decode), [], 0, 0
    while at < len(tokens):
        size = sizes[turn % len(sizes)]
        pieces.append(text.push(tokens[at : at + size]))
        at, turn = at + size, turn + 1
    return [*pieces, text.flush()]


@pytest.mark.parametrize("decode", DECODERS)
@pytest.mark.parametrize("text", TEXTS)
def test_pieces_add_up(decode: Decode, text: str) -> None:
    tokens = list((text * 5).encode())
    assert "".join(stream(decode, tokens)) == decode(tokens)


@pytest.mark.parametrize("decode", DECODERS)
@settings(max_examples=100, deadline=None)
@given(
    pieces=st.lists(st.one_of(PIECES, st.binary(max_size=3)), max_size=40),
    sizes=st.lists(st.integers(1, 5), min_size=1),
)
def test_pieces_add_up_for_any_bytes(decode: Decode, pieces: list[bytes], sizes: list[int]) -> None:
    tokens = list(b"".join(pieces))
    assert "".join(stream(decode, tokens, sizes)) == decode(tokens)


@pytest.mark.parametrize("decode", DECODERS)
@pytest.mark.parametrize("first", range(28, 36))
def test_the_window_may_move_on_inside_a_character(decode: Decode, first: int) -> None:
    text = TextStream(decode)
    pushed = [*(b"a" * first), b"a\xe6\x97", b"\xa5", b" ", b"b"]
    tokens = [[each] if isinstance(each, int) else list(each) for each in pushed]
    assert "".join(map(text.push, tokens)) + text.flush() == "a" * first + "a日 b"


def test_half_a_character_is_held_back() -> None:
    pieces = stream(plain_bytes, list("é🙂".encode()))
    assert pieces == ["", "é", "", "", "", "🙂", ""]


def test_half_a_character_at_the_end_is_shown_by_the_flush() -> None:
    assert stream(plain_bytes, list("a🙂".encode())[:-1]) == ["a", "", "", "", "\ufffd"]


def test_a_blank_is_held_back_until_it_is_certain() -> None:
    assert stream(tidy, list(b"a . b")) == ["a", "", ".", "", " b", ""]


def test_a_long_answer_decodes_no_more_tokens_at_its_end_than_at_its_beginning() -> None:
    decoded: list[int] = []

    def counting(tokens: Sequence[int]) -> str:
        decoded.append(len(tokens))
        return tidy(tokens)

    text = list(("".join(TEXTS) * 100).encode())
    assert "".join(stream(counting, text)) == tidy(text)
    assert max(decoded) < 100
    assert sum(decoded) < 50 * len(text)


@pytest.fixture(scope="module")
def tokenizer(starter_store: ModelStore) -> Tokenizer:
    return Tokenizer(starter_store.get("starter").folder)


@pytest.mark.model
@pytest.mark.parametrize("text", TEXTS)
def test_real_tokens_add_up(tokenizer: Tokenizer, text: str) -> None:
    tokens = tokenizer.encode(text * 10)
    assert "".join(stream(tokenizer.decode, tokens)) == text * 10


@pytest.mark.model
@settings(max_examples=150, deadline=None)
@given(text=UNICODE, sizes=st.lists(st.integers(1, 5), min_size=1))
def test_any_unicode_adds_up_and_nothing_is_taken_back(tokenizer: Tokenizer, text: str, sizes: list[int]) -> None:
    tokens = tokenizer.encode(text)
    whole = tokenizer.decode(tokens)  # not always `text`: the vocabulary lacks a few bytes
    shown = ""
    for piece in stream(tokenizer.decode, tokens, sizes):
        shown += piece
        assert whole.startswith(shown)
    assert shown == whole


@pytest.mark.model
@settings(max_examples=60, deadline=None)
@given(
    tokens=st.lists(st.one_of(st.integers(0, 49_151), st.integers(0, 260)), max_size=120),
    sizes=st.lists(st.integers(1, 5), min_size=1),
)
def test_any_real_tokens_add_up(tokenizer: Tokenizer, tokens: list[int], sizes: list[int]) -> None:
    assert "".join(stream(tokenizer.decode, tokens, sizes)) == tokenizer.decode(tokens)
