"""What a broken or hostile peer may send: any bytes, and valid input with anything in it changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from hypothesis import strategies as st

WORDS = st.sampled_from([0, 1, 0x7F, 0x80, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 2**63 - 1, 2**63, 2**64 - 1])
"""At the edges of what fits."""

NUMBERS = WORDS | st.integers(-3, 70) | st.just(10**30) | st.integers(-(2**63), 2**64 - 1)
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["", "..\\..\\evil", "/etc/passwd", "C:\\evil", "\0", "\x1b[2J", "a" * 5000, "f" * 64, "0" * 16, "NaN", "١٢٣"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


def hostile(*samples: bytes, form: str = "") -> st.SearchStrategy[bytes]:
    """Bytes, changed `samples`, and, where these are of a `form` ("json", "msgpack"), samples with changed values."""
    inputs: list[st.SearchStrategy[bytes]] = [st.binary(max_size=600), changed_bytes(samples)]
    if form == "json":
        inputs.append(changed_values([json.loads(sample) for sample in samples], _json))
    elif form == "msgpack":
        inputs.append(changed_values([msgspec.msgpack.decode(sample) for sample in samples], _msgpack))
    return st.one_of(inputs)


@st.composite
def changed_bytes(draw: st.DrawFn, samples: Sequence[bytes]) -> bytes:
    """One of the samples, with bytes changed, cut out, doubled or put in."""
    data = bytearray(draw(st.sampled_from(samples)))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        length = draw(st.integers(0, 40))
        match draw(st.integers(0, 6)):
            case 0:
                data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case 1:
                number, size = draw(WORDS), draw(st.sampled_from([2, 4, 8]))
                data[at : at + size] = (number % 2 ** (8 * size)).to_bytes(
                    size, draw(st.sampled_from(["little", "big"]))
                )
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length]
            case 4:
                data[at:at] = draw(st.binary(max_size=20))
            case 5:
                del data[at:]
            case 6:
                data[at:] = draw(st.sampled_from(samples))[at:]
    return bytes(data)


@st.composite
def changed_values(draw: st.DrawFn, samples: Sequence[Any], encode: Callable[[Any], bytes]) -> bytes:
    """One of the samples with up to three of its values, at any depth, replaced, doubled or left out."""
    value = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(1, 3))):
        value = _changed(draw, value)
    return encode(value)


def _changed(draw: st.DrawFn, value: Any) -> Any:
    """Go down a random path and change what is at its end."""
    if not isinstance(value, (dict, list)) or not value or draw(st.integers(0, 9)) == 0:
        alike = NUMBERS if isinstance(value, (int, float)) else TEXTS if isinstance(value, str) else VALUES
        return draw(VALUES if draw(st.integers(0, 3)) == 0 else alike)
    keys = sorted(value) if isinstance(value, dict) else range(len(value))
    key = draw(st.sampled_from(keys))
    copy = value.copy()
    match draw(st.integers(0, 9)):
        case 0:
            del copy[key]
        case 1 if isinstance(copy, list):
            copy.insert(key, copy[key])
        case 1:
            copy[draw(TEXTS)] = copy[key]
        case _:
            copy[key] = _changed(draw, copy[key])
    return copy


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "replace")


def _msgpack(value: Any) -> bytes:
    try:
        return msgspec.msgpack.encode(value)
    except (OverflowError, UnicodeEncodeError):  # 10**30, half a surrogate pair: no msgpack holds them
        return msgspec.msgpack.encode(str(value).encode("utf-8", "replace"))
