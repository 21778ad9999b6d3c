"""Several real nodes in one event loop: each has a data folder of its own and real stage processes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from idlepool.engine.decode.request import Answer, Request, Token
from idlepool.engine.events import Event, PoolChanged
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.identity import load_identity, make_identity
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.messages import Hello, Role
from idlepool.engine.net.roster import add_member, found_pool, read_roster
from idlepool.engine.net.tls import Credentials
from idlepool.engine.pool.membership import Membership, load_membership, save_chain
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.pipeline import Pipeline
from idlepool.engine.types import Address, ElementType, NodeId, Sampling

Found = TypeVar("Found")

MODEL = "tiny"
PATIENCE_S = 30.0
"""For what takes a second on an idle machine."""


class PlayedPool:
    """PCs that find one another and nobody else; closed at the end of the `async with` block."""

    def __init__(self, root: Path, *, cache: Path) -> None:
        """Each PC that is started is paired already. `root` gets a folder for each.

        `cache` keeps what was found out about this PC's devices.
        """
        self._founder = make_identity()
        self._chain = [found_pool(self._founder, "founder")]
        self.nodes: dict[str, Node] = {}
        self._root = root
        self._cache = cache
        self._cache = root.parent / "cache"  # one for all tests: what is known of this PC need not be found out anew
        self._events: dict[str, list[Event]] = {}

    async def __aenter__(self) -> PlayedPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(node.close() for node in self.nodes.values()))

    def home(self, name: str) -> Path:
        return self._root / name

    async def start(self, name: str, *, model: Path | None = None, **settings: Any) -> Node:
        """Start a node; the model in folder `model`, if any, is among its models."""
        if model is not None:
            ModelStore(self.home(name)).add_folder(model, name=MODEL)
        events = self._events.setdefault(name, [])
        defaults = {"name": name, "root": self.home(name), "threads": 1, "cache": self._cache}
        membership = self._pair(name)
        node = self.nodes[name] = Node(NodeSettings(**(defaults | settings)), membership, emit=events.append)
        await node.start()
        return node

    def _pair(self, name: str) -> Membership:
        """The membership of a PC, which all others that run hear of."""
        keys = FileKeyStore(self.home(name))
        identity = load_identity(self.home(name), keys)
        if read_roster(self._chain[-1]).find(identity.node) is None:
            self._chain.append(add_member(self._chain[-1], self._founder, certificate=identity.certificate, name=name))
        save_chain(self.home(name), self._chain)
        for node in self.nodes.values():
            node.membership.offer(self._chain)
        return load_membership(self.home(name), name, keys)

    @property
    def visitor(self) -> NodeId:
        """A member that is no node."""
        return self._founder.node

    async def visit(self, name: str, role: Role, session: int = 0) -> Link:
        """A link of the visitor, who can say on it what it likes."""
        address = Address("127.0.0.1", self.nodes[name].port)
        return await dial(address, Hello(role, session=session), credentials=Credentials(self._founder, self._chain))

    async def leave(self, name: str) -> None:
        """Close a node in order."""
        await self.nodes.pop(name).close()

    async def open(self, head: Node, *, stages: int | None) -> Pipeline:
        """The ready pipeline of `head`."""
        async with asyncio.timeout(PATIENCE_S):
            pipeline = await head.pipelines.open(head.models.named(MODEL), stages=stages)
            await pipeline.wait_ready()
        return pipeline

    def seen(self, name: str, kind: type[Any]) -> list[Any]:
        """Events of one kind that a node gave out."""
        return [event for event in self._events[name] if isinstance(event, kind)]

    def forget_events(self, name: str) -> None:
        """See only what comes from now on."""
        self._events[name].clear()

    def names_seen(self, name: str) -> list[str]:
        """PCs that a node says are here."""
        changes = self.seen(name, PoolChanged)
        return sorted(peer.name for peer in changes[-1].peers if peer.present) if changes else []


def asked(
    conversation: str, prompt: Sequence[int], *, count: int = 1000, sampling: Sampling, reproducible: bool = False
) -> Request:
    """A request without an end id."""
    return Request(conversation, tuple(prompt), sampling, frozenset(), count, reproducible)


async def ids_of(answer: Answer) -> AsyncGenerator[int]:
    """The ids of an answer, one by one."""
    async with contextlib.aclosing(answer):
        async for item in answer:
            if isinstance(item, Token):
                yield item.id


async def answer(
    pipeline: Pipeline, conversation: str, prompt: Sequence[int], *, count: int, sampling: Sampling
) -> list[int]:
    """The first `count` ids that follow `prompt`."""
    return [
        token async for token in ids_of(pipeline.generate(asked(conversation, prompt, count=count, sampling=sampling)))
    ]


async def until(condition: Callable[[], Found]) -> Found:
    """Wait for what comes about by itself, and return it."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := condition()):  # noqa: ASYNC110 - whatever is waited for has no event of its own
            await asyncio.sleep(0.02)
    return found


async def knows_only_f32(old: Node, head: Node, *, pcs: int) -> None:
    """Let the last PC by name be one that makes all compute in f32."""
    await until(lambda: old.devices)
    old._this.devices = tuple(msgspec.structs.replace(device, precision=ElementType.F32) for device in old.devices)
    await until(lambda: len(head.present()) == pcs)
    await old._peers.tell_status()
    await until(lambda: head.present()[-1].device.precision is ElementType.F32)
