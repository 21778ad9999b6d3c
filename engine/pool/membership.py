"""This PC's place in a pool: its identity and the chain of rosters, kept in its data folder.

Everything but `load_membership` is for the event loop: a change costs a signature and one small file.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from idlepool.engine.disk_errors import FileUnreadable
from idlepool.engine.models.files import replace_file
from idlepool.engine.net.identity import Identity, load_identity
from idlepool.engine.net.key_store import KeyStore
from idlepool.engine.net.roster import (
    Member,
    MemberRole,
    Roster,
    SignedRoster,
    accept,
    add_member,
    found_pool,
    read_roster,
    remove_member,
)
from idlepool.engine.net.roster_branches import Merge, merge
from idlepool.engine.net.tls import Credentials
from idlepool.engine.trust_errors import RosterRefused
from idlepool.engine.types import NodeId

FILE = "roster.bin"

MAX_CHAIN = 64
"""Rosters that are kept: a PC that missed more changes than that has to be paired again."""

_log = logging.getLogger("idlepool.trust")
_decoder = msgspec.msgpack.Decoder(tuple[SignedRoster, ...])
_encoder = msgspec.msgpack.Encoder()


class Membership:
    """The pool as this PC knows it, and the credentials that its links go by."""

    def __init__(self, root: Path, identity: Identity, chain: Sequence[SignedRoster]) -> None:
        self.credentials = Credentials(identity, chain)
        self.removed_by = ""
        """Who made this PC leave its pool, since it started; empty: nobody."""
        self._root = root
        self._listeners: list[Callable[[], None]] = []

    @property
    def identity(self) -> Identity:
        """Who this PC is."""
        return self.credentials.identity

    @property
    def chain(self) -> tuple[SignedRoster, ...]:
        """The pool's rosters, oldest first; the last one is in force."""
        return self.credentials.chain

    @property
    def roster(self) -> Roster:
        """The one in force."""
        return self.credentials.roster

    @property
    def node(self) -> NodeId:
        """The id of this PC."""
        return self.identity.node

    @property
    def own_name(self) -> str:
        """What the members call this PC."""
        return self.name_of(self.node)

    def is_member(self, node: str) -> bool:
        """Whether a PC belongs to the pool."""
        return self.roster.find(node) is not None

    def name_of(self, node: str) -> str:
        """The name of a member; a short id for anybody else."""
        member = self.roster.find(node)
        return member.name if member else node[:8]

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever another roster is in force."""
        self._listeners.append(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        """Call it no more."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def offer(self, chain: Sequence[SignedRoster]) -> bool:
        """Take over the news of another member; returns whether there was any.

        A roster without this PC is taken over too: it was removed, and is the only PC of a new pool then. Where this PC
        knows changes that were made apart from the news, it makes them anew (roster_branches.py).

        Raises:
            RosterRefused: they do not follow from a roster known here.
            StorageError: they cannot be kept.
        """
        news = [signed for signed in chain if signed not in self.chain]
        merged = merge(self.chain, news) if news else None
        if merged is None or merged.chain == self.chain:
            return False
        last = merged.chain[-1]
        if read_roster(last).find(self.node) is not None:
            self._put(self._with_changes(merged))
            return True
        if any(member.node == self.node for member in merged.added):
            return False  # those who made it do not know yet of this PC, and will
        self.removed_by = self.name_of(last.signer)
        _log.warning("this PC was removed from the pool by %s", self.removed_by)
        self.leave()
        return True

    def join(self, chain: Sequence[SignedRoster]) -> None:
        """Become a member of another pool, whose rosters came from a PC that proved itself by a pairing code.

        Raises:
            RosterRefused: they are no chain, or end without this PC.
            StorageError: they cannot be kept.
        """
        if read_roster(accept(None, chain)).find(self.node) is None:
            raise RosterRefused("this PC is not in it")
        self._put(tuple(chain))

    def add(self, certificate: bytes, name: str, role: MemberRole = "admin") -> None:
        """Make a PC a member. Raises RosterRefused where this PC is no admin, StorageError as for `offer`."""
        last = add_member(self.chain[-1], self.identity, certificate=certificate, name=name, role=role)
        self._put((*self.chain, last))

    def rename(self, name: str) -> None:
        """Be called so in the pool; where another member has the name, it gets a number. Raises as `add` does."""
        own = self.roster.find(self.node)
        if own is not None and own.name != name:
            self.add(self.identity.certificate, name, own.role)

    def remove(self, node: NodeId) -> None:
        """Make somebody no member any more. Raises RosterRefused where that cannot be, StorageError as for `offer`."""
        self._put((*self.chain, remove_member(self.chain[-1], self.identity, node)))

    def leave(self) -> None:
        """Be the only PC of a new pool; the others list this one until they remove it. Raises StorageError."""
        self._put((found_pool(self.identity, self.own_name),))

    def _with_changes(self, merged: Merge) -> tuple[SignedRoster, ...]:
        chain = merged.chain
        try:
            for member in merged.added:
                made = add_member(
                    chain[-1], self.identity, certificate=member.certificate, name=member.name, role=member.role
                )
                chain = (*chain, made)
            for node in merged.removed:
                chain = (*chain, remove_member(chain[-1], self.identity, NodeId(node)))
        except RosterRefused as error:
            _log.info("changes that were made apart are left to another PC: %s", error)
        return chain

    def _put(self, chain: tuple[SignedRoster, ...]) -> None:
        kept = chain[-MAX_CHAIN:]
        save_chain(self._root, kept)
        self.credentials.update(kept)
        for listener in list(self._listeners):
            listener()


def save_chain(root: Path, chain: Sequence[SignedRoster]) -> None:
    """Keep the rosters of the node whose data folder is `root`. Raises StorageError."""
    replace_file(root / FILE, _encoder.encode(tuple(chain)))


def known_members(root: Path) -> tuple[Member, ...]:
    """Who belongs to the pool of the node whose data folder is `root`; nobody before its first start.

    Raises:
        RosterRefused: the file with the rosters is damaged.
        StorageError: it cannot be read.
    """
    chain = _read(root / FILE)
    return read_roster(chain[-1]).members if chain else ()


def load_membership(root: Path, name: str, keys: KeyStore) -> Membership:
    """The membership of the node whose data folder is `root`; a first start founds a pool of this PC, called `name`.

    For a thread: the key store may wait for the user.

    Raises:
        KeyMissing, StorageError: see load_identity.
        RosterRefused: the file with the rosters is damaged.
    """
    identity = load_identity(root, keys, unknown=not (root / FILE).exists())
    chain = _read(root / FILE)
    if not chain or read_roster(chain[-1]).find(identity.node) is None:  # the first start, or a new certificate
        chain = (found_pool(identity, name),)
        save_chain(root, chain)
    membership = Membership(root, identity, chain)
    if len(membership.roster.members) == 1 and membership.own_name != name:
        membership.add(identity.certificate, name)  # with others in the pool it keeps the name they know
    return membership


def _read(path: Path) -> tuple[SignedRoster, ...]:
    hint = f"Remove {path} and pair this PC again."
    try:
        chain = _decoder.decode(path.read_bytes()) if path.exists() else ()
        if chain:
            accept(None, chain)
    except (msgspec.DecodeError, RosterRefused) as error:
        raise RosterRefused(f"{path.name} is damaged", hint) from error
    except OSError as error:
        raise FileUnreadable(str(path), error.strerror or str(error)) from error
    return chain
