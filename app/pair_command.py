"""`idlepool pair`: show a code, type one, remove a PC from the pool, or leave it; for PCs without a window."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from idlepool.app.own_pool import interfaces_for, own_pool
from idlepool.app.signals import INTERRUPTED, end_on_signal
from idlepool.app.terminal_chat import say, write
from idlepool.engine.net.pairing_code import read_code
from idlepool.engine.pairing_errors import PairingError
from idlepool.engine.pairing_events import PairingDone, PairingEvent, PairingFailed, PairingOpen, PairingWrong
from idlepool.engine.pool.folder_lock import AlreadyRunning
from idlepool.engine.pool.known_addresses import KnownAddresses
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.pairing_service import PairingService, PairingSettings
from idlepool.engine.types import Address, NodeId


def run(arguments: argparse.Namespace) -> int:
    """Do it and return the exit code."""
    if arguments.address and arguments.code is None:
        raise PairingError("--address needs the code as well.", "It is shown on the PC at that address.")
    if arguments.code is not None:
        read_code(arguments.code)
    try:
        with own_pool(arguments, key_file=arguments.key_file) as (root, membership):
            return _run(arguments, root, membership)
    except AlreadyRunning as error:
        raise PairingError(
            error.sentence, "Pair in its window (its tray icon's menu: Pair PCs …), or end it and try again."
        ) from error


def _run(arguments: argparse.Namespace, root: Path, membership: Membership) -> int:
    if arguments.remove is not None:
        name = _remove(membership, arguments.remove)
        say(f"{name} is no member of the pool any more. The other PCs hear of it when Idlepool runs here.")
    elif arguments.leave:
        membership.leave()
        say("This PC is in no pool with others any more. They list it until it is removed on one of them.")
    else:
        return asyncio.run(_pair(arguments, root, membership))
    return 0


async def _pair(arguments: argparse.Namespace, root: Path, membership: Membership) -> int:
    return await _Pairing(arguments, root, membership).run()


def _remove(membership: Membership, asked: str) -> str:
    """Remove the member of that name, or whose id begins so; returns its name."""
    members = [member for member in membership.roster.members if member.node != membership.node]
    found = [member for member in members if member.name == asked] or [
        member for member in members if len(asked) >= 4 and member.node.startswith(asked)
    ]
    if len(found) != 1:
        here = ", ".join(member.name for member in members) or "none"
        problem = (
            f"The ids of several PCs begin with “{asked}”." if found else f"No PC called “{asked}” is paired here."
        )
        raise PairingError(problem, f"Paired are: {here}.")
    membership.remove(NodeId(found[0].node))
    return found[0].name


class _Pairing:
    """One pairing, told on the terminal: the code and the words on standard output, the rest beside it."""

    def __init__(self, arguments: argparse.Namespace, root: Path, membership: Membership) -> None:
        self._arguments = arguments
        self._root = root
        self._reached: tuple[NodeId, Address] | None = None
        self._end: asyncio.Future[PairingDone | PairingFailed | None] = asyncio.get_running_loop().create_future()
        listens = arguments.listen
        interfaces = interfaces_for(listens)
        settings = PairingSettings(arguments.name, listens, port=arguments.port, interfaces=interfaces)
        self._service = PairingService(membership, settings, self._on_event, on_paired=self._on_paired)

    async def run(self) -> int:
        stop = asyncio.Event()
        end_on_signal(stop)
        if self._arguments.code is None:
            self._service.open()
        else:
            say("Looking for the PC that shows this code …")
            self._service.enter(self._arguments.code, self._arguments.address or "")
        interruption = asyncio.create_task(self._end_on(stop))
        try:
            return await self._tell(await self._end)
        finally:
            interruption.cancel()
            await self._service.stop()

    async def _end_on(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._finish(None)

    async def _tell(self, end: PairingDone | PairingFailed | None) -> int:
        match end:
            case None:
                return INTERRUPTED
            case PairingFailed(sentence=sentence, hint=hint):
                raise PairingError(sentence, hint)
            case PairingDone(name=name, words=words):
                await self._remember()
                say(f"Paired with {name}. Its screen shows the same words:")
                write(f"{' '.join(words)}\n")
        return 0

    async def _remember(self) -> None:
        """Keep where the other PC is, so that it is found even where the network keeps PCs from finding each other."""
        if self._reached is None:
            return
        known = KnownAddresses(self._root)
        await known.load()
        await known.remember(*self._reached)

    def _on_paired(self, node: NodeId, address: Address) -> None:
        self._reached = node, address

    def _on_event(self, event: PairingEvent) -> None:
        match event:
            case PairingOpen():
                self._show(event)
            case PairingWrong(left=left):
                say(f"Somebody typed another code; {left} more tries are allowed.")
            case PairingDone() | PairingFailed():
                self._finish(event)

    def _finish(self, end: PairingDone | PairingFailed | None) -> None:
        if not self._end.done():
            self._end.set_result(end)

    def _show(self, opened: PairingOpen) -> None:
        say(f"Type this code on the other PC within {opened.seconds / 60:g} minutes:")
        write(f"{opened.code}\n")
        say(f"There: idlepool pair {opened.code}, or in its window: Pair PCs …")
        when = f"This PC cannot be found by itself ({opened.problem}):" if opened.problem else "If it finds nobody,"
        say(f"{when} add --address {opened.addresses[0]}")
