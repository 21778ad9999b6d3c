"""Mutual TLS 1.3 between members of a pool: their certificates are pinned, each side knows who the other one is.

`ssl` has no hook for checking a certificate, so the members' certificates are its only trust anchors, and who is really
there is told afterwards by the SHA-256 of what was shown. Anchors cannot be taken away from a context: a PC that was
removed still gets a connection, and on it the sentence that says so, but nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import ssl
import tempfile
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from cryptography.hazmat.primitives import serialization

from idlepool.engine.net.identity import Identity, node_of
from idlepool.engine.net.roster import Member, Roster, SignedRoster, read_roster
from idlepool.engine.net.roster_branches import roster_id
from idlepool.engine.trust_errors import NotPaired, RemovedFromPool
from idlepool.engine.types import NodeId

NEWS_BYTES = 512 * 2**10
"""Of rosters in one message; as base64 two thirds of what a link takes."""

_log = logging.getLogger("idlepool.trust")


class Credentials:
    """What this PC proves itself with, and whom it knows: one for all links of a node, current at any time.

    `chain` are the pool's rosters, oldest first, the last one in force. Making one reads and writes a file.
    """

    def __init__(self, identity: Identity, chain: Sequence[SignedRoster]) -> None:
        self.identity = identity
        self.server_context = _context(ssl.PROTOCOL_TLS_SERVER)
        self.client_context = _context(ssl.PROTOCOL_TLS_CLIENT)
        # A resumed session would skip the check that comes with a handshake.
        self.server_context.num_tickets = 0
        _load_key(identity, self.server_context, self.client_context)
        self._anchors: set[str] = set()
        self.update(chain)

    def update(self, chain: Sequence[SignedRoster]) -> None:
        """Other rosters are in force: connections made from now on go by them."""
        self.chain = tuple(chain)
        rosters = [read_roster(signed) for signed in chain]
        self.roster: Roster = rosters[-1]
        self._known = {member.node: member for roster in rosters for member in roster.members}
        for member in self._known.values():
            if member.node not in self._anchors:
                self._trust(member)

    @property
    def own(self) -> Member:
        """This PC as the others see it."""
        return self.member(self.identity.node)

    def member(self, node: str) -> Member:
        """The member with this id.

        Raises:
            RemovedFromPool: it was one.
            NotPaired: it is none.
        """
        member = self.roster.find(node)
        if member is not None:
            return member
        if node in self._known:
            raise RemovedFromPool(self._known[node].name)
        raise NotPaired(f"The PC {node[:8]}")

    def since(self, epoch: int, roster: str = "") -> tuple[SignedRoster, ...]:
        """What somebody lacks who knows the roster of `epoch`. Where it knows another `roster` of that epoch than this
        PC, or a later one, that is all, or as much as fits into a message."""
        newer = self.roster.epoch - epoch
        known = self.chain[-newer - 1] if 0 <= newer < len(self.chain) else None
        if roster and (known is None or roster_id(known) != roster):
            sizes = accumulate(len(signed.body) for signed in reversed(self.chain))
            return self.chain[-sum(size <= NEWS_BYTES for size in sizes) :]
        return self.chain[-newer:] if newer > 0 else ()

    def farewell(self, node: str, epoch: int, roster: str = "") -> tuple[SignedRoster, ...]:
        """What shows a former member who knows the roster of `epoch` that it was removed, and nothing later."""
        news = self.since(epoch, roster)
        last = max((i for i, signed in enumerate(news) if read_roster(signed).find(node) is not None), default=-1)
        return news[: last + 2]

    def _trust(self, member: Member) -> None:
        try:
            for context in (self.server_context, self.client_context):
                context.load_verify_locations(cadata=member.certificate)
        except ssl.SSLError as error:
            _log.warning("the certificate of %s cannot be used: %s", member.name, error)
        self._anchors.add(member.node)


class WasRemoved(RemovedFromPool):
    """This PC was removed from its pool, as the PC called `by` says; `rosters` show whether that is true."""

    def __init__(self, by: str, rosters: tuple[SignedRoster, ...]) -> None:
        self.by, self.rosters = by, rosters
        super().__init__("This PC")


def peer_of(transport: asyncio.BaseTransport) -> NodeId:
    """The id of the PC at the other end of a TLS connection made with Credentials."""
    certificate = transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return node_of(certificate)


def _context(side: int) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.check_hostname = False  # who is there is told by the certificate itself, not by a name in it
    context.verify_mode = ssl.CERT_REQUIRED
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def _load_key(identity: Identity, *contexts: ssl.SSLContext) -> None:
    """`ssl` reads keys from files only: this one is of use to nobody, its password never leaves the process."""
    password = secrets.token_hex(32)
    key = identity.key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password.encode("ascii")),
    )
    with tempfile.TemporaryDirectory(prefix="idlepool-") as folder:
        path = Path(folder) / "identity.pem"
        path.write_bytes(key + ssl.DER_cert_to_PEM_cert(identity.certificate).encode("ascii"))
        for context in contexts:
            context.load_cert_chain(path, password=password)
