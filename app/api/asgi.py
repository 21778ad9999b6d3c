"""The parts of ASGI that the API needs: what a request brings, answers in JSON, and work that ends with its client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, TypeAlias

import msgspec

from idlepool.app.api.refusals import Refusal, TooLarge, TooSlow

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_ALWAYS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


def header(scope: Scope, name: bytes) -> str | None:
    """The header's value; None where it is missing, "" where it comes twice and might be read in two ways."""
    values = [value for key, value in scope["headers"] if key == name]
    if len(values) > 1:
        return ""
    return values[0].decode("latin-1") if values else None


async def read_body(receive: Receive, *, most: int, within_s: float) -> bytes:
    """The body of a request.

    Raises:
        TooLarge: it has more than `most` bytes.
        TooSlow: it did not come in time.
        ConnectionError: it broke off.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(within_s):
            while (message := await receive())["type"] != "http.disconnect":
                body += message.get("body", b"")
                if len(body) > most:
                    raise TooLarge(most)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise TooSlow(within_s) from None
    raise ConnectionResetError


async def start(send: Send, status: int, content_type: bytes, *more: tuple[bytes, bytes]) -> None:
    """Begin an answer."""
    headers = [(b"content-type", content_type), *_ALWAYS, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def send_json(send: Send, value: object, *more: tuple[bytes, bytes], status: int = 200) -> None:
    """A whole answer."""
    body = msgspec.json.encode(value)
    await start(send, status, b"application/json", (b"content-length", b"%d" % len(body)), *more)
    await send({"type": "http.response.body", "body": body})


async def send_refusal(send: Send, refusal: Refusal) -> None:
    """An answer that says why there is none."""
    await send_json(send, refusal.body, *refusal.headers, status=refusal.status)


async def until_gone(receive: Receive, work: Coroutine[Any, Any, None]) -> None:
    """Do the work as long as the client is there; it is cancelled when it goes. The body was read before."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    working, watching = asyncio.create_task(work), asyncio.create_task(gone())
    try:
        await asyncio.wait([working, watching], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (working, watching):
            task.cancel()
        await asyncio.gather(working, watching, return_exceptions=True)
    if not working.cancelled():
        working.result()
