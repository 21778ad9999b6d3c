"""Whoever dials whom, and however often: each pair of PCs keeps one control link for as long as both are heard."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from paired import paired
from played_peers import Pc
from played_pool import until

from idlepool.engine.errors import LinkError
from idlepool.engine.net.messages import DeviceInfo, EndSequence, NodeStatus
from idlepool.engine.net.presence_messages import Heartbeat
from idlepool.engine.pool import patience
from idlepool.engine.pool import peers as peers_module
from idlepool.engine.types import ElementType


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(peers_module, "HEARTBEAT_S", 0.05)
    monkeypatch.setattr(peers_module, "TICK_S", 0.05)


@pytest.fixture
async def pcs(tmp_path):
    """`a`, `b` (the larger id) and `c`, listening and looking for nobody."""
    async with contextlib.AsyncExitStack() as stack:
        made = [Pc(credentials, tmp_path / name) for name, credentials in zip("abc", paired(*"abc"), strict=True)]
        for pc in made:
            await pc.server.start()
            stack.push_async_callback(pc.close)
        yield made


async def hold(pc, other):
    """A control link that `pc` opens to `other` and keeps."""
    link = await pc.dial(other.address, other.id)
    adopting = asyncio.create_task(pc.peers.adopt(link, found="announced"))
    return link, adopting


async def hear_out(link):
    """Why the link ended."""
    async for _ in link:
        pass
    return await link.wait_closed()


async def test_two_that_dial_at_once_keep_the_same_one_link(pcs):
    a, b, _ = pcs
    dialled = await asyncio.gather(a.dial(b.address, b.id), b.dial(a.address, a.id))
    tasks = [
        asyncio.create_task(pc.peers.adopt(link, found="announced")) for pc, link in zip((a, b), dialled, strict=True)
    ]
    await tasks[1]
    await asyncio.sleep(0.2)
    assert (a.here, b.here, a.lost, b.lost) == (["b"], ["a"], [], [])
    assert a.peers.present[b.id].dialled_here
    assert not b.peers.present[a.id].dialled_here
    a.status = NodeStatus((DeviceInfo("CPU", ElementType.F32, 5),))
    await a.peers.tell_status()
    await until(lambda: b.peers.present[a.id].devices)
    await a.peers.present[b.id].link.close("done")
    await tasks[0]


async def test_a_link_on_which_nothing_is_said_was_not_chosen(pcs):
    """Of several attempts the dialler keeps one: it speaks on it first, and closes the others."""
    a, b, _ = pcs
    first, second = await asyncio.gather(a.dial(b.address, b.id), a.dial(b.address, b.id))
    await until(lambda: b.met == 2)
    adopting = asyncio.create_task(a.peers.adopt(first, found="announced"))
    await until(lambda: b.here == ["a"])
    await second.close("not needed")
    await asyncio.sleep(0.1)
    assert (a.here, b.here, a.lost, b.lost) == (["b"], ["a"], [], [])
    await first.close("done")
    await adopting


async def test_a_second_link_that_was_dialled_here_is_not_needed(pcs):
    a, b, _ = pcs
    first, adopting = await hold(a, b)
    await until(lambda: a.here and b.here)
    second, refused = await hold(a, b)
    await refused
    assert await second.wait_closed() == "Another link to this PC is open already."
    assert a.peers.present[b.id].link is first
    await first.close("done")
    await adopting


async def test_who_lost_the_link_and_dials_anew_has_given_up_what_was_under_way(pcs, monkeypatch):
    """Also where this PC has not noticed: nobody waits for answers that went down with the link."""
    monkeypatch.setattr(peers_module, "SETTLED_S", 0.0)
    a, b, _ = pcs
    _, lost = await hold(a, b)
    await until(lambda: a.here and b.here)
    a.peers.drop(b.id)
    link, adopting = await hold(a, b)
    await until(lambda: b.lost == [a.id])
    assert b.here == ["a"]
    await link.close("done")
    await asyncio.gather(lost, adopting)


async def test_who_stops_looking_for_others_says_goodbye_first(pcs):
    a, b, _ = pcs
    _, adopting = await hold(a, b)
    await until(lambda: a.here and b.here)
    theirs = b.peers.present[a.id].link
    adopting.cancel()
    assert await theirs.wait_closed() == "Idlepool was closed there."
    await until(lambda: (a.lost, b.lost) == ([b.id], [a.id]))


async def test_who_is_silent_is_suspected_and_then_gone(pcs):
    """Nothing comes of it, as of a PC whose cable was pulled: its link is still open."""
    a, b, _ = pcs
    link = await b.dial(a.address, a.id)
    hearing = asyncio.create_task(hear_out(link))
    await link.send(NodeStatus(()))
    peer = await until(lambda: a.peers.present.get(b.id))
    await until(lambda: peer.suspect)
    assert a.here == ["b"]
    await link.send(NodeStatus(()))
    await until(lambda: not peer.suspect)
    await until(lambda: peer.suspect)
    await until(lambda: a.lost)
    assert (a.here, a.lost) == ([], [b.id])
    with pytest.raises(LinkError, match="is not here"):
        await a.peers.send(b.id, Heartbeat())
    assert await hearing == "Nothing was heard for too long."


async def test_heartbeats_keep_a_pc_and_tell_what_it_does(pcs):
    a, b, _ = pcs
    b.heartbeat = Heartbeat("fetching", 5, 10)
    link, adopting = await hold(a, b)
    await until(lambda: a.here and a.peers.present[b.id].heartbeat == Heartbeat("fetching", 5, 10))
    before = a.changes
    b.heartbeat = Heartbeat("decoding")
    await until(lambda: a.peers.present[b.id].heartbeat.phase == "decoding")
    assert a.changes > before
    for _ in range(2 * peers_module.GONE_TICKS):
        await asyncio.sleep(peers_module.TICK_S)
    assert (a.here, a.lost) == (["b"], [])
    await link.close("done")
    await adopting


async def test_ones_own_silence_is_not_held_against_others(pcs):
    """The event loop stood still for longer than a PC may be silent: what was sent meanwhile waits to be read."""
    a, b, _ = pcs
    link, adopting = await hold(a, b)
    await until(lambda: a.here and b.here)
    time.sleep(2 * peers_module.GONE_TICKS * peers_module.TICK_S)  # noqa: ASYNC251 - that is what is tested
    await asyncio.sleep(0.2)
    assert (a.here, b.here, a.lost, b.lost) == (["b"], ["a"], [], [])
    await link.close("done")
    await adopting


async def test_who_says_nothing_at_all_never_was_here(pcs, monkeypatch):
    monkeypatch.setattr(peers_module, "FIRST_WORD_S", 0.05)
    a, b, _ = pcs
    link = await b.dial(a.address, a.id)
    assert await link.wait_closed() == "Nothing was said."
    assert (a.here, a.lost) == ([], [])


async def test_a_pc_that_came_back_replaces_what_it_was(pcs, tmp_path):
    """It was restarted before its old link was missed: one PC, not two, and nothing of what was agreed holds."""
    a, b, _ = pcs
    again = Pc(b.credentials, tmp_path / "again", instance=2)
    _, held = await hold(b, a)
    await until(lambda: a.here == ["b"])
    old = a.peers.present[b.id].link
    _, adopting = await hold(again, a)
    await until(lambda: a.peers.present[b.id].link is not old)
    await until(lambda: not b.here)
    assert a.here == ["b"]
    assert a.lost == [b.id]
    await again.peers.close()
    await asyncio.gather(held, adopting)


async def test_what_breaks_the_protocol_ends_the_link_with_the_reason(pcs):
    a, b, _ = pcs
    link, adopting = await hold(a, b)
    await until(lambda: a.here and b.here)
    await b.peers.send(a.id, EndSequence(1, 1))
    assert await link.wait_closed() == "a expects no EndSequence."
    await adopting
    assert a.lost == [b.id]
    await until(lambda: b.lost == [a.id])


@pytest.mark.parametrize("what", ["changes of its status", "messages"])
async def test_who_floods_others_is_cut_off_with_a_sentence(pcs, monkeypatch, what):
    monkeypatch.setattr(patience, "STEPS_BURST", 1000)
    monkeypatch.setattr(patience, "STEPS_PER_S", 1.0)
    a, b, _ = pcs
    link, adopting = await hold(a, b)
    await until(lambda: a.here and b.here)
    before = a.changes
    theirs = b.peers.present[a.id].link
    with contextlib.suppress(LinkError):
        for number in range(1001):
            statuses = NodeStatus((DeviceInfo("CPU", ElementType.F32, number),)), Heartbeat("fetching", number)
            await theirs.send(statuses[what == "messages"])
    assert await link.wait_closed() == f"It sent too many {what} in a short time. Start Idlepool there again."
    await adopting
    assert a.lost == [b.id]
    assert a.changes > before


async def test_a_status_that_says_nothing_new_is_no_change(pcs):
    a, b, _ = pcs
    link, adopting = await hold(a, b)
    await until(lambda: a.here and b.here)
    theirs = b.peers.present[a.id].link
    status = NodeStatus((DeviceInfo("CPU", ElementType.F32, 5),))
    await theirs.send(status)
    await until(lambda: a.peers.present[b.id].devices)
    before = a.changes
    for _ in range(5):
        await theirs.send(status)
    await theirs.send(NodeStatus(()))
    await until(lambda: not a.peers.present[b.id].devices)
    assert a.changes == before + 1
    await link.close("done")
    await adopting


async def test_who_is_dropped_is_gone_at_once_and_heard_no_more(pcs):
    a, b, _ = pcs
    link, adopting = await hold(b, a)
    await until(lambda: a.here and b.here)
    a.peers.drop(b.id)
    assert (a.here, a.lost) == ([], [b.id])
    await b.peers.send(a.id, EndSequence(1, 1))  # would be a breach of the protocol
    await asyncio.sleep(0.1)
    assert b.here == ["a"]
    await link.close("done")
    await adopting
    assert a.lost == [b.id]


async def test_a_goodbye_is_heard(pcs):
    a, b, c = pcs
    held = [(await hold(pc, a))[1] for pc in (b, c)]
    await until(lambda: sorted(a.here) == ["b", "c"])
    await b.close()
    await until(lambda: a.here == ["c"])
    assert a.lost == [b.id]
    await c.close()
    await asyncio.gather(*held)


async def test_those_who_are_idle_measure_their_way_and_tell_it(pcs):
    a, b, _ = pcs
    b.heartbeat = Heartbeat("decoding")
    _, adopting = await hold(a, b)
    await until(lambda: a.here and b.here and a.peers.present[b.id].heartbeat == b.heartbeat)
    await asyncio.sleep(0.3)
    assert a.peers.links == b.peers.links == ()
    b.heartbeat = Heartbeat()
    await until(lambda: a.peers.links and b.peers.links)
    (way,) = a.peers.links
    assert way.node == b.id
    assert 0 < way.ms < 500
    a.peers.present[b.id].timing.bytes_per_s = 5e6
    a.status = NodeStatus((), links=a.peers.links)
    await until(lambda: b.peers.present[a.id].status.links and b.peers.present[a.id].status.links[0].bytes_per_s == 5e6)
    await a.peers.close()
    await adopting
