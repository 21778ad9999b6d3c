"""`idlepool pair`: show a code, type one, remove a PC from the pool, or leave it; for PCs without a window.

Where a node runs on this PC already, it is asked to; otherwise this command does it in the node's place.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from idlepool.app.event_lines import Speaker, next_of
from idlepool.app.own_pool import data_folder, interfaces_for, own_pool
from idlepool.app.running_node import running_node
from idlepool.app.signals import INTERRUPTED, end_on_signal
from idlepool.app.terminal_chat import say, write
from idlepool.engine.commands import EnterCode, LeavePool, OpenPairing, RemoveMember
from idlepool.engine.events import Event
from idlepool.engine.net.pairing_code import read_code
from idlepool.engine.net.roster import Member
from idlepool.engine.pairing_errors import PairingError
from idlepool.engine.pairing_events import (
    MemberInfo,
    MembersChanged,
    PairingDone,
    PairingEvent,
    PairingFailed,
    PairingOpen,
    PairingWrong,
)
from idlepool.engine.pool.folder_lock import AlreadyRunning
from idlepool.engine.pool.known_addresses import KnownAddresses
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.pairing_service import PairingService, PairingSettings
from idlepool.engine.types import Address, NodeId

LOOKING = "Looking for the PC that shows this code …"
LEFT = "This PC is in no pool with others any more. They list it until it is removed on one of them."


def run(arguments: argparse.Namespace) -> int:
    """Do it and return the exit code."""
    if arguments.address and arguments.code is None:
        raise PairingError("--address needs the code as well.", "It is shown on the PC at that address.")
    if arguments.code is not None:
        read_code(arguments.code)
    node = running_node(data_folder(arguments))
    if node is not None:
        with node:
            return _run_by_node(arguments, node)
    try:
        with own_pool(arguments, key_file=arguments.key_file) as (root, membership):
            return _run(arguments, root, membership)
    except AlreadyRunning as error:
        raise PairingError(error.sentence, "Wait until it is done, or end it, and try again.") from error


def _run_by_node(arguments: argparse.Namespace, node: Speaker) -> int:
    members = next_of(node, MembersChanged).members
    if arguments.remove is not None:
        member = _found([member for member in members if not member.here], arguments.remove)
        node.send(RemoveMember(member.node))
        while any(one.node == member.node for one in _changed_members(node)):
            pass
        say(f"{member.name} is no member of the pool any more. The other PCs hear of it now, or when they are back.")
    elif arguments.leave:
        node.send(LeavePool())
        _changed_members(node)
        say(LEFT)
    else:
        if arguments.code is None:
            node.send(OpenPairing())
        else:
            say(LOOKING)
            node.send(EnterCode(arguments.code, arguments.address or ""))
        while not isinstance(event := node.next_event(), PairingDone | PairingFailed):
            _tell(event)
        _tell_end(event)
    return 0


def _changed_members(node: Speaker) -> Sequence[MemberInfo]:
    """Who belongs to the pool after a change that was asked for. Raises PairingError where there is none."""
    while not isinstance(event := node.next_event(), MembersChanged):
        if isinstance(event, PairingFailed):
            raise PairingError(event.sentence, event.hint)
    return event.members


def _run(arguments: argparse.Namespace, root: Path, membership: Membership) -> int:
    if arguments.remove is not None:
        member = _found([one for one in membership.roster.members if one.node != membership.node], arguments.remove)
        membership.remove(NodeId(member.node))
        say(f"{member.name} is no member of the pool any more. The other PCs hear of it when Idlepool runs here.")
    elif arguments.leave:
        membership.leave()
        say(LEFT)
    else:
        return asyncio.run(_pair(arguments, root, membership))
    return 0


async def _pair(arguments: argparse.Namespace, root: Path, membership: Membership) -> int:
    return await _Pairing(arguments, root, membership).run()


def _found(others: Sequence[Member | MemberInfo], asked: str) -> Member | MemberInfo:
    """The one of that name, or whose id begins so."""
    found = [member for member in others if member.name == asked] or [
        member for member in others if len(asked) >= 4 and member.node.startswith(asked)
    ]
    if len(found) != 1:
        here = ", ".join(member.name for member in others) or "none"
        problem = (
            f"The ids of several PCs begin with “{asked}”." if found else f"No PC called “{asked}” is paired here."
        )
        raise PairingError(problem, f"Paired are: {here}.")
    return found[0]


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
            say(LOOKING)
            self._service.enter(self._arguments.code, self._arguments.address or "")
        interruption = asyncio.create_task(self._end_on(stop))
        try:
            end = await self._end
            if end is None:
                return INTERRUPTED
            if isinstance(end, PairingDone):
                await self._remember()
            _tell_end(end)
            return 0
        finally:
            interruption.cancel()
            await self._service.stop()

    async def _end_on(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._finish(None)

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
        if isinstance(event, PairingDone | PairingFailed):
            self._finish(event)
        else:
            _tell(event)

    def _finish(self, end: PairingDone | PairingFailed | None) -> None:
        if not self._end.done():
            self._end.set_result(end)


def _tell(event: Event) -> None:
    match event:
        case PairingOpen():
            _show(event)
        case PairingWrong(left=left):
            say(f"Somebody typed another code; {left} more tries are allowed.")


def _tell_end(end: PairingDone | PairingFailed) -> None:
    if isinstance(end, PairingFailed):
        raise PairingError(end.sentence, end.hint)
    say(f"Paired with {end.name}. Its screen shows the same words:")
    write(f"{' '.join(end.words)}\n")


def _show(opened: PairingOpen) -> None:
    say(f"Type this code on the other PC within {opened.seconds / 60:g} minutes:")
    write(f"{opened.code}\n")
    say(f"There: idlepool pair {opened.code}, or in its window: Pair PCs …")
    when = f"This PC cannot be found by itself ({opened.problem}):" if opened.problem else "If it finds nobody,"
    say(f"{when} add --address {opened.addresses[0]}")
