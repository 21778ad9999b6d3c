"""Two sides and a code: who has another code, another certificate or yesterday's words, has nothing."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.net.pairing import Agreement, Introduction, Joined, Proof, Session, decode, encode
from idlepool.engine.net.pairing_code import ALPHABET, make_code, plate_of, read_code, shown_code
from idlepool.engine.net.pairing_words import WORDS
from idlepool.engine.pairing_errors import PairingBroken, PairingError
from idlepool.engine.types import NodeId

HOST, GUEST, STRANGER = (NodeId(hashlib.sha256(name).hexdigest()) for name in (b"host", b"guest", b"stranger"))
CODE = "K7MP3XQ9"


def agree(host_code: str = CODE, guest_code: str = CODE, *, seen_by_host: NodeId = GUEST) -> tuple[Session, Session]:
    host = Agreement(host_code, host=HOST, guest=seen_by_host, showing=True)
    guest = Agreement(guest_code, host=HOST, guest=GUEST, showing=False)
    return host.agree(guest.element), guest.agree(host.element)


def test_the_same_code_gives_both_sides_the_same_key_and_words() -> None:
    host, guest = agree()
    assert host.check(guest.proof)
    assert guest.check(host.proof)
    assert host.words == guest.words
    assert len(set(host.words) & set(WORDS)) >= 3  # four words, rarely one of them twice
    sealed = guest.seal(Introduction("south", b"certificate"))
    assert host.unseal(sealed) == Introduction("south", b"certificate")
    assert b"south" not in sealed.data
    assert guest.unseal(host.seal(Joined())) == Joined()


def test_another_code_proves_nothing_and_opens_nothing() -> None:
    host, guest = agree(guest_code="K7MP3XQ8")
    assert not host.check(guest.proof)
    assert not guest.check(host.proof)
    assert host.words != guest.words
    with pytest.raises(PairingBroken):
        host.unseal(guest.seal(Joined()))


def test_who_stands_between_with_another_certificate_is_found_out() -> None:
    host, guest = agree(seen_by_host=STRANGER)
    assert not host.check(guest.proof)
    assert host.words != guest.words


def test_a_proof_cannot_be_sent_back_to_who_made_it() -> None:
    host, guest = agree()
    assert not guest.check(guest.proof)
    assert not host.check(host.proof)
    with pytest.raises(PairingBroken):
        guest.unseal(guest.seal(Joined()))


def test_what_was_recorded_proves_nothing_in_another_attempt() -> None:
    guest = Agreement(CODE, host=HOST, guest=GUEST, showing=False)
    first = Agreement(CODE, host=HOST, guest=GUEST, showing=True)
    recorded = guest.agree(first.element)
    assert first.agree(guest.element).check(recorded.proof)
    second = Agreement(CODE, host=HOST, guest=GUEST, showing=True)
    assert not second.agree(guest.element).check(recorded.proof)


@pytest.mark.parametrize("element", [b"A" + bytes(32), b"A" + b"\xff" * 32, b"A\x01" + bytes(31), b"Z" * 33, b""])
def test_what_is_no_key_is_refused(element: bytes) -> None:
    host = Agreement(CODE, host=HOST, guest=GUEST, showing=True)
    with pytest.raises(PairingBroken):
        host.agree(element)


def test_an_element_of_the_same_side_is_refused() -> None:
    host = Agreement(CODE, host=HOST, guest=GUEST, showing=True)
    with pytest.raises(PairingBroken):
        host.agree(host.element)


def test_sealed_words_are_read_in_their_order_and_once() -> None:
    host, guest = agree()
    first, second = host.seal(Joined()), host.seal(Joined())
    with pytest.raises(PairingBroken):
        guest.unseal(second)
    host, guest = agree()
    first = host.seal(Joined())
    guest.unseal(first)
    with pytest.raises(PairingBroken):
        guest.unseal(first)


@given(st.binary(max_size=200))
def test_whatever_comes_is_a_message_or_refused(data: bytes) -> None:
    try:
        decode(data)
    except PairingBroken:
        return


@given(st.binary(max_size=64), st.integers(0, 40), st.binary(min_size=1, max_size=4))
def test_a_message_that_was_changed_is_a_message_or_refused(mac: bytes, place: int, change: bytes) -> None:
    data = bytearray(encode(Proof(mac.ljust(32, b"x")[:32])))
    data[place : place + len(change)] = change
    try:
        decode(bytes(data))
    except PairingBroken:
        return


def test_codes_can_be_typed_in_many_ways() -> None:
    code = make_code()
    assert set(code) <= set(ALPHABET)
    assert read_code(f"  {shown_code(code).lower()} ") == code
    assert read_code(shown_code(code).replace("-", "–")) == code
    assert code.startswith(plate_of(code))
    assert make_code() != make_code()


@pytest.mark.parametrize(
    ("typed", "says"), [("", "no pairing code"), ("K7MP-3XQ", "no pairing code"), ("K7MP-3XQ0", "No code has a “0”")]
)
def test_what_cannot_be_a_code_is_told_so(typed: str, says: str) -> None:
    with pytest.raises(PairingError, match=says):
        read_code(typed)


def test_words_are_told_apart_by_their_beginnings() -> None:
    assert len(WORDS) == 256
    assert len({word[:3] for word in WORDS}) == 256
    assert all(word.isascii() and word.islower() and word.isalpha() and 3 <= len(word) <= 7 for word in WORDS)
