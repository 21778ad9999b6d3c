"""Two PCs and one code: the pure part of pairing, bytes in and bytes out.

The host shows the code, the guest was told it. Both learn each other's node id first, agree on a key by SPAKE2 with
the two ids as identities, and prove to each other that they have the same key before anything else is said: who has
another code, or stands in between with another certificate, has another key and is found out. What follows is sealed.

    host  -> Door                      guest -> Knock
    host  -> Reply                     guest -> Proof      (the guest proves first: a wrong code learns nothing)
    host  -> Proof                     guest -> Sealed(Introduction)
    host  -> Sealed(Admission)         guest -> Sealed(Joined)

Each attempt draws new numbers on both sides, so what was recorded of an earlier one proves nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated, Final, Literal

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B, SPAKEError
from spake2.ed25519_basic import NotOnCurve

from idlepool.engine.net.pairing_words import words_of
from idlepool.engine.net.roster import SignedRoster
from idlepool.engine.pairing_errors import PairingBroken
from idlepool.engine.types import NodeId

PAIRING_VERSION: Final = 1
"""Raised with every change that an older PC would misread."""

_ELEMENT_BYTES: Final = 33
_MAC_BYTES: Final = 32
_KEY_BYTES: Final = 32
_WORDS: Final = 4
_NONCE_BYTES: Final = 12

_Node = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Element = Annotated[bytes, msgspec.Meta(min_length=_ELEMENT_BYTES, max_length=_ELEMENT_BYTES)]
_Mac = Annotated[bytes, msgspec.Meta(min_length=_MAC_BYTES, max_length=_MAC_BYTES)]

# --- what crosses in the open ----------------------------------------------------------------------------------------


class Door(msgspec.Struct, frozen=True, tag="door"):
    """The host's first word: who it is."""

    node: _Node
    version: int = PAIRING_VERSION


class Knock(msgspec.Struct, frozen=True, tag="knock"):
    """The guest's answer: who it is, and its element of the key agreement."""

    node: _Node
    element: _Element
    version: int = PAIRING_VERSION


class Reply(msgspec.Struct, frozen=True, tag="reply"):
    """The host's element."""

    element: _Element


class Proof(msgspec.Struct, frozen=True, tag="proof"):
    """That the sender has the key: an HMAC over both ids and elements."""

    mac: _Mac


class Sealed(msgspec.Struct, frozen=True, tag="sealed"):
    """What only the other end of this attempt can read."""

    data: bytes


class Declined(msgspec.Struct, frozen=True, tag="declined"):
    """The host goes no further. `left`: tries that the code stands yet."""

    reason: Literal["busy", "wrong", "over", "version", "oneself"]
    left: int = 0
    version: int = PAIRING_VERSION


Message = Door | Knock | Reply | Proof | Sealed | Declined

# --- what crosses sealed ---------------------------------------------------------------------------------------------

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
_Port = Annotated[int, msgspec.Meta(ge=0, lt=2**16)]


class Introduction(msgspec.Struct, frozen=True, tag="introduction"):
    """Who the guest is. Its certificate's SHA-256 is the id it knocked with; that it has the key to it shows whenever a
    link is opened."""

    name: _Name
    certificate: bytes
    port: _Port = 0
    """Where its node listens; 0: it does not run."""


class Admission(msgspec.Struct, frozen=True, tag="admission"):
    """The guest is a member of the host's pool."""

    rosters: tuple[SignedRoster, ...]
    """The pool's members and how they came to be, oldest first: others may lack some that the guest can give them."""
    port: _Port = 0
    """Where the host's node listens; 0: it does not run."""


class Unwelcome(msgspec.Struct, frozen=True, tag="unwelcome"):
    """The host cannot take the guest in, for a reason that its user may know."""

    sentence: Annotated[str, msgspec.Meta(max_length=1024)]


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """The guest has kept the roster."""


Content = Introduction | Admission | Unwelcome | Joined

_messages = msgspec.msgpack.Decoder(Message)
_contents = msgspec.msgpack.Decoder(Content)


def encode(message: Message | Content) -> bytes:
    """The bytes of a message, or of what is sealed into one."""
    return msgspec.msgpack.encode(message)


def decode(data: bytes) -> Message:
    """The message in `data`.

    Raises:
        PairingBroken: it is none.
    """
    try:
        return _messages.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise PairingBroken("it sent what is no message of a pairing") from error


# --- the key agreement -----------------------------------------------------------------------------------------------


class Agreement:
    """One side of the key agreement of one attempt; `element` is for the other side."""

    def __init__(self, code: str, *, host: NodeId, guest: NodeId, showing: bool) -> None:
        """`showing`: whether this side is the host."""
        self._showing = showing
        self._identities = bytes.fromhex(guest), bytes.fromhex(host)
        side = SPAKE2_B if showing else SPAKE2_A
        self._spake = side(code.encode("ascii"), idA=self._identities[0], idB=self._identities[1])
        self.element: bytes = self._spake.start()

    def agree(self, element: bytes) -> Session:
        """What follows from the other side's element. Once only.

        Raises:
            PairingBroken: it is no element.
        """
        try:
            key: bytes = self._spake.finish(element)
        except (SPAKEError, NotOnCurve, ValueError) as error:
            raise PairingBroken("it sent what is no key") from error
        elements = (element, self.element) if self._showing else (self.element, element)
        return Session(key, b"".join((*self._identities, *elements)), showing=self._showing)


class Session:
    """What both sides have once they agreed on a key; whether it is the same one, `check` tells."""

    def __init__(self, key: bytes, transcript: bytes, *, showing: bool) -> None:
        sizes = (_KEY_BYTES, _KEY_BYTES, _KEY_BYTES, _KEY_BYTES, _WORDS)
        info = b"idlepool pairing %d" % PAIRING_VERSION
        material = HKDF(SHA256(), sum(sizes), hashlib.sha256(transcript).digest(), info).derive(key)
        guest_proof, host_proof, guest_key, host_key, words = _split(material, sizes)
        own, other = (host_proof, guest_proof) if showing else (guest_proof, host_proof)
        self.proof = hmac.digest(own, transcript, "sha256")
        self._expected = hmac.digest(other, transcript, "sha256")
        self._outgoing, self._incoming = (
            _Sealer(key) for key in ((host_key, guest_key) if showing else (guest_key, host_key))
        )
        self.words = words_of(words)
        """The same four on both screens."""

    def check(self, proof: bytes) -> bool:
        """Whether the other side has the same key."""
        return hmac.compare_digest(proof, self._expected)

    def seal(self, content: Content) -> Sealed:
        """Lock up what only the other side may read."""
        return Sealed(self._outgoing.seal(encode(content)))

    def unseal(self, sealed: Sealed) -> Content:
        """What the other side sealed; in the order in which it did.

        Raises:
            PairingBroken: it was changed, or is not the next one.
        """
        try:
            return _contents.decode(self._incoming.open(sealed.data))
        except (InvalidTag, msgspec.DecodeError, RecursionError) as error:
            raise PairingBroken("what it sent was changed on the way") from error


class _Sealer:
    """AES-GCM in one direction; the nonce counts the messages, and each attempt has a key of its own."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        self._count = 0

    def seal(self, plain: bytes) -> bytes:
        return self._cipher.encrypt(self._nonce(), plain, None)

    def open(self, sealed: bytes) -> bytes:
        return self._cipher.decrypt(self._nonce(), sealed, None)

    def _nonce(self) -> bytes:
        self._count += 1
        return self._count.to_bytes(_NONCE_BYTES, "big")


def _split(material: bytes, sizes: tuple[int, ...]) -> list[bytes]:
    pieces = []
    for size in sizes:
        pieces.append(material[:size])
        material = material[size:]
    return pieces
