"""PCs that know each other, for tests of links: what each proves itself with."""

from __future__ import annotations

from idlepool.engine.net.identity import make_identity
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
