"""Questions about a model whose pipeline another PC heads: they go to that PC, over the control link to it.

One pipeline serves the whole pool: the model's layers are loaded once, and whoever asks joins those who are answered.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from idlepool.engine.commands import Ask
from idlepool.engine.errors import HeadLost, LinkError, ModelDamaged, RequestError, UnknownModel
from idlepool.engine.events import AnswerDone, AnswerEvent, AnswerPaused, AnswerStarted, FinishReason
from idlepool.engine.net.link_limits import MAX_MESSAGE_BYTES
from idlepool.engine.net.messages import Message, encode_message
from idlepool.engine.net.question_messages import PeerAnswer, PeerAsk, PeerStop, RunningModel, WholeModel
from idlepool.engine.net.shown import shown
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.types import ModelId, NodeId

log = logging.getLogger("idlepool.joined")

LAST_WORD_S = 2.0
"""What the head gets to say how an answer ended that was stopped here."""

MAX_DETAIL = 600
"""Characters of a peer's sentence that are shown."""


@dataclass(frozen=True, slots=True)
class Head:
    """The PC that answers about a model."""

    node: NodeId
    model: ModelId


@dataclass(frozen=True, slots=True)
class JoinServices:
    """What the questions need of the node."""

    here: NodeId
    models: ModelFolders
    running: Callable[[], Mapping[NodeId, tuple[RunningModel, ...]]]
    """For this PC and all that are present the models whose pipelines they head."""
    whole: Callable[[], Mapping[NodeId, tuple[WholeModel, ...]]]
    """For the others that are present and lend the models that are complete there."""
    name_of: Callable[[NodeId], str]
    send: Callable[[NodeId, Message], Awaitable[None]]
    give_up: Callable[[ModelId], None]
    """Closes this PC's own pipeline of a model unless it is needed: the head that stays is another."""


@dataclass(slots=True, eq=False)
class _Question:
    """A question that a head has."""

    request: int
    head: NodeId
    name: str
    relay: Callable[[AnswerEvent], None]
    over: asyncio.Event = field(default_factory=asyncio.Event)
    finish: FinishReason | None = None


class Joined:
    """The questions of this PC that other PCs answer."""

    def __init__(self, services: JoinServices) -> None:
        self._services = services
        self._questions: dict[int, _Question] = {}
        self._numbers = itertools.count(1)
        self._asked: dict[str, Head] = {}
        """Who answered last about a model that is not here."""

    async def head_of(self, name: str) -> Head | None:
        """Who answers about the model called `name`; None: this PC itself.

        A PC that heads a pipeline of it; for a model that is not here else the one that answered last, or has it whole
        and makes a pipeline then. Where there are several, the one with the smallest id, so that all choose the same.
        """
        model = await asyncio.to_thread(self._own, name)
        services = self._services
        head = _first(services.running(), lambda one: one.model == model if model else _called(one, name))
        if head is None and model is None:
            head = self._known(name) or _first(services.whole(), lambda one: _called(one, name))
        if head is None or head.node == services.here:
            return None
        if model is None:
            self._asked[name.casefold()] = head
        else:
            services.give_up(model)
        return head

    async def answer(self, head: Head, ask: Ask, relay: Callable[[AnswerEvent], None]) -> FinishReason:
        """Have `head` answer; `relay` takes every event of the answer. Where it is cancelled, the head stops too.

        Raises:
            RequestError: the question is too long for a link.
            HeadLost: the head went away; what was relayed so far is all.
        """
        number = next(self._numbers)
        message = PeerAsk(msgspec.structs.replace(ask, request=number, model=head.model))
        if len(encode_message(message).encode()) > MAX_MESSAGE_BYTES:
            raise RequestError("The conversation is too long to be sent to another PC.", "Begin a new one.")
        question = _Question(ask.request, head.node, self._services.name_of(head.node), relay)
        self._questions[number] = question
        try:
            await self._services.send(head.node, message)
            await question.over.wait()
        except LinkError:
            raise HeadLost(question.name) from None
        except asyncio.CancelledError:
            await self._stop(number, question)
            raise
        finally:
            del self._questions[number]
        if question.finish is None:
            raise HeadLost(question.name)
        return question.finish

    def take(self, node: NodeId, answer: PeerAnswer) -> None:
        """Take what a head says of an answer; nobody may wait for it any more."""
        question = self._questions.get(answer.event.request)
        if question is None or question.head != node or question.over.is_set():
            return
        event = msgspec.structs.replace(answer.event, request=question.request)
        if isinstance(event, AnswerStarted):
            event = msgspec.structs.replace(event, answered_by=question.name)
        elif isinstance(event, AnswerPaused):
            event = msgspec.structs.replace(event, sentence=shown(event.sentence, MAX_DETAIL))
        elif isinstance(event, AnswerDone):
            # Another plan for its pipelines is its own user's to choose.
            event = msgspec.structs.replace(event, detail=shown(event.detail, MAX_DETAIL), own_plan=False)
            question.finish = event.finish
            question.over.set()
        question.relay(event)

    def lose(self, node: NodeId) -> None:
        """A PC is gone: what it was asked ends."""
        for question in self._questions.values():
            if question.head == node:
                question.over.set()

    def _own(self, name: str) -> ModelId | None:
        try:
            return self._services.models.named(name).model
        except (UnknownModel, ModelDamaged):  # told by whoever needs it here
            return None

    def _known(self, name: str) -> Head | None:
        """Who answered before about a model that runs nowhere now: it makes a pipeline anew, as long as it lends."""
        head = self._asked.get(name.casefold())
        return head if head is not None and head.node in self._services.whole() else None

    async def _stop(self, number: int, question: _Question) -> None:
        """Tell the head, and wait a little for its last word: what it had said before is part of the answer."""
        try:
            async with asyncio.timeout(LAST_WORD_S):
                await self._services.send(question.head, PeerStop(number))
                await question.over.wait()
        except (LinkError, TimeoutError):
            log.info("%s did not say how a stopped answer ended", question.name)


def _called(model: RunningModel, name: str) -> bool:
    return model.name.casefold() == name.casefold()


def _first(models: Mapping[NodeId, Sequence[RunningModel]], wanted: Callable[[RunningModel], bool]) -> Head | None:
    """The PC with the smallest id that has such a model."""
    heads = [Head(node, ModelId(one.model)) for node, those in models.items() for one in those if wanted(one)]
    return min(heads, key=lambda head: head.node, default=None)
