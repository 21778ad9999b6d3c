"""Pairing as a window or a terminal asks for it: two services on one network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio

from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.pairing_words import IDENTITY_WORDS
from idlepool.engine.pairing_events import (
    MembersChanged,
    PairingDone,
    PairingEvent,
    PairingFailed,
    PairingOpen,
    PairingWrong,
)
from idlepool.engine.pool.membership import load_membership
from idlepool.engine.pool.pairing_door import PairingLimits
from idlepool.engine.pool.pairing_service import PairingService, PairingSettings
from idlepool.engine.types import Address, NodeId

EventT = TypeVar("EventT", bound=PairingEvent)

LOOPBACK = ("127.0.0.1",)


class Pc:
    """A PC's pairing service, and what it told."""

    def __init__(self, root: Path, name: str, *, node_port: int = 0, **options: object) -> None:
        self.membership = load_membership(root / name, name, FileKeyStore(root / name))
        self.reached: list[tuple[NodeId, Address]] = []
        self.heard: list[type[PairingEvent]] = []
        self._events: asyncio.Queue[PairingEvent] = asyncio.Queue()
        settings = PairingSettings(name, "127.0.0.1", port=0, interfaces=LOOPBACK, node_port=node_port)
        self.service = PairingService(
            self.membership,
            settings,
            self._events.put_nowait,
            on_paired=lambda node, address: self.reached.append((node, address)),
            **options,  # type: ignore[arg-type]
        )

    async def hears(self, kind: type[EventT]) -> EventT:
        """The next event of that kind."""
        while True:
            event = await self._events.get()
            self.heard.append(type(event))
            if isinstance(event, kind):
                return event

    async def shows(self) -> PairingOpen:
        """Show a code."""
        self.service.open()
        return await self.hears(PairingOpen)


Make = Callable[..., Pc]


@pytest_asyncio.fixture
async def pc(tmp_path: Path) -> AsyncIterator[Make]:
    made: list[Pc] = []

    def make(name: str, **options: object) -> Pc:
        made.append(Pc(tmp_path, name, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    await asyncio.gather(*(one.service.stop() for one in made))


async def test_a_pc_that_shows_a_code_is_found_by_itself(pc: Make) -> None:
    north, south = pc("north", node_port=24_753), pc("south", node_port=24_760)
    code = (await north.shows()).code
    south.service.enter(code.lower())
    at_south, at_north = await south.hears(PairingDone), await north.hears(PairingDone)
    assert at_south.words == at_north.words
    assert (at_south.name, at_north.name) == ("north", "south")
    assert north.reached == [(south.membership.node, Address("127.0.0.1", 24_760))]
    assert south.reached == [(north.membership.node, Address("127.0.0.1", 24_753))]
    assert south.membership.roster == north.membership.roster


async def test_everybody_hears_who_belongs_to_the_pool(pc: Make) -> None:
    north, south = pc("north"), pc("south")
    shown = await north.shows()
    south.service.enter(shown.code, shown.addresses[0])
    told = {}
    for one, other in ((north, "south"), (south, "north")):
        members = (await one.hears(MembersChanged)).members
        assert [member.name for member in members if not member.here] == [other]
        told[one] = {member.name: member.words for member in members}
    assert told[north] == told[south]  # so that their owners can compare them, at any time
    assert len(set(told[north].values())) == 2
    assert {len(words) for words in told[north].values()} == {IDENTITY_WORDS}


async def test_an_address_may_be_typed(pc: Make) -> None:
    north, south = pc("north"), pc("south")
    shown = await north.shows()
    assert shown.problem == ""
    south.service.enter(shown.code, shown.addresses[0])
    assert (await south.hears(PairingDone)).name == "north"


async def test_of_two_pcs_that_show_codes_the_right_one_is_tried(pc: Make) -> None:
    north, west, south = pc("north"), pc("west"), pc("south")
    other = (await north.shows()).code
    while (shown := await west.shows()).code[:2] == other[:2]:
        pass
    south.service.enter(shown.code)
    assert (await south.hears(PairingDone)).node == west.membership.node
    await north.shows()
    assert PairingWrong not in north.heard


async def test_a_code_that_nobody_shows_is_told_so(pc: Make) -> None:
    south = pc("south", limits=PairingLimits(search_seconds=0.5))
    south.service.enter("K7MP-3XQ9")
    assert "No PC in this network shows a code that begins with K7" in (await south.hears(PairingFailed)).sentence


async def test_a_wrong_code_is_told_on_both_sides(pc: Make) -> None:
    north, south = pc("north"), pc("south")
    shown = await north.shows()
    end = "A" if shown.code[-1] != "A" else "B"
    south.service.enter(shown.code[:-1] + end)
    assert (await north.hears(PairingWrong)).left == 4
    failed = await south.hears(PairingFailed)
    assert failed.sentence == "That is not the code that the other PC shows."
    assert "4 times more" in failed.hint


async def test_after_two_minutes_the_code_is_void(pc: Make) -> None:
    slept: list[float] = []
    over = asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await over.wait()

    north, south = pc("north", sleep=sleep), pc("south")
    shown = await north.shows()
    assert shown.seconds == 120
    over.set()
    assert "void" in (await north.hears(PairingFailed)).sentence
    assert slept == [120]
    south.service.enter(shown.code, shown.addresses[0])
    assert "Nobody shows a code" in (await south.hears(PairingFailed)).sentence


async def test_a_new_code_makes_the_one_before_void(pc: Make) -> None:
    north, south = pc("north"), pc("south")
    first, second = await north.shows(), await north.shows()
    assert first.code != second.code
    south.service.enter(first.code, second.addresses[0])
    await south.hears(PairingFailed)
    south.service.enter(second.code, second.addresses[0])
    await south.hears(PairingDone)


async def test_what_is_given_up_lets_nobody_in(pc: Make) -> None:
    north, south = pc("north"), pc("south")
    shown = await north.shows()
    await north.service.stop()
    south.service.enter(shown.code, shown.addresses[0])
    await south.hears(PairingFailed)


@pytest.mark.parametrize(("code", "address", "says"), [("K7", "", "no pairing code"), ("K7MP-3XQ9", "a b", "address")])
async def test_what_was_typed_wrongly_is_told_at_once(pc: Make, code: str, address: str, says: str) -> None:
    south = pc("south")
    south.service.enter(code, address)
    assert says in (await south.hears(PairingFailed)).sentence


async def pair(north: Pc, south: Pc) -> None:
    shown = await north.shows()
    south.service.enter(shown.code, shown.addresses[0])
    await asyncio.gather(south.hears(PairingDone), north.hears(PairingDone))


async def test_a_pc_that_leaves_can_be_paired_elsewhere(pc: Make) -> None:
    north, south, west = pc("north"), pc("south"), pc("west")
    await pair(north, south)
    south.service.enter("K7MP-3XQ9")
    assert (await south.hears(PairingFailed)).sentence == "This PC shares a pool with north already."
    south.service.leave()
    assert len((await south.hears(MembersChanged)).members) == 1
    await pair(west, south)
    assert west.membership.is_member(south.membership.node)
    assert not south.membership.is_member(north.membership.node)


async def test_a_pc_is_removed_by_another_one_and_not_by_itself(pc: Make) -> None:
    north, south = pc("north"), pc("south")
    await pair(north, south)
    north.service.remove(north.membership.node)
    assert "cannot remove itself" in (await north.hears(PairingFailed)).sentence
    north.service.remove(south.membership.node)
    assert [member.name for member in (await north.hears(MembersChanged)).members] == ["north"]
    assert not north.membership.is_member(south.membership.node)
