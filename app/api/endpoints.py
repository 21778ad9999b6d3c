"""The endpoints: which models there are, and answers of the pool; each question has a chat service of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from idlepool.app.api.asgi import Receive, Scope, Send, read_body, send_json, send_refusal, start, until_gone
from idlepool.app.api.questions import ChatRequest, question_of, read_request
from idlepool.app.api.refusals import NoSuchPlace, NotServed, OtherMethod, Refusal
from idlepool.app.api.replies import STILL_THERE, Reply, event
from idlepool.engine.errors import UnknownModel
from idlepool.engine.events import AnswerDone, AnswerStarted, AnswerText, Ask, Event
from idlepool.engine.pool.chat_service import ChatService
from idlepool.engine.pool.node import Node

log = logging.getLogger("idlepool.api")

MOST_BODY_BYTES = 8 * 2**20
BODY_S = 30.0
"""On loopback all of it is there at once."""
SILENCE_S = 15.0
"""After so long without a word a stream says that it still waits."""

MODELS = "/v1/models"
CHAT = "/v1/chat/completions"
_METHODS = {MODELS: "GET", CHAT: "POST"}


class Endpoints:
    """ASGI, for the models of `node` and of its pool; `new_chat` makes what answers, and takes what hears it."""

    def __init__(self, node: Node, new_chat: Callable[[Callable[[Event], None]], ChatService]) -> None:
        self._node = node
        self._new_chat = new_chat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        try:
            match scope["method"], scope["path"]:
                case "GET", "/v1/models":
                    models = [_model(name) for name in await self._model_names()]
                    await send_json(send, {"object": "list", "data": models})
                case "GET", str(path) if path.startswith(f"{MODELS}/"):
                    await send_json(send, _model(await self._known(path[len(MODELS) + 1 :])))
                case "POST", "/v1/chat/completions":
                    await self._chat(receive, send)
                case _, str(path):
                    raise OtherMethod(path, _METHODS[path]) if path in _METHODS else NoSuchPlace()
        except Refusal as refusal:
            await send_refusal(send, refusal)
        except ConnectionError:
            log.debug("a program went away before it had asked")

    async def _chat(self, receive: Receive, send: Send) -> None:
        request = read_request(await read_body(receive, most=MOST_BODY_BYTES, within_s=BODY_S))
        ask = question_of(request)
        await self._known(request.model)
        await until_gone(receive, (self._stream if request.streams else self._whole)(request, ask, send))

    async def _model_names(self) -> tuple[str, ...]:
        here = [model.name for model in await asyncio.to_thread(self._node.models.complete)]
        others = self._node.neighbourhood.infos()
        there = [model.name for pc in others if pc.lends for model in pc.whole]
        there += [name for pc in others for name in pc.running]  # also where their owner uses them just now
        return tuple({name.casefold(): name for name in reversed(here + sorted(there))}.values())[::-1]

    async def _known(self, model: str) -> str:
        names = await self._model_names()
        found = next((name for name in names if name.casefold() == model.casefold()), None)
        if found is None:
            error = UnknownModel(model, names)
            raise Refusal(error.sentence, error.hint, status=404, code="model_not_found", field="model")
        return found

    async def _whole(self, request: ChatRequest, ask: Ask, send: Send) -> None:
        text: list[str] = []
        started = False
        async with aclosing(self._answer(ask)) as answer:
            async for told in answer:
                match told:
                    case AnswerStarted():
                        started = True
                    case AnswerText():
                        text.append(told.text)
                    case AnswerDone(finish="failed"):
                        raise _failure(told, started=started)
                    case AnswerDone():
                        await send_json(send, Reply(request.model).whole("".join(text), told))

    async def _stream(self, request: ChatRequest, ask: Ask, send: Send) -> None:
        """The answer begins once the question was taken: until then a refusal still has its status."""
        stream = _Stream(Reply(request.model, with_usage=request.wants_usage), send)
        async with aclosing(self._answer(ask)) as answer:
            async for told in answer:
                await stream.tell(told)

    async def _answer(self, ask: Ask) -> AsyncGenerator[Event | None]:
        """What is told of the answer; None where there was nothing to tell for a while. It ends with its reader."""
        told: asyncio.Queue[Event] = asyncio.Queue()
        chat = self._new_chat(told.put_nowait)
        try:
            chat.ask(ask)
            while True:
                next_told: Event | None = None
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SILENCE_S):
                        next_told = await told.get()
                yield next_told
                if isinstance(next_told, AnswerDone):
                    return
        finally:
            await chat.close()


class _Stream:
    """An answer that is sent while it grows."""

    def __init__(self, reply: Reply, send: Send) -> None:
        self._reply = reply
        self._send = send
        self._started = False

    async def tell(self, told: Event | None) -> None:
        """Send it on. Raises Refusal where it fails before anything was sent."""
        match told:
            case AnswerStarted() if not self._started:
                self._started = True
                await start(self._send, 200, b"text/event-stream")
                await self._say(self._reply.first())
            case AnswerText():
                await self._say(self._reply.text(told.text))
            case AnswerDone(finish="failed") if not self._started:
                raise _failure(told, started=False)
            case AnswerDone(finish="failed"):
                await self._say(event(NotServed(told.detail).body), more=False)
            case AnswerDone():
                await self._say(self._reply.last(told), more=False)
            case None if self._started:
                await self._say(STILL_THERE)

    async def _say(self, data: bytes, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": more})


def _failure(done: AnswerDone, *, started: bool) -> Refusal:
    """A question that is refused was not taken: of those only a conversation that is too long was counted."""
    if not done.refused or started:
        return NotServed(done.detail)
    if done.prompt_tokens:
        return Refusal(done.detail, code="context_length_exceeded", field="messages")
    return Refusal(done.detail, code="invalid_value")


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "idlepool"}
