"""Stop strings: the answer ends where a search of the whole text says, and no piece shows too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.decode.stop_strings import StopStrings

TEXTS = st.text(alphabet="ab\n。終😀👍\u0301", max_size=40)
STOPS = st.lists(st.text(alphabet="ab\n。終😀👍\u0301", min_size=1, max_size=5), max_size=4)


def before_the_first(text: str, stops: list[str]) -> str:
    """By trying every end of the text: the first at which a stop string is complete, the longest of those."""
    for end in range(len(text) + 1):
        complete = [stop for stop in stops if text[:end].endswith(stop)]
        if complete:
            return text[: end - max(map(len, complete))]
    return text


@given(pieces=st.lists(TEXTS, max_size=8), stops=STOPS)
def test_what_is_shown_is_the_text_before_the_first_stop_string(pieces: list[str], stops: list[str]) -> None:
    filtered = StopStrings(stops)
    expected = before_the_first("".join(pieces), stops)
    shown = ""
    for piece in pieces:
        shown += filtered.push(piece)
        assert expected.startswith(shown)
    assert (filtered.found is None) == (expected == "".join(pieces))
    assert shown + filtered.flush() == expected


@given(text=TEXTS, stops=STOPS)
def test_text_is_held_back_only_while_it_may_become_a_stop_string(text: str, stops: list[str]) -> None:
    filtered = StopStrings(stops)
    held = text[len("".join(map(filtered.push, text))) :]
    assert filtered.found or held == "" or any(stop.startswith(held) for stop in stops)


def test_a_stop_string_over_several_pieces_is_never_shown() -> None:
    stop = StopStrings(["\nUser:"])
    assert [stop.push(piece) for piece in ("Yes", ".\n", "Us", "er", ": and")] == ["Yes", ".", "", "", ""]
    assert stop.found == "\nUser:"
    assert stop.push("more") == stop.flush() == ""


def test_what_only_looked_like_a_stop_string_comes_late_but_comes() -> None:
    stop = StopStrings(["。。終"])
    assert [stop.push(piece) for piece in ("好。", "。", "。", "👍")] == ["好", "", "。", "。。👍"]


def test_the_stop_string_complete_first_counts() -> None:
    stop = StopStrings(["abcd", "bc"])
    assert stop.push("xabcd") == "xa"
    assert stop.found == "bc"


def test_of_two_complete_at_once_the_longer_counts() -> None:
    stop = StopStrings(["c", "abc"])
    assert stop.push("xab") == "x"
    assert stop.push("c") == ""
    assert stop.found == "abc"


def test_an_empty_stop_string_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        StopStrings(["a", ""])
