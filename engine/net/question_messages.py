"""Questions from one PC to the head of a pipeline on another, and what comes back; part of messages.py."""

from __future__ import annotations

import msgspec

from idlepool.engine.commands import Ask
from idlepool.engine.events import AnswerEvent
from idlepool.engine.types import Int


class RunningModel(msgspec.Struct, frozen=True):
    """A model whose pipeline a PC heads: its id, and what it is called there."""

    model: str
    name: str


class WholeModel(RunningModel, frozen=True):
    """A model that is complete on a PC, which answers about it."""

    layers: Int
    context: Int
    bytes: Int


class PeerAsk(msgspec.Struct, frozen=True, tag="peer_ask"):
    """Answer this. Its `model` is a model's id, its `request` a number of the asking PC's own."""

    ask: Ask


class PeerAnswer(msgspec.Struct, frozen=True, tag="peer_answer"):
    """More of the answer to a PeerAsk, by its number; AnswerDone is the last."""

    event: AnswerEvent


class PeerStop(msgspec.Struct, frozen=True, tag="peer_stop"):
    """Stop an answer; what is over already is left alone."""

    request: Int
