"""The PCs of the pool are found by whatever leads to them, and nobody else is ever dialled."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from paired import paired
from played_peers import Pc
from played_pool import until

from idlepool.engine.errors import PeerUnreachable
from idlepool.engine.net.discovery import NodeHint, short_id
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pool import race, seeking
from idlepool.engine.types import Address

NOWHERE = Address("127.0.0.1", 1)


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(seeking, "LEAST_PAUSE_S", 0.02)
    monkeypatch.setattr(seeking, "FIRST_RETRY_S", 0.02)
    monkeypatch.setattr(seeking, "COURTESY_S", 0.05)
    monkeypatch.setattr(race, "STAGGER_S", 0.05)


@pytest.fixture
async def pcs(tmp_path):
    """`a`, `b` (the larger id) and `c`, listening, who know nothing of each other's addresses."""
    async with contextlib.AsyncExitStack() as stack:
        made = [Pc(credentials, tmp_path / name) for name, credentials in zip("abc", paired(*"abc"), strict=True)]
        for pc in made:
            await pc.start()
            stack.push_async_callback(pc.close)
        yield made


def hint_of(pc, *addresses):
    return NodeHint(short_id(pc.id), addresses or (pc.address,))


async def test_an_announcement_leads_to_a_link(pcs):
    a, b, _ = pcs
    a.seeker.hint(hint_of(b, NOWHERE, b.address))
    await until(lambda: a.here == ["b"] and b.here == ["a"])
    assert a.peers.present[b.id].found == "announced"
    assert b.peers.present[a.id].found == "called"


async def test_a_stranger_is_seen_and_never_dialled(pcs):
    a, b, _ = pcs
    a.members = [a.id]
    a.seeker.look_again()
    a.seeker.hint(hint_of(b))
    await asyncio.sleep(0.3)
    assert (a.here, b.met) == ([], 0)
    assert list(a.seeker.hints) == [short_id(b.id)]
    a.members = [a.id, b.id]  # they were paired
    a.seeker.look_again()
    await until(lambda: a.here == ["b"])


async def test_who_is_removed_is_gone_at_once(pcs):
    a, b, _ = pcs
    a.seeker.hint(hint_of(b))
    await until(lambda: a.here == ["b"] and b.here == ["a"])
    a.members = [a.id]
    a.seeker.look_again()
    assert (a.here, a.lost) == ([], [b.id])
    await until(lambda: b.here == [])
    met = b.met
    await asyncio.sleep(0.2)
    assert b.met == met


async def test_a_pc_is_found_where_it_was_last(pcs, tmp_path):
    a, b, _ = pcs
    a.seeker.type_in(b.address)
    await until(lambda: a.here == ["b"] and a.known.of(b.id))
    assert a.peers.present[b.id].found == "typed"
    await a.close()
    again = Pc(a.credentials, tmp_path / "a", instance=2)
    await again.known.load()
    await again.start()
    await until(lambda: again.here == ["b"])
    assert again.peers.present[b.id].found == "last address"
    await again.close()


async def test_another_pc_at_a_known_address_is_not_taken_for_it(pcs):
    """Its address was given to another PC: it is found where it is now, and the other one is left alone."""
    a, b, c = pcs
    await a.known.remember(b.id, c.address)
    a.seeker.hint(hint_of(b))
    await until(lambda: a.here == ["b"])
    assert a.known.of(b.id) == (b.address, c.address)


async def test_a_typed_pc_is_tried_until_it_comes_and_again_when_it_went(pcs, tmp_path):
    a, b, c = pcs
    address = b.address
    await b.close()
    a.seeker.type_in(address)
    await until(lambda: isinstance(a.seeker.typed[address].problem, PeerUnreachable))
    for later in (b, c):  # a later PC at the same address is met as well
        pc = Pc(later.credentials, tmp_path / "later", instance=2, port=address.port)
        await pc.server.start()
        await until(lambda pc=pc: a.here == [pc.name])
        await pc.close()
        await until(lambda pc=pc: a.lost[-1:] == [pc.id])
    assert a.here == []


async def test_what_went_wrong_is_told_once(pcs):
    a, b, _ = pcs
    await b.close()
    a.seeker.hint(hint_of(b))
    problem = await until(lambda: a.seeker.members[b.id].problem)
    assert str(problem).startswith(f"Nobody answers at {b.address}: the connection was refused.")
    told = a.changes
    await asyncio.sleep(0.3)
    assert a.changes == told


async def test_an_announcement_is_followed_until_it_is_taken_back(pcs, tmp_path):
    a, b, _ = pcs
    await b.close()
    a.seeker.hint(hint_of(b))
    await until(lambda: a.seeker.members[b.id].problem)
    a.seeker.forget(short_id(b.id))
    again = Pc(b.credentials, tmp_path / "again", instance=2, port=b.server.port)
    await again.server.start()  # it does not look for others itself
    await asyncio.sleep(0.3)
    assert (a.here, again.met) == ([], 0)
    a.seeker.hint(hint_of(again))
    await until(lambda: a.here == ["b"])
    a.seeker.forget(short_id(b.id))
    await asyncio.sleep(0.1)
    assert a.here == ["b"]  # a link that is open stays
    await again.close()


async def test_who_is_here_is_not_dialled_again(pcs):
    a, b, _ = pcs
    for one, other in ((a, b), (b, a)):
        one.seeker.type_in(other.address)
        one.seeker.hint(hint_of(other))
    await until(lambda: a.here and b.here)
    await asyncio.sleep(0.5)
    met = a.met, b.met
    a.seeker.hint(hint_of(b))
    a.seeker.network_changed(())
    await asyncio.sleep(0.2)
    assert (a.met, b.met) == met
    assert (a.lost, b.lost) == ([], [])
    await a.peers.present[b.id].link.close("The cable was pulled.")
    await until(lambda: b.lost and a.here and b.here)


async def test_news_end_a_long_pause(pcs, tmp_path, monkeypatch):
    """A PC that could not be reached for hours is tried at once when the network changes or it is announced."""
    a, b, _ = pcs
    await b.close()
    monkeypatch.setattr(seeking, "FIRST_RETRY_S", 3600.0)
    port = free_port()
    address = Address("127.0.0.1", port)
    later = Pc(b.credentials, tmp_path / "later", port=port)
    a.seeker.hint(hint_of(later, address))
    await until(lambda: a.seeker.members[later.id].problem)
    await asyncio.sleep(0.2)
    await later.server.start()
    a.seeker.network_changed(())
    await until(lambda: a.here == ["b"])
    await later.close()


async def test_a_flood_of_announcements_stays_small_and_hides_no_member(pcs):
    a, b, _ = pcs
    for number in range(3 * seeking.MAX_HINTS):
        a.seeker.hint(NodeHint(f"{number:016x}", (NOWHERE,)))
    assert len(a.seeker.hints) == seeking.MAX_HINTS
    told = a.changes
    a.seeker.hint(NodeHint(f"{0:016x}", (NOWHERE,)))
    assert a.changes == told
    a.seeker.hint(hint_of(b))
    await until(lambda: a.here == ["b"])
