"""What the window (or the terminal) and the node process say to each other: one JSON object a line, over a pipe.

Commands (engine/commands.py) go to the node's standard input, events come from its standard output. The node ends when
its standard input ends, so a window that dies leaves no process behind.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from idlepool.engine.commands import AddModel, Ask, ChatMessage, Command, Overflow, Stop, WantStats, chat_sampling
from idlepool.engine.figures_events import ChainFigures
from idlepool.engine.lending_events import HostedStages, LendingChanged, LentLayers, SetLending, Snooze, StopLending
from idlepool.engine.lending_rules import LendingRules
from idlepool.engine.local_events import LocalEvent
from idlepool.engine.machine_events import MachineFacts
from idlepool.engine.model_events import ModelEvent
from idlepool.engine.node_preferences import NodePreferencesChanged
from idlepool.engine.pairing_events import PairingEvent
from idlepool.engine.plan_events import PlanEvent
from idlepool.engine.pool_events import FoundBy, ModelInfo, PeerInfo, PeerState, PoolChanged
from idlepool.engine.types import Int, Sampling

__all__ = [
    "AddModel",
    "AnswerDone",
    "AnswerEvent",
    "AnswerQueued",
    "AnswerStarted",
    "AnswerText",
    "Ask",
    "ChatMessage",
    "Command",
    "Event",
    "FinishReason",
    "FoundBy",
    "HostedStages",
    "LendingChanged",
    "LendingRules",
    "LentLayers",
    "ModelInfo",
    "ModelProgress",
    "ModelsChanged",
    "NodePreferencesChanged",
    "NodeReady",
    "Overflow",
    "PeerInfo",
    "PeerState",
    "PipelineChanged",
    "PipelineState",
    "PipelineStats",
    "PoolChanged",
    "Sampling",
    "SetLending",
    "Snooze",
    "StageInfo",
    "Stop",
    "StopLending",
    "Trouble",
    "WantStats",
    "chat_sampling",
    "decode_command",
    "decode_event",
    "encode_line",
    "nearly_full",
]

FinishReason = Literal["stop", "length", "cancelled", "failed"]
PipelineState = Literal["none", "preparing", "ready", "broken"]


class NodeReady(msgspec.Struct, frozen=True, tag="node_ready"):
    """The node listens, and does from now on what was asked of it."""

    node: str
    name: str
    host: str
    port: int
    models: tuple[ModelInfo, ...]


class StageInfo(msgspec.Struct, frozen=True):
    """One stage of the pipeline: layers `[first, last)` on `device` of the PC called `name`.

    `phase` is what the stage does while the pipeline is prepared: "waiting", "fetching", "loading", "compiling",
    "ready", "lost".
    """

    node: str
    name: str
    first: int
    last: int
    phase: str
    pid: int = 0
    device: str = ""
    backend: str = ""
    notice: str = ""
    """Why it runs on this device, where another one was tried before."""
    reproducible: bool = False
    """Whether the device gives a seeded answer the same bits in any company."""
    bytes_on_disk: int = 0
    bytes_needed: int = 0
    """While it fetches, these are of what it fetches."""
    bytes_of_model: int = 0
    cache_tokens: int = 0
    """Tokens of conversations that it can hold at once; 0: unknown."""
    block_tokens: int = 1
    max_sequences: int = 0
    """Conversations that it can hold at once, whatever their lengths; 0: no limit."""
    step_ms: float = 0.0
    """What one token took when it was loaded; 0: unknown."""
    phase_s: int = 0
    """Seconds since `phase` began, while the pipeline is prepared; told anew each second."""


class PipelineChanged(msgspec.Struct, frozen=True, tag="pipeline_changed"):
    """The pipeline of `model`: being prepared (`detail` says who is waited for), ready, or broken (`detail`: why)."""

    model: str
    state: PipelineState
    stages: tuple[StageInfo, ...] = ()
    detail: str = ""


class PipelineStats(msgspec.Struct, frozen=True, tag="pipeline_stats"):
    """What the head of a pipeline did since it began."""

    model: str
    frames: int
    """Micro-batches that it sent, and"""
    rows: int
    """their token positions."""
    tokens: int
    """Given out."""
    own_ms: float
    """Its own work: planning frames, judging guesses, look-up of guesses."""
    round_trips_ms: float
    """From sending a frame to its verdict, over all frames."""


class AnswerStarted(msgspec.Struct, frozen=True, tag="answer_started"):
    """The question was taken: how much of the conversation the model will see. Comes before any text."""

    request: Int
    prompt_tokens: Int
    context: Int
    """Tokens that the model can hold: the conversation and its answer."""
    max_tokens: Int
    """Tokens that the answer can have."""
    kept_messages: Int
    dropped_messages: Int = 0
    """The oldest ones, which the model does not see; see Ask.overflow."""
    dropped_tokens: Int = 0
    answered_by: str = ""
    """The PC whose pipeline answers; empty: this one."""


class AnswerQueued(msgspec.Struct, frozen=True, tag="answer_queued"):
    """The question waits behind others; position 1 is the next, 0 is answered. Comes whenever that changes."""

    request: Int
    position: Int

    @property
    def ordinal(self) -> str:
        """The position in words: "2nd"."""
        teen = self.position % 100 in (11, 12, 13)
        return f"{self.position}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(self.position % 10, 'th')}"


class AnswerPaused(msgspec.Struct, frozen=True, tag="answer_paused"):
    """The answer waits: a PC it needs is gone. It goes on by itself, with the next AnswerText or AnswerDone."""

    request: Int
    sentence: str
    """What happened, and what is waited for."""


class AnswerText(msgspec.Struct, frozen=True, tag="answer_text"):
    """More of an answer: `text` is appended. Only text that cannot change any more is sent."""

    request: Int
    text: str
    tokens: Int
    """Tokens of the answer so far."""
    tokens_per_second: float


class AnswerDone(msgspec.Struct, frozen=True, tag="answer_done"):
    """The answer ended. `detail` says why where it failed, or where it is as long as the model can hold.

    What was sent so far stays.
    """

    request: Int
    finish: FinishReason
    token_ids: tuple[Int, ...]
    prompt_tokens: Int
    tokens_per_second: float
    """Decoding speed: from the first token to the last, prefill not counted."""
    time_to_first_token_ms: float
    detail: str = ""
    drafted: Int = 0
    """Tokens that were guessed ahead,"""
    accepted: Int = 0
    """and those of them that the model confirmed."""
    logprobs: tuple[float, ...] = ()
    """Log-probability of each token, where Sampling.logprobs asks for it,"""
    top: tuple[tuple[tuple[Int, float], ...], ...] = ()
    """and the best ones at its place: (id, log-probability), best first."""
    refused: bool = False
    """It failed because of the question itself: asked again, it would fail again."""
    own_plan: bool = False
    """It failed because of the plan that was made by hand for the model on this PC: an automatic one may do."""


NEARLY_FULL = 0.8
"""Share of the context."""


def nearly_full(started: AnswerStarted, done: AnswerDone) -> bool:
    """Whether the conversation is so long after an answer that its next turns may not fit as a whole."""
    return done.prompt_tokens + len(done.token_ids) >= NEARLY_FULL * started.context


class ModelProgress(msgspec.Struct, frozen=True, tag="model_progress"):
    """Adding a model: `step` is "fetching", "checking" or "converting"; `done` of `total` bytes (0: unknown)."""

    source: str
    step: str
    done: int
    total: int


class ModelsChanged(msgspec.Struct, frozen=True, tag="models_changed"):
    """A model was added or removed."""

    models: tuple[ModelInfo, ...]


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """Something went wrong that no other event tells: a sentence and what to do."""

    sentence: str
    hint: str = ""
    once: bool = False
    """It is no trouble but something to know: nobody has to hear it at each start."""


AnswerEvent = AnswerStarted | AnswerQueued | AnswerPaused | AnswerText | AnswerDone
NodeEvent = NodeReady | PoolChanged | PipelineChanged | PipelineStats | ModelProgress | ModelsChanged | Trouble
Event = (
    NodeEvent
    | AnswerEvent
    | PairingEvent
    | LocalEvent
    | LendingChanged
    | HostedStages
    | MachineFacts
    | ModelEvent
    | NodePreferencesChanged
    | PlanEvent
    | ChainFigures
)

_commands = msgspec.json.Decoder(Command)
_events = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder()


def encode_line(item: Command | Event) -> bytes:
    """One line, with its newline."""
    return _encoder.encode(item) + b"\n"


def decode_command(line: bytes) -> Command:
    """Raise msgspec.DecodeError (or its ValidationError) for anything that is no command."""
    return _commands.decode(line)


def decode_event(line: bytes) -> Event:
    """Raise msgspec.DecodeError (or its ValidationError) for anything that is no event."""
    return _events.decode(line)
