"""The members of a pool, as a chain of signed lists: each list is signed by an admin of the list before it.

Pure: lists in, lists out. A list is whole, not a difference; for lists that were changed apart see roster_branches.py.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Literal

import msgspec

from idlepool.engine.net.identity import Identity, is_signed, node_of, public_key, subject_of
from idlepool.engine.net.shown import MAX_NAME, shown
from idlepool.engine.trust_errors import RosterRefused
from idlepool.engine.types import NodeId

MAX_MEMBERS = 64
MAX_CERTIFICATE_BYTES = 1024
MAX_BODY_BYTES = MAX_MEMBERS * (MAX_CERTIFICATE_BYTES + 512)
_MAX_SIGNATURE_BYTES = 80
_MAX_EPOCH = 2**53

_POOL = re.compile(r"[0-9a-f]{32}")

MemberRole = Literal["admin", "member"]
"""An admin may change the list."""


class Member(msgspec.Struct, frozen=True):
    """A PC of the pool. `epoch` is the one it was added in, by the PC `added_by`."""

    node: str
    certificate: bytes
    name: str
    role: MemberRole
    added_by: str
    epoch: int


class Roster(msgspec.Struct, frozen=True):
    """All members. `pool`: 128 random bits, made once; `epoch` counts the changes from 1."""

    pool: str
    epoch: int
    members: tuple[Member, ...]

    def find(self, node: str) -> Member | None:
        """The member with this id."""
        return next((member for member in self.members if member.node == node), None)


class SignedRoster(msgspec.Struct, frozen=True):
    """A roster (`body`, msgpack) and the signature of the PC `signer`; see Identity.sign."""

    body: bytes
    signer: str
    signature: bytes


_decoder = msgspec.msgpack.Decoder(Roster)
_encoder = msgspec.msgpack.Encoder()


def read_roster(signed: SignedRoster) -> Roster:
    """What the signed list says; who signed it is not looked at.

    Raises:
        RosterRefused: it does not decode, or no pool can have such members.
    """
    if len(signed.body) > MAX_BODY_BYTES:
        raise RosterRefused(f"it has {len(signed.body):,} bytes, and {MAX_BODY_BYTES:,} are allowed")
    try:
        roster = _decoder.decode(signed.body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RosterRefused(f"it does not decode ({error})") from error
    if not _POOL.fullmatch(roster.pool) or not 1 <= roster.epoch <= _MAX_EPOCH:
        raise RosterRefused("it names no pool and no epoch")
    if not 1 <= len(roster.members) <= MAX_MEMBERS:
        raise RosterRefused(f"it has {len(roster.members)} members, and 1 to {MAX_MEMBERS} are allowed")
    for member in roster.members:
        _check_member(member)
    if len({member.node for member in roster.members}) < len(roster.members):
        raise RosterRefused("it has a member twice")
    if len({subject_of(member.certificate) for member in roster.members}) < len(roster.members):
        raise RosterRefused("two of its members have certificates of the same subject")
    return roster


def found_pool(identity: Identity, name: str) -> SignedRoster:
    """The first list of a new pool: this PC alone, as its admin."""
    founder = _member(identity, identity.certificate, _fit_name(name), role="admin", epoch=1)
    return _sign(Roster(secrets.token_hex(16), 1, (founder,)), identity)


def add_member(
    signed: SignedRoster, identity: Identity, *, certificate: bytes, name: str, role: MemberRole = "admin"
) -> SignedRoster:
    """The next list, with one more PC; one that is a member already gets the name and the role.

    A second admin is the rule, so that no single lost PC locks the pool.

    Raises:
        RosterRefused: this PC may not change the list, or the list cannot have that member.
    """
    roster = read_roster(signed)
    node = node_of(certificate)
    others = tuple(member for member in roster.members if member.node != node)
    free = _free_name(_fit_name(name), {member.name for member in others})
    added = _member(identity, certificate, free, role=role, epoch=roster.epoch + 1)
    return _next(signed, roster, identity, (*others, added))


def remove_member(signed: SignedRoster, identity: Identity, node: NodeId) -> SignedRoster:
    """The next list, without the PC `node`.

    Raises:
        RosterRefused: this PC may not change the list, or `node` is this PC itself or no member.
    """
    roster = read_roster(signed)
    if node == identity.node:
        raise RosterRefused("a PC cannot remove itself", "Remove it from another PC of the pool.")
    if roster.find(node) is None:
        raise RosterRefused(f"there is no member {node[:8]} to remove")
    return _next(signed, roster, identity, tuple(member for member in roster.members if member.node != node))


def accept(current: SignedRoster | None, offered: Sequence[SignedRoster]) -> SignedRoster:
    """The last list of the chain `offered`, each of which must follow from the one before, the first from `current`.

    Without a current list the first one is taken as it is, signed by one of its own admins: whoever hands it over must
    be trusted for another reason.

    Raises:
        RosterRefused: no list follows, or one is not properly signed, of another pool, or not the next epoch.
    """
    if not offered:
        raise RosterRefused("there is none")
    for signed in offered:
        _check_next(signed, current)
        current = signed
    return offered[-1]


def _check_next(signed: SignedRoster, before: SignedRoster | None) -> None:
    """Raise RosterRefused where `signed` does not follow from `before`, or cannot be the first of a chain."""
    roster = read_roster(signed)
    known = read_roster(before) if before is not None else roster
    due = known.epoch + 1 if before is not None else known.epoch
    if roster.pool != known.pool:
        raise RosterRefused("it is of another pool")
    if roster.epoch < due:
        raise RosterRefused(f"it is not newer than the one known here (epoch {roster.epoch}, here {known.epoch})")
    if roster.epoch > due:
        raise RosterRefused(f"its epoch is {roster.epoch}, and {due} was due")
    for members in (known, roster):  # who signs stays: there is always somebody who may change the next one
        signer = members.find(signed.signer)
        if signer is None or signer.role != "admin":
            raise RosterRefused("the PC that signed it is no admin of the pool")
        if len(signed.signature) > _MAX_SIGNATURE_BYTES or not is_signed(
            signed.body, signed.signature, certificate=signer.certificate
        ):
            raise RosterRefused("its signature is wrong")


def _next(signed: SignedRoster, roster: Roster, identity: Identity, members: tuple[Member, ...]) -> SignedRoster:
    made = _sign(Roster(roster.pool, roster.epoch + 1, members), identity)
    return accept(signed, [made])


def _sign(roster: Roster, identity: Identity) -> SignedRoster:
    body = _encoder.encode(roster)
    return SignedRoster(body, identity.node, identity.sign(body))


def _member(identity: Identity, certificate: bytes, name: str, *, role: MemberRole, epoch: int) -> Member:
    return Member(node_of(certificate), certificate, name, role, identity.node, epoch)


def _fit_name(name: str) -> str:
    return shown(name, MAX_NAME).strip() or "PC"


def _free_name(name: str, taken: set[str]) -> str:
    """Names are what people see and type: a second PC of the same name gets a number."""
    candidates = [name, *(f"{name[: MAX_NAME - 5]} ({number})" for number in range(2, len(taken) + 2))]
    return next(candidate for candidate in candidates if candidate not in taken)


def _check_member(member: Member) -> None:
    if len(member.certificate) > MAX_CERTIFICATE_BYTES or node_of(member.certificate) != member.node:
        raise RosterRefused("a member's id is not that of its certificate")
    if not member.name.strip() or member.name != shown(member.name, MAX_NAME):
        raise RosterRefused("a member has a name that cannot be shown")
    try:
        public_key(member.certificate)
    except ValueError as error:
        raise RosterRefused(f"a member has {error}") from error
