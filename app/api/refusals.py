"""Why a request of a program is not answered, in the shape in which OpenAI's API tells errors."""

from __future__ import annotations

from typing import TypedDict

from idlepool.engine.errors import IdlepoolError


class ErrorBody(TypedDict):
    """The error, as it stands in the body of an answer."""

    error: dict[str, str | None]


class Refusal(IdlepoolError):
    """A request that is answered with an error: its HTTP status, OpenAI's type and code, and the field it is about."""

    def __init__(
        self,
        sentence: str,
        hint: str = "",
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
        code: str | None = None,
        field: str | None = None,
    ) -> None:
        self.status, self.kind, self.code, self.field = status, kind, code, field
        self.headers: tuple[tuple[bytes, bytes], ...] = ()
        """That HTTP wants beside the status."""
        super().__init__(sentence, hint)

    @property
    def body(self) -> ErrorBody:
        """What the program reads."""
        return {"error": {"message": str(self), "type": self.kind, "param": self.field, "code": self.code}}


class NotOfThisPc(Refusal):
    """A web page asks, or somebody under another name: see guard.py."""

    def __init__(self) -> None:
        super().__init__(
            "Only programs of this PC are answered, not web pages.",
            "Use the address that the settings of Idlepool show.",
            status=403,
            code="forbidden",
        )


class WrongKey(Refusal):
    """The key is missing or another one."""

    def __init__(self) -> None:
        super().__init__(
            "The API key is missing or wrong.",
            "Copy it from the settings of Idlepool, or from: idlepool api",
            status=401,
            code="invalid_api_key",
        )
        self.headers = ((b"www-authenticate", b"Bearer"),)


class NoSuchPlace(Refusal):
    """There is nothing at that path."""

    def __init__(self) -> None:
        super().__init__(
            "Idlepool has no such endpoint.",
            "It answers GET /v1/models, GET /v1/models/NAME and POST /v1/chat/completions.",
            status=404,
            code="unknown_url",
        )


class OtherMethod(Refusal):
    """What is at that path is asked by another method."""

    def __init__(self, path: str, method: str) -> None:
        super().__init__(
            f"{path} is for {method}.", f"Send the request with {method}.", status=405, code="method_not_allowed"
        )
        self.headers = ((b"allow", method.encode()),)


class TooLarge(Refusal):
    """The body is larger than what is read."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The request has more than {most:,} bytes.", "Send less.", status=413, code="request_too_large"
        )


class TooSlow(Refusal):
    """The body did not come in time."""

    def __init__(self, within_s: float) -> None:
        super().__init__(
            f"The request did not come within {within_s:.0f} seconds.", "Send it at once.", status=408, code="timeout"
        )


class TooMany(Refusal):
    """More requests at once than are answered."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"{most} requests are being answered already.",
            "Ask again in a moment.",
            status=429,
            kind="rate_limit_error",
            code="rate_limit_exceeded",
        )


class NotServed(Refusal):
    """A question that was understood and could not be answered; `reason` is the pool's own sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason or "The answer broke off.", status=503, kind="server_error", code="answer_failed")
