"""Who is answered: programs of this PC that show the key, so many at once; never a web page, whatever its address.

A page of a stranger can make the browser ask a server on loopback, under a name that the stranger's DNS points there.
Such a request tells the name in Host and the page in Origin: only names of loopback are let through. A page that is
served on this PC needs the key like any program, and reads nothing, as no answer allows it to (no CORS).
"""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from idlepool.app.api.asgi import Application, Receive, Scope, Send, header, send_refusal
from idlepool.app.api.refusals import NotOfThisPc, Refusal, TooMany, WrongKey

MOST_REQUESTS = 32
"""Answered at once."""
_LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
_SCHEME = "bearer "


class Guard:
    """In front of an `application`."""

    def __init__(self, application: Application, key: str, *, most_requests: int = MOST_REQUESTS) -> None:
        self._application = application
        self._key = key.encode()
        self._most_requests = most_requests
        self._requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if (refusal := self._refusal(scope)) is not None:
            await send_refusal(send, refusal)
            return
        self._requests += 1
        try:
            await self._application(scope, receive, send)
        finally:
            self._requests -= 1

    def _refusal(self, scope: Scope) -> Refusal | None:
        origin = header(scope, b"origin")
        if not _is_loopback(f"//{header(scope, b'host') or ''}") or (origin is not None and not _is_loopback(origin)):
            return NotOfThisPc()
        shown = header(scope, b"authorization") or ""
        if not shown.lower().startswith(_SCHEME):
            return WrongKey()
        if not hmac.compare_digest(shown[len(_SCHEME) :].strip().encode("latin-1"), self._key):
            return WrongKey()
        if self._requests >= self._most_requests:
            return TooMany(self._most_requests)
        return None


def _is_loopback(address: str) -> bool:
    try:
        return urlsplit(address).hostname in _LOOPBACK_NAMES
    except ValueError:  # of an address that is none
        return False
