"""The pool of this PC for commands that take a node's place for a moment: its data folder, its key, where it looks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from idlepool.app.terminal_chat import say
from idlepool.engine.errors import LinkError
from idlepool.engine.models.store import default_root
from idlepool.engine.net.addresses import parse_address
from idlepool.engine.net.key_store import FileKeyStore, SystemKeyStore
from idlepool.engine.net.sockets import everywhere
from idlepool.engine.pool.folder_lock import folder_lock
from idlepool.engine.pool.link_test import LinkFigures
from idlepool.engine.pool.membership import Membership, load_membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.visitor import Visitor
from idlepool.engine.types import NodeId

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def data_folder(arguments: argparse.Namespace) -> Path:
    """The folder that was typed, or the platform's."""
    root: Path = arguments.home or default_root()
    return root.absolute()


@contextmanager
def own_pool(arguments: argparse.Namespace, *, key_file: bool = False) -> Iterator[tuple[Path, Membership]]:
    """The data folder, taken for as long as the block runs, and the membership in it. `key_file`: the key is in a file.

    Raises:
        AlreadyRunning: another Idlepool uses the folder.
    """
    root = data_folder(arguments)
    with folder_lock(root):
        keys = FileKeyStore(root) if key_file else SystemKeyStore(root)
        membership = load_membership(root, arguments.name, keys)
        if keys.notice and not key_file:  # nobody has to be told what he asked for
            say(keys.notice)
        yield root, membership


def interfaces_for(listens: str | None) -> tuple[str, ...] | None:
    """Where others are looked for by a PC that listens there: on this PC alone, or (None) everywhere."""
    return ("127.0.0.1",) if listens in LOOPBACK else None


def visitor_settings(arguments: argparse.Namespace, root: Path) -> NodeSettings:
    """For a Visitor, from the options of a command that only looks."""
    return NodeSettings(
        arguments.name,
        root,
        host=arguments.listen or everywhere(),
        peers=tuple(map(parse_address, arguments.peer)),
        interfaces=interfaces_for(arguments.listen),
    )


async def measured(visitor: Visitor, node: NodeId) -> LinkFigures | None:
    """See Visitor.measure; that it does not work is told."""
    try:
        return await visitor.measure(node)
    except LinkError as error:
        say(str(error))
        return None
