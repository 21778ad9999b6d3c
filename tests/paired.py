"""PCs that know each other, and some that only seem to, for tests of links: what each proves itself with."""

from __future__ import annotations

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from idlepool.engine.net.identity import Identity, make_identity
from idlepool.engine.net.roster import add_member, found_pool
from idlepool.engine.net.tls import Credentials


def paired(*names: str) -> tuple[Credentials, ...]:
    """One for each name, all of one pool and all admins; their ids rise in the order of the names."""
    identities = sorted((make_identity() for _ in names), key=lambda identity: identity.node)
    (first, founder), *others = zip(names, identities, strict=True)
    chain = [found_pool(founder, first)]
    for name, identity in others:
        chain.append(add_member(chain[-1], founder, certificate=identity.certificate, name=name))
    return tuple(Credentials(identity, chain) for identity in identities)


def stranger_to(known: Credentials, *, identity: Identity | None = None) -> Credentials:
    """A PC that has `known` among its members, of which that one knows nothing."""
    identity = identity or make_identity()
    founded = found_pool(identity, "stranger")
    return Credentials(identity, [add_member(founded, identity, certificate=known.identity.certificate, name="known")])


def twin_of(identity: Identity) -> Identity:
    """Another key, with a certificate that says the same in every field that a certificate is looked up by."""
    real = x509.load_der_x509_certificate(identity.certificate)
    key = ec.generate_private_key(ec.SECP256R1())
    builder = x509.CertificateBuilder(real.issuer, real.subject, key.public_key(), real.serial_number)
    builder = builder.not_valid_before(real.not_valid_before_utc).not_valid_after(real.not_valid_after_utc)
    for extension in real.extensions:
        builder = builder.add_extension(extension.value, critical=extension.critical)
    return Identity(builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER), key)
