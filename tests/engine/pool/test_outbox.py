"""Messages leave in their order while nobody waits for them, until the link is gone."""

from __future__ import annotations

import asyncio

from played_pool import until

from idlepool.engine.errors import LinkError
from idlepool.engine.net.messages import Message
from idlepool.engine.net.question_messages import PeerStop
from idlepool.engine.pool.outbox import Outbox


async def test_order_is_kept_whatever_the_network_takes() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        await asyncio.sleep(0.02 if not sent else 0)
        sent.append(message)

    outbox = Outbox(send, on_lost=lambda: None)
    for number in range(5):
        outbox.put(PeerStop(number))
    assert len(outbox) == 5
    await until(lambda: len(sent) == 5)
    assert sent == [PeerStop(number) for number in range(5)]
    await outbox.close()


async def test_a_lost_link_is_told_once_and_nothing_more_is_sent() -> None:
    told: list[str] = []

    async def send(message: Message) -> None:
        told.append(f"sent {message.request}" if isinstance(message, PeerStop) else "")
        raise LinkError("gone")

    outbox = Outbox(send, on_lost=lambda: told.append("lost"))
    outbox.put(PeerStop(1))
    outbox.put(PeerStop(2))
    await until(lambda: "lost" in told)
    outbox.put(PeerStop(3))
    await asyncio.sleep(0)
    assert told == ["sent 1", "lost"]
    await outbox.close()
