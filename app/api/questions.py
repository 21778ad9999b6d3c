"""A request in OpenAI's shape, read and judged, and the question to the pool that it becomes.

What a program asks for and this API has not is refused by name; fields that change nothing here are passed over.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from idlepool.app.api.refusals import Refusal
from idlepool.engine.commands import Ask, ChatMessage, chat_sampling
from idlepool.engine.decode.sampler import check_sampling
from idlepool.engine.errors import RequestError
from idlepool.engine.sampling_rules import LARGEST_SEED
from idlepool.engine.types import Int, Sampling

MOST_MESSAGES = 4096
MOST_STOPS = 16
MAX_TOKENS = 4096
"""Of an answer whose request says nothing about it."""

Role = Literal["system", "developer", "user", "assistant", "tool", "function"]

_NOT_HERE = {
    "n": "give several answers to one request",
    "logprobs": "give log-probabilities",
    "tools": "use tools",
    "functions": "call functions",
    "response_format": "write answers in a given form",
}
"""Fields, and what a program wants that sets them."""


class Part(msgspec.Struct, frozen=True):
    """A part of a message; of its kinds only `text` is understood."""

    type: str
    text: str = ""


class RequestMessage(msgspec.Struct, frozen=True):
    """One message; `developer` is what newer models call the system."""

    role: Role
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """All of it."""
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(msgspec.Struct, frozen=True):
    """What else a stream brings."""

    include_usage: bool | None = None


class ResponseFormat(msgspec.Struct, frozen=True):
    """How the answer is to be written."""

    type: str = "text"


class ChatRequest(msgspec.Struct, frozen=True):
    """The body of POST /v1/chat/completions, with the engine's own settings as other local servers call them."""

    model: str
    messages: Annotated[list[RequestMessage], msgspec.Meta(min_length=1, max_length=MOST_MESSAGES)]
    temperature: float | None = None
    top_p: float | None = None
    top_k: Int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: Int | None = None
    max_tokens: Int | None = None
    max_completion_tokens: Int | None = None
    stop: str | Annotated[list[str], msgspec.Meta(max_length=MOST_STOPS)] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Int | None = None
    logprobs: bool | None = None
    logit_bias: dict[str, float] | None = None
    tools: list[Any] | None = None
    functions: list[Any] | None = None
    response_format: ResponseFormat | None = None

    @property
    def streams(self) -> bool:
        """Whether the answer comes while it grows."""
        return bool(self.stream)

    @property
    def wants_usage(self) -> bool:
        """Whether a stream ends with its numbers."""
        return bool(self.stream_options and self.stream_options.include_usage)


_decoder = msgspec.json.Decoder(ChatRequest)


def read_request(body: bytes) -> ChatRequest:
    """Read it. Raises Refusal where it means nothing, or asks for what this API has not."""
    try:
        request = _decoder.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refusal(f"The request cannot be read: {error}.", code="invalid_request") from error
    for field, wanted in _wanted(request).items():
        if wanted:
            raise Refusal(
                f"Idlepool's API does not {_NOT_HERE[field]}.", f"Ask without {field}.", code="unsupported", field=field
            )
    _check_messages(request.messages)
    return request


def question_of(request: ChatRequest) -> Ask:
    """What the pool is asked. Raises Refusal where a setting has no meaning."""
    sampling = _sampling(request)
    try:
        check_sampling(sampling)
    except RequestError as error:
        raise Refusal(error.sentence, error.hint, code="invalid_value") from error
    stop = [request.stop] if isinstance(request.stop, str) else request.stop or []
    wanted = request.max_completion_tokens if request.max_completion_tokens is not None else request.max_tokens
    max_tokens = MAX_TOKENS if wanted is None else wanted
    if max_tokens < 1:
        field = "max_completion_tokens" if request.max_completion_tokens is not None else "max_tokens"
        raise Refusal("An answer has at least one token.", code="invalid_value", field=field)
    return Ask(
        request=1,
        conversation=f"api-{secrets.token_hex(8)}",
        model=request.model,
        messages=tuple(map(_message, request.messages)),
        sampling=sampling,
        max_tokens=max_tokens,
        stop=tuple(text for text in stop if text),
        reproducible=None if request.seed is not None else sampling.temperature == 0,
    )


def _sampling(request: ChatRequest) -> Sampling:
    """What the request says, and else what a chat in the window has."""
    names = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty")
    told = {name: value for name in names if (value := getattr(request, name)) is not None}
    if request.seed is not None:
        told["seed"] = request.seed & LARGEST_SEED  # there a seed may be negative
    return msgspec.structs.replace(chat_sampling(), logit_bias=_biases(request), **told)


def _biases(request: ChatRequest) -> tuple[tuple[int, float], ...]:
    try:
        return tuple((int(token), bias) for token, bias in (request.logit_bias or {}).items())
    except ValueError as error:
        raise Refusal("A token is named by its number.", code="invalid_value", field="logit_bias") from error


def _message(message: RequestMessage) -> ChatMessage:
    match message.role:
        case "user" | "assistant" as role:
            return ChatMessage(role, message.text)
    return ChatMessage("system", message.text)


def _check_messages(messages: Sequence[RequestMessage]) -> None:
    kinds = {part.type for message in messages if isinstance(message.content, list) for part in message.content}
    other = next(iter(sorted(kinds - {"text"})), None)
    if other is not None:
        hint = f"Ask without {other}."
        raise Refusal("Idlepool's API reads nothing but text.", hint, code="unsupported", field="messages")
    if not any(message.role == "user" for message in messages):
        raise Refusal("There is nothing to answer.", "Add a message of a user.", code="invalid_value", field="messages")


def _wanted(request: ChatRequest) -> dict[str, bool]:
    results = any(message.role in ("tool", "function") for message in request.messages)
    return {
        "n": request.n not in (None, 1),
        "logprobs": bool(request.logprobs),
        "tools": bool(request.tools) or results,
        "functions": bool(request.functions),
        "response_format": request.response_format is not None and request.response_format.type != "text",
    }
