"""A window as its node sees it: asks, and keeps the events that come back."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from played_pool import until

from idlepool.engine.events import AnswerDone, AnswerStarted, AnswerText, Ask, ChatMessage
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.pool.chat_service import ChatService
from idlepool.engine.pool.node import Node

_requests = itertools.count(1)


class Window:
    """Asks a node, and keeps what comes back by request. `folder`: of the model that it asks about."""

    def __init__(self, node: Node, folder: Path) -> None:
        self.events: dict[int, list[Any]] = {}
        self.folder = folder
        self.tokenizer = Tokenizer(folder)
        self.node = node
        self.service = self.new_service()

    def new_service(self, **options: Any) -> ChatService:
        defaults = {"stages": 1, "joined": self.node.joined, "tokenizers": None}
        return ChatService(self.node.models, self.node.pipelines, self._take, **(defaults | options))

    def ask(self, *texts: str, chat: str = "", service: ChatService | None = None, **settings: Any) -> int:
        """Ask the last of `texts`; those before are the conversation so far, the user's first. Returns the request."""
        request = next(_requests)
        roles = itertools.cycle(("user", "assistant"))
        messages = tuple(ChatMessage(role, text) for role, text in zip(roles, texts, strict=False))
        options = {"model": "tiny", "max_tokens": 40, "messages": messages} | settings
        self.events[request] = []
        (service or self.service).ask(Ask(request, chat or f"chat {request}", **options))
        return request

    def stop(self, request: int) -> None:
        self.service.stop(request)

    async def done(self, request: int) -> AnswerDone:
        await until(lambda: any(isinstance(event, AnswerDone) for event in self.events[request]))
        done = self.events[request][-1]
        assert isinstance(done, AnswerDone)
        return done

    def started(self, request: int) -> AnswerStarted:
        """What was told before any text."""
        started = self.events[request][0]
        assert isinstance(started, AnswerStarted)
        return started

    def pieces(self, request: int) -> list[AnswerText]:
        return [event for event in self.events[request] if isinstance(event, AnswerText)]

    def text(self, request: int) -> str:
        return "".join(piece.text for piece in self.pieces(request))

    def _take(self, event: Any) -> None:
        self.events[event.request].append(event)
