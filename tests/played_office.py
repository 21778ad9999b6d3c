"""An office: PCs on one switch, all of one pool, each with a node; the first has the model and heads its pipeline."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from played_network import PlayedNetwork
from played_nodes import PlayedNode, running, until_quiet

from idlepool.engine.models.store import cache_folder, default_root
from idlepool.engine.pool.founding import pair_homes


class PlayedOffice:
    """Its nodes, the head's first."""

    def __init__(self, nodes: Sequence[PlayedNode], *, stages: int) -> None:
        self.nodes = list(nodes)
        self.head = self.nodes[0]
        self._stages = stages

    def named(self, name: str) -> PlayedNode:
        return next(node for node in self.nodes if node.name == name)

    def make_whole(self) -> None:
        """Everybody runs and is here for the head, whose pipeline is ready and has all its stages; a spare PC is warm.

        The head starts anew where PCs are left out by it because their stages failed lately.
        """
        if self.head.stages and len(self.head.stages) < self._stages:
            self.head.close()
        for node in self.nodes:
            if not node.runs:
                node.start()
        self.head.until(lambda: sum(peer.present and peer.lends for peer in self.head.peers) == len(self.nodes))
        if not self.head.stages:
            self.head.answer(self.head.ask("Say hello.", max_tokens=2))
        self.head.until(lambda: len(self.head.stages) == self._stages)
        until_quiet(self.nodes)


def plain_node(_: str, options: Sequence[str]) -> list[str]:
    """The command that runs a node."""
    return [sys.executable, "-m", "idlepool.app", "node", *options]


@contextlib.contextmanager
def played_office(
    root: Path,
    *,
    pcs: int,
    stages: int,
    options: Sequence[str] = (),
    command: Callable[[str, Sequence[str]], list[str]] = plain_node,
) -> Iterator[PlayedOffice]:
    """An office whose pipelines get so many stages, once all its PCs have met; nothing is left of it afterwards.

    `command` makes the one that runs the node of a PC, by its name, with options.
    """
    names = [f"pc-{number}" for number in range(1, pcs + 1)]
    pair_homes({root / name: name for name in names})
    with PlayedNetwork(names) as network:
        nodes = [
            PlayedNode(
                name, network.command(name, command(name, [*node_options(root, name, address, stages), *options]))
            )
            for name, address in network.addresses.items()
        ]
        with running(nodes):
            office = PlayedOffice(nodes, stages=stages)
            for node in nodes:
                node.until_here(pcs)
            yield office


def node_options(root: Path, name: str, address: str, stages: int) -> list[str]:
    """What the node of a played PC is told. The model is the head's, "pc-1": all others fetch it."""
    options = ["--control", "--key-file", "--threads", "1", "--lend", "always", "--stages", str(stages)]
    options += ["--name", name, "--home", str(root / name), "--listen", address]
    options += ["--cache", str(cache_folder(default_root()))]
    return [*options, *(["--library", str(default_root())] if name == "pc-1" else [])]
