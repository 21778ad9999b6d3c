"""Lists of members: who may write the next one, and that nothing else is ever taken for one."""

from __future__ import annotations

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.net.identity import Identity, make_identity, node_of
from idlepool.engine.net.roster import (
    MAX_MEMBERS,
    Member,
    Roster,
    SignedRoster,
    accept,
    add_member,
    found_pool,
    read_roster,
    remove_member,
)
from idlepool.engine.trust_errors import RosterRefused

ADA, BOB, EVE = (make_identity() for _ in range(3))
FOUNDED = found_pool(ADA, "ada")
PAIR = add_member(FOUNDED, ADA, certificate=BOB.certificate, name="bob")


def signed(roster: Roster, identity: Identity) -> SignedRoster:
    body = msgspec.msgpack.encode(roster)
    return SignedRoster(body, identity.node, identity.sign(body))


def names(roster: SignedRoster) -> list[str]:
    return [member.name for member in read_roster(roster).members]


def test_a_pool_grows_and_shrinks_by_signed_lists() -> None:
    third = add_member(PAIR, BOB, certificate=EVE.certificate, name="eve", role="member")
    fourth = remove_member(third, BOB, ADA.node)
    assert names(accept(FOUNDED, [PAIR, third])) == ["ada", "bob", "eve"]
    assert names(accept(PAIR, [third, fourth])) == ["bob", "eve"]
    assert [read_roster(each).epoch for each in (FOUNDED, PAIR, third, fourth)] == [1, 2, 3, 4]
    eve = read_roster(third).members[2]
    assert (eve.node, eve.added_by, eve.epoch, eve.role) == (EVE.node, BOB.node, 3, "member")
    assert accept(None, [PAIR, third]) == third  # what a new member is given need not be the whole history


def test_a_pc_that_is_added_again_is_there_once() -> None:
    again = add_member(PAIR, ADA, certificate=BOB.certificate, name="bob's laptop", role="member")
    assert names(again) == ["ada", "bob's laptop"]
    assert names(add_member(PAIR, ADA, certificate=BOB.certificate, name="bob")) == ["ada", "bob"]


def test_names_can_be_told_apart_and_shown() -> None:
    assert names(add_member(PAIR, ADA, certificate=EVE.certificate, name="bob")) == ["ada", "bob", "bob (2)"]
    assert names(add_member(FOUNDED, ADA, certificate=EVE.certificate, name="e\u202eve\x1b\n")) == ["ada", "eve"]
    assert names(found_pool(ADA, "\n")) == ["PC"]
    long = "x" * 99
    longer = add_member(found_pool(ADA, long), ADA, certificate=BOB.certificate, name=long)
    assert len(set(names(longer))) == 2


def test_only_an_admin_changes_the_list() -> None:
    with_member = add_member(PAIR, ADA, certificate=EVE.certificate, name="eve", role="member")
    with pytest.raises(RosterRefused, match="no admin of the pool"):
        remove_member(with_member, EVE, ADA.node)
    with pytest.raises(RosterRefused, match="no admin of the pool"):
        add_member(PAIR, EVE, certificate=EVE.certificate, name="eve")
    removed = remove_member(PAIR, ADA, BOB.node)
    back = signed(Roster(read_roster(removed).pool, 4, read_roster(PAIR).members), BOB)
    with pytest.raises(RosterRefused, match="no admin of the pool"):
        accept(removed, [back])


def test_the_last_admin_cannot_go() -> None:
    with pytest.raises(RosterRefused, match="cannot remove itself"):
        remove_member(PAIR, ADA, ADA.node)
    roster = read_roster(PAIR)
    without_ada = signed(Roster(roster.pool, 3, roster.members[1:]), ADA)
    with pytest.raises(RosterRefused, match="no admin of the pool"):
        accept(PAIR, [without_ada])
    with pytest.raises(RosterRefused, match="no member"):
        remove_member(PAIR, ADA, EVE.node)


def test_what_does_not_follow_is_refused_with_the_reason() -> None:
    third = remove_member(PAIR, ADA, BOB.node)
    other_pool = add_member(found_pool(ADA, "ada"), ADA, certificate=BOB.certificate, name="bob")
    for current, offered, said in (
        (PAIR, [FOUNDED], r"not newer than the one known here \(epoch 1, here 2\)"),
        (PAIR, [PAIR], "not newer"),
        (FOUNDED, [third], "its epoch is 3, and 2 was due"),
        (FOUNDED, [other_pool], "of another pool"),
        (FOUNDED, [], "there is none"),
        (None, [PAIR, FOUNDED], "not newer"),
        (FOUNDED, [msgspec.structs.replace(PAIR, signature=FOUNDED.signature)], "signature is wrong"),
        (FOUNDED, [msgspec.structs.replace(PAIR, signature=bytes(10**6))], "signature is wrong"),
        (FOUNDED, [msgspec.structs.replace(PAIR, body=PAIR.body.replace(b"bob", b"b0b"))], "signature is wrong"),
        (FOUNDED, [msgspec.structs.replace(PAIR, signer=BOB.node)], "no admin of the pool"),
        (None, [msgspec.structs.replace(FOUNDED, signer=EVE.node)], "no admin of the pool"),
    ):
        with pytest.raises(RosterRefused, match=said):
            accept(current, offered)


def test_a_change_from_two_sides_is_not_merged() -> None:
    by_ada = add_member(PAIR, ADA, certificate=EVE.certificate, name="eve")
    by_bob = remove_member(PAIR, BOB, ADA.node)
    with pytest.raises(RosterRefused):
        accept(by_ada, [by_bob])


def foreign_certificate(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey, *, like: Identity = EVE) -> bytes:
    """A certificate that says the same as another one, for another key."""
    real = x509.load_der_x509_certificate(like.certificate)
    builder = x509.CertificateBuilder(real.issuer, real.subject, key.public_key(), 1)
    dated = builder.not_valid_before(real.not_valid_before_utc).not_valid_after(real.not_valid_after_utc)
    return dated.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


def member(certificate: bytes, **other: object) -> Member:
    made = Member(node_of(certificate), certificate, "pc", "admin", ADA.node, 1)
    return msgspec.structs.replace(made, **other)


def of_version(number: int, certificate: bytes) -> bytes:
    """The certificate as one of another version of X.509, counted from 0; nobody made any but 0 to 2."""
    return certificate.replace(b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01" + bytes([number]), 1)


TWIN = foreign_certificate(ec.generate_private_key(ec.SECP256R1()), like=BOB)


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ((member(BOB.certificate), member(BOB.certificate)), "a member twice"),
        ((member(BOB.certificate), member(TWIN)), "certificates of the same subject"),
        ((member(BOB.certificate, node=EVE.node),), "id is not that of its certificate"),
        ((member(b"no certificate"),), "a member has"),
        ((member(of_version(9, BOB.certificate)),), "a member has no certificate that can be read"),
        ((member(foreign_certificate(rsa.generate_private_key(65537, 1024))),), "no certificate of a P-256 key"),
        ((member(foreign_certificate(ec.generate_private_key(ec.SECP384R1()))),), "no certificate of a P-256 key"),
        ((member(bytes(2000)),), "id is not that"),
        ((member(BOB.certificate, name="a\nb"),), "cannot be shown"),
        ((member(BOB.certificate, name="x" * 65),), "cannot be shown"),
        ((member(BOB.certificate, name=" "),), "cannot be shown"),
        (tuple(member(b"%d" % number) for number in range(MAX_MEMBERS)), f"has {MAX_MEMBERS + 1} members"),
    ],
)
def test_an_admin_cannot_write_what_no_pool_can_have(added: tuple[Member, ...], said: str) -> None:
    founded = read_roster(FOUNDED)
    with pytest.raises(RosterRefused, match=said):
        accept(FOUNDED, [signed(Roster(founded.pool, 2, (*founded.members, *added)), ADA)])


def test_a_list_too_long_to_be_read_is_not_read() -> None:
    with pytest.raises(RosterRefused, match="bytes, and"):
        read_roster(msgspec.structs.replace(PAIR, body=bytes(10**6)))


# --- whatever comes in ------------------------------------------------------------------------------------------------


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A real list with a stretch of it replaced."""
    first = draw(st.integers(0, len(PAIR.body) - 1))
    last = draw(st.integers(first, min(len(PAIR.body), first + 40)))
    return PAIR.body[:first] + draw(st.binary(max_size=40)) + PAIR.body[last:]


members = st.builds(Member, node=st.text(), certificate=st.binary(), name=st.text(), epoch=st.integers(-1, 2**63))
rosters = st.builds(
    Roster, pool=st.just("0" * 32) | st.text(), epoch=st.integers(-1, 2**63), members=st.tuples(members)
)
nested = st.builds(lambda depth: b"\x91" * depth, st.integers(1, 5000))


@settings(max_examples=300, deadline=None)
@given(body=st.binary() | damaged() | nested | rosters.map(msgspec.msgpack.encode), data=st.data())
def test_any_bytes_are_a_list_or_refused(body: bytes, data: st.DataObject) -> None:
    assert_sound(body)
    properly_signed = SignedRoster(body, ADA.node, ADA.sign(body))
    anyhow_signed = SignedRoster(body, data.draw(st.text()), data.draw(st.binary() | st.just(PAIR.signature)))
    for offered in (properly_signed, anyhow_signed):
        try:
            accept(FOUNDED, [offered])
        except RosterRefused as error:
            assert str(error).isprintable()


def assert_sound(body: bytes) -> None:
    try:
        roster = read_roster(SignedRoster(body, ADA.node, b""))
    except RosterRefused as error:
        assert str(error).isprintable()
        return
    assert roster.epoch >= 1
    assert all(each.name.isprintable() and each.node == node_of(each.certificate) for each in roster.members)
