"""PCs that are paired before they first start: those of a demo, a measurement or a test, all on this PC."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from idlepool.engine.net.identity import load_identity
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.roster import add_member, found_pool
from idlepool.engine.pool.membership import save_chain


def pair_homes(homes: Mapping[Path, str]) -> None:
    """Make the nodes with these data folders, by their names, one pool with one roster; the keys lie in files there.

    Raises:
        StorageError: a folder cannot be written.
    """
    identities = {home: load_identity(home, FileKeyStore(home)) for home in homes}
    (first, founder), *others = identities.items()
    chain = [found_pool(founder, homes[first])]
    for home, identity in others:
        chain.append(add_member(chain[-1], founder, certificate=identity.certificate, name=homes[home]))
    for home in identities:
        save_chain(home, chain)
