"""Two PCs on one network pair, and whoever should not, does not: real sockets, identities and rosters."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.pairing import Agreement, Door, Knock, Message, Proof, Reply, Sealed, decode, encode
from idlepool.engine.net.pairing_wire import PairingWire
from idlepool.engine.pairing_errors import AlreadyPooled, CodeOver, PairingBroken, PairingError, WrongCode
from idlepool.engine.pool.membership import Membership, load_membership
from idlepool.engine.pool.pairing_door import Paired, PairingDoor, PairingLimits
from idlepool.engine.pool.pairing_guest import PairingGuest
from idlepool.engine.types import Address, NodeId

CODE = "K7MP3XQ9"
WRONG = "K7MP3XQ8"

NORTH = NodeId("a" * 64)

Pc = Callable[[str], Membership]

two_addresses = pytest.mark.skipif(sys.platform == "darwin", reason="macOS has one loopback address only")


@pytest.fixture
def pc(tmp_path: Path) -> Pc:
    """A PC of that name, alone in its pool."""

    def make(name: str) -> Membership:
        return load_membership(tmp_path / name, name, FileKeyStore(tmp_path / name))

    return make


class Shown:
    """A code shown by a PC, and what became of it."""

    def __init__(self, membership: Membership, **settings: object) -> None:
        self.left: list[int] = []
        self.door = PairingDoor(CODE, membership, on_wrong=self.left.append, **settings)  # type: ignore[arg-type]

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.door.port)

    async def wire(self, host: str = "127.0.0.1") -> PairingWire:
        """A connection to it from an address of this PC, with its first word heard."""
        at = (self.address.host, self.address.port)
        wire = PairingWire(*await asyncio.open_connection(*at, local_addr=(host, 0)))
        await wire.receive(Door)
        return wire


@asynccontextmanager
async def shown(membership: Membership, **settings: object) -> AsyncIterator[Shown]:
    code = Shown(membership, **settings)
    await code.door.open("127.0.0.1", 0)
    try:
        yield code
    finally:
        await code.door.close()


def told(membership: Membership, code: str = CODE, **settings: object) -> PairingGuest:
    return PairingGuest(code, membership, name=membership.own_name, **settings)  # type: ignore[arg-type]


async def knock(wire: PairingWire, host: Membership) -> None:
    """Begin an attempt, and hear the answer."""
    guest = NodeId("5" * 64)
    await wire.send(Knock(guest, Agreement(CODE, host=host.node, guest=guest, showing=False).element))
    await wire.receive(Reply)


def members(membership: Membership) -> list[str]:
    return sorted(member.name for member in membership.roster.members)


async def test_two_pcs_become_members_of_one_pool(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    async with shown(north, node_port=24_753) as code:
        at_south = await told(south, node_port=24_760).at(code.address)
        at_north = await code.door.outcome
    assert isinstance(at_north, Paired)
    assert at_north.words == at_south.words
    assert len(at_north.words) == 4
    assert (at_north.node, at_north.name) == (south.node, "south")
    assert (at_south.node, at_south.name) == (north.node, "north")
    assert at_north.address == Address("127.0.0.1", 24_760)
    assert at_south.address == Address("127.0.0.1", 24_753)
    assert south.roster == north.roster
    assert members(north) == ["north", "south"]


async def test_the_pool_is_kept_on_both(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    async with shown(north) as code:
        await told(south).at(code.address)
        await code.door.outcome
    assert members(pc("south")) == members(pc("north")) == ["north", "south"]


async def test_a_third_pc_is_taken_in_by_the_second(pc: Pc) -> None:
    north, south, west = pc("north"), pc("south"), pc("west")
    async with shown(north) as code:
        await told(south).at(code.address)
        await code.door.outcome
    async with shown(south) as code:
        await told(west).at(code.address)
        await code.door.outcome
    assert members(west) == ["north", "south", "west"]
    assert north.offer(south.chain)
    assert north.roster == west.roster


async def test_a_wrong_code_is_told_so_with_the_tries_that_are_left(pc: Pc) -> None:
    async with shown(pc("north")) as code:
        with pytest.raises(WrongCode, match=r"not the code .* tried 4 times more"):
            await told(pc("south"), WRONG).at(code.address)
        assert code.left == [4]
        await told(pc("south")).at(code.address)


async def test_five_wrong_codes_and_it_is_void_even_for_the_right_one(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    async with shown(north) as code:
        for left in (4, 3, 2, 1):
            with pytest.raises(WrongCode) as wrong:
                await told(south, WRONG).at(code.address)
            assert wrong.value.left == left
        with pytest.raises(CodeOver, match="too often"):
            await told(south, WRONG).at(code.address)
        assert isinstance(await code.door.outcome, CodeOver)
        with pytest.raises(CodeOver):
            await told(south).at(code.address)
    assert members(north) == ["north"]
    assert members(south) == ["south"]


async def test_a_code_is_good_once(pc: Pc) -> None:
    async with shown(pc("north")) as code:
        await told(pc("south")).at(code.address)
        with pytest.raises(CodeOver):
            await told(pc("west")).at(code.address)


async def test_nobody_listens_once_the_code_is_gone(pc: Pc) -> None:
    async with shown(pc("north")) as code:
        address = code.address
    with pytest.raises(PairingError, match="Nobody shows a code at"):
        await told(pc("south")).at(address)


async def test_a_code_that_ran_out_lets_in_the_one_who_is_being_heard_and_nobody_else(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    async with shown(north) as code:
        wire = await code.wire()
        agreement = Agreement(CODE, host=north.node, guest=south.node, showing=False)
        await wire.send(Knock(south.node, agreement.element))
        session = agreement.agree((await wire.receive(Reply)).element)
        expiry = asyncio.create_task(code.door.expire())
        await asyncio.sleep(0)
        with pytest.raises(CodeOver):
            await told(pc("west")).at(code.address)
        await wire.send(Proof(session.proof))
        assert session.check((await wire.receive(Proof)).mac)
        await wire.close()
        await expiry
        with pytest.raises(CodeOver):
            await told(pc("west")).at(code.address)


async def test_one_attempt_at_a_time(pc: Pc) -> None:
    north = pc("north")
    async with shown(north) as code:
        first = await code.wire()
        await knock(first, north)
        second = asyncio.create_task(told(pc("south")).at(code.address))
        assert not (await asyncio.wait({second}, timeout=0.3))[0]
        await first.close()
        # The first one hung up, and was no wrong try.
        await second
        assert code.left == []


async def test_who_waits_too_long_for_its_turn_is_told_so(pc: Pc) -> None:
    north = pc("north")
    async with shown(north, limits=PairingLimits(line_seconds=0.1)) as code:
        first = await code.wire()
        await knock(first, north)
        with pytest.raises(PairingError, match="just being paired"):
            await told(pc("south")).at(code.address)
        await first.close()


@two_addresses
async def test_who_does_not_proceed_loses_its_turn_and_keeps_nobody_out(pc: Pc) -> None:
    """A stranger who begins one attempt after the other: each ends soon, and others come first the next time."""
    north = pc("north")
    async with shown(north, limits=PairingLimits(word_seconds=0.3)) as code:

        async def nag() -> None:
            while True:
                with contextlib.suppress(PairingError, OSError):
                    wire = await code.wire("127.0.0.2")
                    await knock(wire, north)
                    await wire.receive(Proof)

        nagging = [asyncio.create_task(nag()) for _ in range(3)]
        try:
            await asyncio.sleep(0.5)
            await told(pc("south")).at(code.address)
        finally:
            for task in nagging:
                task.cancel()
            await asyncio.gather(*nagging, return_exceptions=True)
        assert code.left == []
    assert members(north) == ["north", "south"]


async def test_who_says_nothing_is_cut_off_soon(pc: Pc) -> None:
    async with shown(pc("north"), limits=PairingLimits(word_seconds=0.1)) as code:
        wire = await code.wire()
        with pytest.raises(PairingBroken, match="closed the connection"):
            await wire.receive(Reply)
        await wire.close()


@two_addresses
async def test_one_address_gets_a_few_of_the_places(pc: Pc) -> None:
    async with shown(pc("north")) as code:
        held = [await code.wire() for _ in range(3)]
        with pytest.raises((PairingError, OSError)):
            await code.wire()
        held.append(await code.wire("127.0.0.2"))
        for wire in held:
            await wire.close()


async def test_who_stalls_is_cut_off(pc: Pc) -> None:
    north = pc("north")
    async with shown(north, limits=PairingLimits(attempt_seconds=0.1)) as code:
        wire = await code.wire()
        with pytest.raises(PairingBroken, match="closed the connection"):
            await wire.receive(Reply)
        await wire.close()


async def test_strangers_are_limited_in_number(pc: Pc) -> None:
    async with shown(pc("north"), limits=PairingLimits(strangers=2)) as code:
        held = [await code.wire() for _ in range(2)]
        with pytest.raises(PairingError):
            await code.wire()
        for wire in held:
            await wire.close()


async def test_a_pc_that_shares_a_pool_already_stays_there(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    async with shown(north) as code:
        await told(south).at(code.address)
    async with shown(pc("west")) as code:
        with pytest.raises(AlreadyPooled, match="shares a pool with north"):
            await told(south).at(code.address)


async def test_a_pc_does_not_pair_with_itself(pc: Pc) -> None:
    north = pc("north")
    async with shown(north) as code:
        with pytest.raises(PairingError, match="This PC shows that code itself"):
            await told(north).at(code.address)


async def test_a_pc_of_another_version_is_named(pc: Pc) -> None:
    async with shown(pc("north")) as code:
        wire = await code.wire()
        await wire.send(Knock("5" * 64, bytes(33), version=7))
        with pytest.raises(PairingError, match="version 1"):
            await wire.receive(Reply)
        await wire.close()


async def test_who_sends_too_much_is_cut_off(pc: Pc) -> None:
    async with shown(pc("north")) as code:
        reader, writer = await asyncio.open_connection(code.address.host, code.address.port)
        writer.write((2**31).to_bytes(4, "big") + b"x" * 100)
        await reader.read()  # its first word, and then the end
        writer.close()
        await told(pc("south")).at(code.address)


@asynccontextmanager
async def speaking(*messages: Message) -> AsyncIterator[Address]:
    """Somebody who says these things to whoever comes, and hears nothing."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = PairingWire(reader, writer)
        for message in messages:
            await wire.send(message)
        await reader.read()
        await wire.close()

    server = await asyncio.start_server(say, "127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()


@pytest.mark.parametrize(
    ("messages", "says"),
    [
        ([Door("5" * 64, version=7)], "The other PC speaks protocol version 7, this one version 1"),
        ([Proof(bytes(32))], "in another order"),
        ([Door("5" * 64), Reply(b"B" + bytes(32))], "no key"),
        ([Door("5" * 64), Reply(Agreement(CODE, host=NORTH, guest=NORTH, showing=True).element)], "fell silent"),
    ],
)
async def test_a_host_that_is_none_is_told_by_its_fault(pc: Pc, messages: list[Message], says: str) -> None:
    async with speaking(*messages) as address:
        with pytest.raises(PairingError, match=says):
            await told(pc("south"), limits=PairingLimits(attempt_seconds=0.5)).at(address)


async def test_a_host_that_does_not_know_the_code_is_found_out(pc: Pc) -> None:
    south = pc("south")
    element = Agreement(WRONG, host=NORTH, guest=south.node, showing=True).element
    async with speaking(Door(NORTH), Reply(element), Proof(bytes(32))) as address:
        with pytest.raises(PairingBroken, match="does not know the code"):
            await told(south).at(address)


async def test_only_an_admin_takes_others_in(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    north.add(south.identity.certificate, "south", role="member")
    south.join(north.chain)
    async with shown(south) as code:
        with pytest.raises(PairingError, match="no admin"):
            await told(pc("west")).at(code.address)
        assert isinstance(await code.door.outcome, PairingError)


class Between:
    """Stands between host and guest; `change` may put another message in the place of one that passes."""

    def __init__(self, change: Callable[[object], object]) -> None:
        self._change = change
        self.passed: list[bytes] = []

    @asynccontextmanager
    async def before(self, address: Address) -> AsyncIterator[Address]:
        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection(address.host, address.port)
            pumps = [asyncio.create_task(self._pump(reader, back)), asyncio.create_task(self._pump(there, writer))]
            await asyncio.gather(*pumps)

        server = await asyncio.start_server(relay, "127.0.0.1", 0)
        try:
            yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
        finally:
            server.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while size := await reader.read(4):
            message = encode(self._change(decode(await reader.readexactly(int.from_bytes(size, "big")))))  # type: ignore[arg-type]
            self.passed.append(message)
            writer.write(len(message).to_bytes(4, "big") + message)
            await writer.drain()
        writer.close()


async def test_who_only_passes_on_hears_no_name_certificate_or_code(pc: Pc) -> None:
    north, south = pc("north-with-a-name"), pc("south-with-a-name")
    between = Between(lambda message: message)
    async with shown(north) as code, between.before(code.address) as address:
        await told(south).at(address)
        await code.door.outcome
    passed = b"".join(between.passed)
    assert passed
    for secret in (b"with-a-name", north.identity.certificate, south.identity.certificate, CODE.encode()):
        assert secret not in passed


@pytest.mark.parametrize("kind", [Door, Knock])
async def test_who_puts_its_own_certificate_in_the_place_of_another_is_found_out(pc: Pc, kind: type) -> None:
    north, south, stranger = pc("north"), pc("south"), pc("stranger")

    def change(message: object) -> object:
        if isinstance(message, Door) and kind is Door:
            return Door(stranger.node)
        if isinstance(message, Knock) and kind is Knock:
            return Knock(stranger.node, message.element)
        return message

    async with shown(north) as code, Between(change).before(code.address) as address:
        with pytest.raises(WrongCode):
            await told(south).at(address)
    assert members(north) == ["north"]
    assert members(south) == ["south"]


async def test_sealed_words_that_were_changed_end_it(pc: Pc) -> None:
    north, south = pc("north"), pc("south")

    def flip(message: object) -> object:
        return Sealed(bytes([message.data[0] ^ 1]) + message.data[1:]) if isinstance(message, Sealed) else message

    async with shown(north) as code, Between(flip).before(code.address) as address:
        with pytest.raises(PairingBroken):
            await told(south).at(address)
        assert isinstance(await code.door.outcome, PairingBroken)
    assert members(north) == ["north"]
    assert members(south) == ["south"]


async def test_a_recorded_pairing_cannot_be_played_again(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    between = Between(lambda message: message)
    async with shown(north) as code, between.before(code.address) as address:
        await told(south).at(address)
        await code.door.outcome
    north.remove(south.node)
    recorded = [message for message in map(decode, between.passed) if isinstance(message, Knock | Proof)]
    async with shown(north) as code:
        wire = await code.wire()
        for message in recorded[:2]:
            await wire.send(message)
        await wire.receive(Reply)
        with pytest.raises(WrongCode):
            await wire.receive(Proof)
        await wire.close()
    assert members(north) == ["north"]


async def test_a_removed_pc_can_be_paired_again(pc: Pc) -> None:
    north, south = pc("north"), pc("south")
    async with shown(north) as code:
        await told(south).at(code.address)
        await code.door.outcome
    north.remove(south.node)
    south.offer(north.chain[-1:])
    assert members(south) == ["south"]
    async with shown(north) as code:
        await told(south).at(code.address)
    assert members(south) == ["north", "south"]
