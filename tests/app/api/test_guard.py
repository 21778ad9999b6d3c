"""Whom the guard lets through, without a network: so many requests at once, and names of loopback only."""

from __future__ import annotations

import asyncio
import json

import pytest

from idlepool.app.api.asgi import Message, Receive, Scope, Send, send_json
from idlepool.app.api.guard import Guard

KEY = "idlepool-key"


class Client:
    """Asks the guard in front of an application that answers when it may."""

    def __init__(self, *, most_requests: int = 32) -> None:
        self.may_answer = asyncio.Event()
        self.guard = Guard(self._answer, KEY, most_requests=most_requests)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.may_answer.wait()
        await send_json(send, {"let": "in"})

    async def ask(self, *headers: tuple[str, str]) -> tuple[int, str]:
        """The status, and the code of the error."""
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request"}

        async def send(message: Message) -> None:
            sent.append(message)

        told = [("host", "localhost:7419"), ("authorization", f"Bearer {KEY}")]
        told = [(name, value) for name, value in told if name not in dict(headers) or (name, value) in headers]
        pairs = [(name.encode(), value.encode("latin-1")) for name, value in [*told, *headers]]
        await self.guard({"type": "http", "method": "GET", "path": "/", "headers": pairs}, receive, send)
        return sent[0]["status"], json.loads(sent[1]["body"]).get("error", {}).get("code", "")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:7419", "localhost", "LOCALHOST:1", "[::1]:7419"])
async def test_names_of_loopback_are_let_in(host: str) -> None:
    client = Client()
    client.may_answer.set()
    assert await client.ask(("host", host)) == (200, "")


@pytest.mark.parametrize("host", ["", "pc-3", "evil.example", "127.0.0.1@evil.example", "[::1", "127.0.0.2", "0.0.0.0"])
async def test_other_names_are_not(host: str) -> None:
    assert await Client().ask(("host", host)) == (403, "forbidden")


async def test_a_header_that_comes_twice_opens_nothing() -> None:
    client = Client()
    assert await client.ask(("host", "localhost:7419"), ("host", "evil.example")) == (403, "forbidden")
    bearer = f"Bearer {KEY}"
    assert await client.ask(("authorization", bearer), ("authorization", "x")) == (401, "invalid_api_key")


@pytest.mark.parametrize("shown", ["bearer {}", "BEARER  {} "])
async def test_the_scheme_is_read_as_http_says(shown: str) -> None:
    client = Client()
    client.may_answer.set()
    assert await client.ask(("authorization", shown.format(KEY))) == (200, "")


async def test_a_key_of_strange_letters_is_refused() -> None:
    assert await Client().ask(("authorization", "Bearer schlüssel")) == (401, "invalid_api_key")


async def test_more_at_once_are_told_to_come_again() -> None:
    client = Client(most_requests=2)
    asked = [asyncio.create_task(client.ask()) for _ in range(2)]
    await asyncio.sleep(0)
    assert await client.ask() == (429, "rate_limit_exceeded")
    client.may_answer.set()
    assert await asyncio.gather(*asked) == [(200, ""), (200, "")]
    assert await client.ask() == (200, "")
