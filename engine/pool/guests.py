"""Questions of other PCs about models whose pipelines this PC heads: each PC is answered by a chat service of its own.

So its request numbers and conversations are its own, it has limits of its own, and all of it ends with the link to it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from idlepool.engine.commands import Ask
from idlepool.engine.errors import MessageError, PoolError, QueueFull, RequestError
from idlepool.engine.events import AnswerDone, AnswerEvent
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import Message
from idlepool.engine.net.question_messages import PeerAnswer, PeerAsk, PeerStop
from idlepool.engine.pool.chat_service import ChatService, refuses
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.pool.outbox import Outbox
from idlepool.engine.pool.pipelines import Pipelines
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.pool.tokenizers import Tokenizers
from idlepool.engine.types import ModelId, NodeId

MOST_QUESTIONS = 16
"""Of one PC, answered and waiting at once."""

MOST_UNREAD = 1000
"""Pieces of answers that wait to be sent to a PC before a new question of it is refused."""

MOST_MESSAGES = 4096
MOST_STOPS = 16
MOST_STOP_CHARACTERS = 1000
MOST_CONVERSATION_CHARACTERS = 200

MOST_ANSWER_BYTES = 1_000_000
"""Of the message that ends an answer; a link takes 2**20."""

TOKEN_BYTES = 12
LOGPROB_BYTES = 32
TOP_BYTES = 40
"""The most that a token, its log-probability, and a token beside it take in that message."""


class Guests:
    """All of them. `send` sends a message to a PC; `stages`: see ChatService."""

    def __init__(
        self,
        models: ModelFolders,
        pipelines: Pipelines,
        send: Callable[[NodeId, Message], Awaitable[None]],
        *,
        tokenizers: Tokenizers,
        stages: int | None = None,
    ) -> None:
        self._new_service = partial(
            ChatService,
            _ModelsById(models),
            pipelines,
            tokenizers=tokenizers,
            stages=stages,
            most_questions=MOST_QUESTIONS,
        )
        self._send = send
        self._guests: dict[NodeId, _Guest] = {}
        self._tasks = TaskKeeper()

    def take(self, node: NodeId, item: PeerAsk | PeerStop) -> None:
        """Begin to answer a PC's question, or stop.

        Raises:
            MessageError: it is no question that a PC of this pool asks.
        """
        guest = self._guests.get(node)
        if isinstance(item, PeerStop):
            if guest is not None:
                guest.stop(item.request)
            return
        if guest is None:
            outbox = Outbox(partial(self._send, node), on_lost=lambda: self.lose(node))
            guest = self._guests[node] = _Guest(node, self._new_service, outbox)
        guest.ask(item.ask)

    def lose(self, node: NodeId) -> None:
        """A PC is gone: stop everything of it."""
        guest = self._guests.pop(node, None)
        if guest is not None:
            self._tasks.start(guest.close())

    async def close(self) -> None:
        """Stop everything."""
        for node in list(self._guests):
            self.lose(node)
        await self._tasks.wait()


class _Guest:
    """A PC with questions."""

    def __init__(
        self, node: NodeId, new_service: Callable[[Callable[[AnswerEvent], None]], ChatService], outbox: Outbox
    ) -> None:
        self._node = node
        self._outbox = outbox
        self._service = new_service(self._tell)
        self._open: set[int] = set()

    def ask(self, ask: Ask) -> None:
        if not 0 <= ask.request < 2**63 or ask.request in self._open:
            raise MessageError("A question has no number of its own.")
        self._open.add(ask.request)
        try:
            if len(self._outbox) >= MOST_UNREAD:
                raise QueueFull(len(self._open))
            question = checked(ask)
        except RequestError as error:
            self._tell(AnswerDone(ask.request, "failed", (), 0, 0.0, 0.0, str(error), refused=refuses(error)))
            return
        # What the stages hold of a conversation is found by its name, which must be nobody else's.
        self._service.ask(msgspec.structs.replace(question, conversation=f"{self._node}/{ask.conversation}"))

    def stop(self, request: int) -> None:
        self._service.stop(request)

    async def close(self) -> None:
        await self._outbox.close()  # first: whoever comes back with the same id is told nothing of this
        await self._service.close()

    def _tell(self, event: AnswerEvent) -> None:
        if isinstance(event, AnswerDone):
            self._open.discard(event.request)
        self._outbox.put(PeerAnswer(event))


def checked(ask: Ask) -> Ask:
    """A peer's question, with its answer so short that it can be sent back; the link has bounded its text.

    Raises:
        RequestError: there is too much of something.
    """
    for what, count, most in (
        ("messages", len(ask.messages), MOST_MESSAGES),
        ("stop texts", len(ask.stop), MOST_STOPS),
        ("characters in a stop text", max(map(len, ask.stop), default=0), MOST_STOP_CHARACTERS),
        ("characters in its conversation's name", len(ask.conversation), MOST_CONVERSATION_CHARACTERS),
    ):
        if count > most:
            raise RequestError(f"A question has {count:,} {what}; at most {most:,} are taken from another PC.")
    logprobs = max(-1, min(ask.sampling.logprobs, 20))
    token_bytes = TOKEN_BYTES + (LOGPROB_BYTES + logprobs * TOP_BYTES if logprobs >= 0 else 0)
    return msgspec.structs.replace(ask, max_tokens=min(ask.max_tokens, MOST_ANSWER_BYTES // token_bytes))


class _ModelsById:
    """The models that are complete here, by their ids: what a model is called is every PC's own."""

    def __init__(self, models: ModelFolders) -> None:
        self._models = models

    def named(self, name: str) -> StoredModel:
        found = self._models.find(ModelId(name))
        if not isinstance(found, StoredModel):
            raise PoolError("The model is no longer on the PC that answered about it.", "Ask again.")
        return found
