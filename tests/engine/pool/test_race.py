"""The first address at which the right PC answers wins, and no attempt is left behind."""

from __future__ import annotations

import asyncio

import pytest
from played_pool import until

from idlepool.engine.errors import LinkError, PeerRefused, PeerUnreachable
from idlepool.engine.pool import race as race_module
from idlepool.engine.pool.race import first_link
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import Address

LAN, WLAN, VPN = Address("lan", 1), Address("wlan", 1), Address("vpn", 1)


class Network:
    """At each address: a link, an error, or silence until `gate` opens."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers
        self.gate = asyncio.Event()
        self.asked: list[str] = []
        self.given_up: list[str] = []
        self.dropped: list[object] = []
        self.tasks = TaskKeeper()

    async def connect(self, address: Address) -> object:
        self.asked.append(address.host)
        answer = self.answers[address.host]
        if answer is None:
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                self.given_up.append(address.host)
                raise
            return f"late link by {address.host}"
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def race(self, *addresses: Address) -> object:
        async def drop(link: object) -> None:
            self.dropped.append(link)

        try:
            return await first_link(addresses, self.connect, drop=drop, tasks=self.tasks)
        finally:
            await self.tasks.wait()


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(race_module, "STAGGER_S", 0.02)


async def test_the_best_address_is_enough_where_it_answers():
    network = Network(lan="link", wlan="another")
    assert await network.race(LAN, WLAN) == (LAN, "link")
    assert network.asked == ["lan"]


async def test_an_address_that_is_silent_holds_nobody_up():
    network = Network(lan=None, wlan=None, vpn="link")
    assert await network.race(LAN, WLAN, VPN) == (VPN, "link")
    assert sorted(network.given_up) == ["lan", "wlan"]


async def test_an_address_that_refuses_is_followed_by_the_next_at_once(monkeypatch):
    monkeypatch.setattr(race_module, "STAGGER_S", 3600)
    network = Network(lan=PeerUnreachable("lan", "the connection was refused"), wlan="link")
    assert await network.race(LAN, WLAN) == (WLAN, "link")


async def test_of_two_that_come_together_one_is_dropped(monkeypatch):
    network = Network(lan=None, wlan=None)
    racing = asyncio.create_task(network.race(LAN, WLAN))
    await until(lambda: len(network.asked) == 2)
    network.gate.set()
    assert await racing == (LAN, "late link by lan")
    assert network.dropped == ["late link by wlan"]


async def test_a_refusal_tells_more_than_silence():
    refused = PeerRefused("wlan", "it is busy")
    network = Network(
        lan=PeerUnreachable("lan", "no answer within 5 s"), wlan=refused, vpn=PeerUnreachable("vpn", "no answer")
    )
    with pytest.raises(PeerRefused) as raised:
        await network.race(LAN, WLAN, VPN)
    assert raised.value is refused
    with pytest.raises(LinkError, match="no address to try"):
        await network.race()


async def test_whoever_gives_up_leaves_nothing_behind():
    network = Network(lan=None, wlan=None)
    racing = asyncio.create_task(network.race(LAN, WLAN))
    await until(lambda: len(network.asked) == 2)
    racing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await racing
    assert sorted(network.given_up) == ["lan", "wlan"]
    assert network.dropped == []
