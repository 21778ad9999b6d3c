"""Nodes whose members change: news reach everybody, and who is removed is shown out wherever it is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from played_pool import PlayedPool, until

from idlepool.engine.events import Trouble
from idlepool.engine.net.identity import make_identity
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.messages import NodeStatus
from idlepool.engine.net.roster import SignedRoster, add_member, found_pool
from idlepool.engine.net.tls import WasRemoved
from idlepool.engine.net.trust_messages import RosterNews
from idlepool.engine.pool import links
from idlepool.engine.pool.links import NEWS_BYTES, _messages
from idlepool.engine.trust_errors import RemovedFromPool
from idlepool.engine.types import Address


async def three(pool: PlayedPool) -> None:
    """pc-1, pc-2 and pc-3 that have met."""
    for name in ("pc-1", "pc-2", "pc-3"):
        await pool.start(name)
    await until(lambda: all(len(node._peers.present) == 2 for node in pool.nodes.values()))


async def end_of(link: Link) -> str:
    async for _ in link:
        pass
    return await link.wait_closed()


async def test_a_new_member_is_known_to_all_at_once(pool: PlayedPool) -> None:
    await three(pool)
    new = make_identity()
    pool.nodes["pc-2"].membership.add(new.certificate, "new")
    await until(lambda: all(node.membership.is_member(new.node) for node in pool.nodes.values()))
    assert pool.nodes["pc-3"].membership.name_of(new.node) == "new"


async def test_who_missed_a_change_hears_of_it_when_it_is_back(pool: PlayedPool) -> None:
    await pool.start("pc-1")
    await pool.start("pc-2")
    await pool.leave("pc-2")
    new = [make_identity() for _ in range(3)]
    for number, identity in enumerate(new):
        pool.nodes["pc-1"].membership.add(identity.certificate, f"new {number}")
    back = await pool.start("pc-2")
    await until(lambda: all(back.membership.is_member(identity.node) for identity in new))
    assert back.membership.roster == pool.nodes["pc-1"].membership.roster


async def test_a_removed_pc_is_shown_out_at_once_and_by_all(pool: PlayedPool) -> None:
    await three(pool)
    first, second, third = pool.nodes.values()
    third.membership.remove(second.id)
    await until(lambda: second.membership.roster.members[1:] == ())
    await until(lambda: first._peers.present.keys() == {third.id} and not second._peers.present)
    assert not first.membership.is_member(second.id)
    assert [trouble.sentence for trouble in pool.seen("pc-2", Trouble)] == ["pc-3 removed this PC from the pool."]


@pytest.mark.parametrize("role", ["control", "activation", "model"])
async def test_every_link_of_a_removed_pc_ends(pool: PlayedPool, role: str) -> None:
    node = await pool.start("pc-1")
    link = await pool.visit("pc-1", role)
    if role == "control":
        await link.send(NodeStatus(()))
    await until(lambda: any(known.role == role for known in node.links._told))
    node.membership.remove(pool.visitor)
    assert await end_of(link) == "founder was removed from the pool."
    with pytest.raises(WasRemoved, match="This PC was removed from the pool"):
        await pool.visit("pc-1", role)


async def test_a_removed_pc_that_had_said_nothing_yet_is_not_heard(
    pool: PlayedPool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    node = await pool.start("pc-1")
    link = await pool.visit("pc-1", "control")
    await until(lambda: any(known.role == "control" for known in node.links._told))
    node.membership.remove(pool.visitor)
    await link.send(NodeStatus(()))
    assert await end_of(link) == "founder was removed from the pool."
    assert f"founder ({pool.visitor[:8]}" not in caplog.text


async def test_who_is_removed_while_a_link_to_it_is_opened_is_not_kept(
    pool: PlayedPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await three(pool)
    first, second, _ = pool.nodes.values()

    async def remove_meanwhile(*arguments: Any, **settings: Any) -> Link:
        link = await dial(*arguments, **settings)
        first.membership.remove(second.id)
        return link

    monkeypatch.setattr(links, "dial", remove_meanwhile)
    with pytest.raises(RemovedFromPool, match="pc-2 was removed from the pool"):
        await first.links.dial(Address("127.0.0.1", second.port), "model")


async def test_a_pc_that_leaves_is_missed_at_once(pool: PlayedPool) -> None:
    await three(pool)
    first, second, third = pool.nodes.values()
    link = await pool.visit("pc-2", "model")
    second.membership.leave()
    assert await end_of(link) == "pc-2 is in another pool now."
    await until(lambda: first._peers.present.keys() == {third.id} and not second._peers.present)
    assert pool.seen("pc-2", Trouble) == []


async def test_who_was_removed_while_it_was_away_learns_it_when_it_is_back(pool: PlayedPool) -> None:
    await pool.start("pc-1")
    second = await pool.start("pc-2")
    await pool.leave("pc-2")
    pool.nodes["pc-1"].membership.remove(second.id)
    back = await pool.start("pc-2")
    await until(lambda: len(back.membership.roster.members) == 1)
    assert [trouble.sentence for trouble in pool.seen("pc-2", Trouble)] == ["pc-1 removed this PC from the pool."]
    assert back.id == second.id


async def test_members_that_nobody_signed_are_not_taken_over(
    pool: PlayedPool, caplog: pytest.LogCaptureFixture
) -> None:
    """Forged, old, or of another pool: the link stays, and nothing changes."""
    node = await pool.start("pc-1")
    known = node.membership.chain
    link = await pool.visit("pc-1", "control")
    await link.send(NodeStatus(()))
    eve = make_identity()
    elsewhere = found_pool(eve, "eve")
    forged = add_member(elsewhere, eve, certificate=node.membership.identity.certificate, name="pc-1")
    for roster, said in (
        (forged, "it is of another pool"),
        (msgspec.structs.replace(known[-1], signature=b"mine"), "its signature is wrong"),
        (SignedRoster(b"nonsense", pool.visitor, b""), "it does not decode"),
    ):
        await link.send(RosterNews((roster,)))
        await until(lambda said=said: said in caplog.text)
    assert caplog.text.count("founder sent members that are not taken over") == 3
    assert node.membership.chain == known
    await pool.start("pc-2")
    await link.send(NodeStatus(()))
    assert pool.visitor in node._peers.present


def test_long_news_come_in_several_messages() -> None:
    ada = make_identity()
    chain = [found_pool(ada, "ada")]
    for number in range(40):
        chain.append(add_member(chain[-1], ada, certificate=make_identity().certificate, name=f"pc {number}"))
    messages = list(_messages(tuple(chain)))
    assert len(messages) > 1
    assert [signed for message in messages for signed in message.rosters] == chain
    assert all(sum(len(signed.body) for signed in message.rosters) <= NEWS_BYTES for message in messages)
    assert list(_messages(())) == []
