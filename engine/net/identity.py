"""Who this PC is: a P-256 key and a self-signed certificate, made once; its id is the certificate's SHA-256."""

from __future__ import annotations

import datetime
import hashlib
import logging
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from idlepool.engine.disk_errors import FileUnreadable
from idlepool.engine.net.key_store import KeyStore, write_for_user
from idlepool.engine.trust_errors import KeyMissing
from idlepool.engine.types import NodeId

_log = logging.getLogger("idlepool.trust")

FILE = "certificate.der"

# Nothing is decided by dates: a PC whose clock lost its battery wakes up in 1970, and 9999 is X.509's "for ever"
# (RFC 5280, section 4.1.2.5).
_VALID_FROM = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_VALID_TO = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
_SIGNATURE = ec.ECDSA(hashes.SHA256())


@dataclass(frozen=True, slots=True)
class Identity:
    """What this PC shows (`certificate`, DER), and the key that proves that it may."""

    certificate: bytes = field(repr=False)
    key: ec.EllipticCurvePrivateKey = field(repr=False)

    @property
    def node(self) -> NodeId:
        """Its id."""
        return node_of(self.certificate)

    def sign(self, data: bytes) -> bytes:
        """The ECDSA signature over the SHA-256 of `data`, DER; see `is_signed`."""
        return self.key.sign(data, _SIGNATURE)


def node_of(certificate: bytes) -> NodeId:
    """The id of the PC that shows this certificate (DER)."""
    return NodeId(hashlib.sha256(certificate).hexdigest())


def is_signed(data: bytes, signature: bytes, *, certificate: bytes) -> bool:
    """Whether the owner of a certificate (DER) signed `data`."""
    try:
        public_key(certificate).verify(signature, data, _SIGNATURE)
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(certificate: bytes) -> ec.EllipticCurvePublicKey:
    """The key in a certificate (DER).

    Raises:
        ValueError: it is no certificate of a P-256 key.
    """
    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except (TypeError, UnsupportedAlgorithm, x509.InvalidVersion) as error:  # the last one is no ValueError
        raise ValueError("no certificate that can be read") from error
    if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP256R1):
        raise ValueError("no certificate of a P-256 key")
    return key


def subject_of(certificate: bytes) -> bytes:
    """The subject in a certificate (DER): OpenSSL finds a pinned certificate by it. Raises ValueError for nonsense."""
    return x509.load_der_x509_certificate(certificate).subject.public_bytes()


def make_identity() -> Identity:
    """A new one, unlike any other.

    Python's `ssl` looks up pinned certificates by subject and key identifier, so each has its own.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"idlepool {secrets.token_hex(16)}")])
    public = key.public_key()
    certificate = (
        x509.CertificateBuilder(name, name, public, x509.random_serial_number())
        .not_valid_before(_VALID_FROM)
        .not_valid_after(_VALID_TO)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Identity(certificate.public_bytes(serialization.Encoding.DER), key)


def load_identity(root: Path, keys: KeyStore, *, unknown: bool = False) -> Identity:
    """The identity of the node whose data folder is `root`; made at the first call. May wait for the user: in a thread.

    `unknown`: no PC can know it yet, so what a first start that broke off left behind is replaced.

    Raises:
        KeyMissing: the certificate is there and its private key is not.
        StorageError: the folder cannot be read (FileUnreadable) or written.
    """
    path = root / FILE
    try:
        certificate = path.read_bytes() if path.exists() else None
    except OSError as error:
        raise FileUnreadable(str(path), error.strerror or str(error)) from error
    if certificate is not None:
        secret = keys.load(node_of(certificate))
        if secret is not None or not unknown:
            return _identity(certificate, secret)
        _log.warning("the first start broke off: it begins again")
    made = make_identity()
    keys.save(made.node, _encode_key(made.key))  # first: a key without its certificate does no harm
    write_for_user(path, made.certificate)
    return made


def _identity(certificate: bytes, secret: bytes | None) -> Identity:
    if secret is None:
        raise KeyMissing("it is not there" if _is_certificate(certificate) else f"{FILE}, which names it, is damaged")
    try:
        key = serialization.load_der_private_key(secret, password=None)
        right = isinstance(key, ec.EllipticCurvePrivateKey) and key.public_key() == public_key(certificate)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyMissing("what is there instead is no key") from error
    if not right:
        raise KeyMissing("it does not fit the certificate")
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return Identity(certificate, key)


def _is_certificate(data: bytes) -> bool:
    try:
        public_key(data)
    except ValueError:
        return False
    return True


def _encode_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
