"""`idlepool chat`: a conversation in the terminal, with the node that runs on this PC or one of its own meanwhile.

A model that is not here is looked for on the other PCs of the pool; one that has it answers.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from idlepool.app.answer_options import options_of
from idlepool.app.event_lines import Speaker, next_of
from idlepool.app.launch import node_command
from idlepool.app.node_client import NodeClient
from idlepool.app.running_node import running_node
from idlepool.app.terminal_chat import converse, say
from idlepool.engine.commands import LookAround
from idlepool.engine.errors import PoolError, UnknownModel
from idlepool.engine.events import NodeReady, PeerInfo, PoolChanged
from idlepool.engine.local_events import LookedAround
from idlepool.engine.models.store import ModelStore, default_root
from idlepool.engine.pool.membership import known_members

LOOK_S = 10.0
"""What the other PCs get to come, before a model counts as unknown."""


class NotLent(PoolError):
    """The model is only on PCs that compute for nobody else at the moment."""

    def __init__(self, name: str, where: PeerInfo) -> None:
        why = f" ({where.lends_reason})" if where.lends_reason else ""
        super().__init__(
            f"“{name}” is on {where.name}, which does not lend at the moment{why}.", "Ask again when it does."
        )


def run(arguments: argparse.Namespace) -> int:
    """Converse until the input ends; returns the exit code."""
    options, root, model = options_of(arguments), default_root(), arguments.model
    unknown = _unknown_here(root, model)
    running = running_node(root)
    if unknown is not None and running is None and len(known_members(root)) < 2:
        raise unknown  # nobody else is asked: it is told before anything is started
    with running or NodeClient(node_command()) as node:
        if unknown is not None:
            _find(node, model, unknown=unknown)
        converse(node, model, options)
    return 0


def _unknown_here(root: Path, model: str) -> UnknownModel | None:
    try:
        ModelStore(root).get(model)
    except UnknownModel as error:
        return error
    return None


def _find(node: Speaker, name: str, *, unknown: UnknownModel) -> None:
    """Wait until somebody is there who answers about the model, and tell who.

    Raises:
        NotLent: the only ones who have it do not lend.
        UnknownModel: nobody has it.
    """
    if any(_same(model.name, name) for model in next_of(node, NodeReady).models):
        return  # in a second folder of the node
    say(f"“{name}” is not on this PC. Looking for it on the others …")
    node.send(LookAround(LOOK_S))
    resting: PeerInfo | None = None
    while not isinstance(event := node.next_event(), LookedAround):
        if isinstance(event, PoolChanged):
            having = [peer for peer in event.peers if any(_same(name, model.name) for model in peer.whole)]
            answers = next(
                (peer for peer in having if peer.lends or any(_same(name, one) for one in peer.running)), None
            )
            if answers is not None:
                say(f"It is on {answers.name}.")
                return
            resting = having[0] if having else None
    raise NotLent(name, resting) if resting is not None else unknown


def _same(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()
