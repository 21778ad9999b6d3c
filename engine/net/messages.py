"""Control messages between PCs: JSON text on a link, and the same inside MESSAGE frames on the pipe to a stage.

One tagged union; whatever does not decode into it is refused. Messages carry no token and no activation: those travel
in binary frames (frames.py).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from idlepool.engine.errors import MessageError
from idlepool.engine.net.model_messages import WantChunk, WantFile, WantHave, WantManifest
from idlepool.engine.net.presence_messages import Heartbeat, LinkPing, LinkPong, WantTestBytes
from idlepool.engine.net.presence_messages import Place as Place
from idlepool.engine.net.question_messages import PeerAnswer, PeerAsk, PeerStop
from idlepool.engine.net.standby_messages import StageAhead
from idlepool.engine.net.status_messages import DeviceInfo as DeviceInfo
from idlepool.engine.net.status_messages import NodeStatus as NodeStatus
from idlepool.engine.net.status_messages import StageMemory as StageMemory
from idlepool.engine.net.status_messages import StepTimes as StepTimes
from idlepool.engine.net.trust_messages import Dismissed, RosterNews
from idlepool.engine.types import Backend, Count, ElementType, Int

PROTOCOL_VERSION = 3
"""Raised with every change that an older node would misread."""

Role = Literal["control", "activation", "model", "test"]
"""What a link is for: one control link a pair of PCs, one activation link a pair of neighbouring stages, model bytes
on a link of their own, and so is the measuring of a connection."""


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """First message of the one who connects. `port` is where it listens itself; `session` names an activation link's
    pipeline; `pool` and `epoch` are those of its roster, `roster` tells it from others of that epoch (roster_id)."""

    role: Role
    node: str = ""
    name: str = ""
    port: Int = 0
    pool: str = ""
    session: Int = 0
    instance: Int = 0
    """Another number each time the node starts: a link of an earlier run is known for dead by it."""
    epoch: Int = 0
    version: Int = PROTOCOL_VERSION
    build: str = ""
    """The version of the program, for people."""
    roster: str = ""


class Welcome(msgspec.Struct, frozen=True, tag="welcome"):
    """The listener's answer to a Hello it accepts."""

    node: str
    name: str
    port: Int
    instance: Int = 0
    """See Hello, and so for the rest."""
    pool: str = ""
    epoch: Int = 0
    version: Int = PROTOCOL_VERSION
    build: str = ""
    roster: str = ""


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The listener's answer to a Hello or a request it does not accept, with the reason and what to do about it."""

    sentence: str
    version: Int = PROTOCOL_VERSION
    hint: str = ""


# --- control link ----------------------------------------------------------------------------------------------------


class Candidate(msgspec.Struct, frozen=True):
    """A device and a form of shard to try on it."""

    device: str
    backend: Backend


class PrepareStage(msgspec.Struct, frozen=True, tag="prepare_stage"):
    """Host layers `[first, last)` of a model. The hidden states go to `next`; the last stage's ids go to `head`.

    `wire` is the element type of the tensors between stages. `source` is where missing model bytes may be had. Frames
    are taken from the PC `feeder` alone, which is that of the stage before, or the head where none is named.
    """

    session: Int
    model: str
    first: Int
    last: Int
    device: str
    wire: ElementType
    head: Place
    next: Place | None
    source: Place | None
    feeder: str = ""


class StageProgress(msgspec.Struct, frozen=True, tag="stage_progress"):
    """What a stage does before it is ready; `done` of `total` bytes while fetching."""

    session: Int
    phase: Literal["fetching", "loading", "compiling"]
    done: Count = 0
    total: Count = 0


class StageReady(msgspec.Struct, frozen=True, tag="stage_ready"):
    """The stage is loaded and connected to the next one."""

    session: Int
    pid: Count
    device: str
    bytes_on_disk: Count
    bytes_needed: Count
    bytes_of_model: Count
    backend: str = ""
    notice: str = ""
    """Why it runs on this device in this form, where others were tried before."""
    reproducible: bool = False
    """Whether segments of two tokens and more give the same bits whatever the chunks and the company."""
    cache_tokens: Count = 0
    """Positions that its caches hold for all sequences together; 0: unknown."""
    block_tokens: Annotated[int, msgspec.Meta(ge=1, le=2**31)] = 1
    """Positions come in blocks of so many."""
    max_sequences: Count = 0
    """Sequences that it holds at once; 0: as many as come."""
    step_ms: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """What one token took when it was loaded; 0: unknown."""


class StageLost(msgspec.Struct, frozen=True, tag="stage_lost"):
    """The stage could not be prepared, or is gone; the sentence says why."""

    session: Int
    sentence: str


class StageLeaving(msgspec.Struct, frozen=True, tag="stage_leaving"):
    """The PC is not lent any more; the sentence says why. The stage computes nothing from now on, and its memory is
    freed. It is forgotten when it is released, or by itself when `deadline_ms` are over."""

    session: Int
    sentence: str
    deadline_ms: Count


class ReleaseStage(msgspec.Struct, frozen=True, tag="release_stage"):
    """The pipeline is over: free everything it holds."""

    session: Int


class EndSequence(msgspec.Struct, frozen=True, tag="end_sequence"):
    """Free what is held of a sequence after its first `keep` positions; with 0 nobody will ask for it again."""

    session: Int
    sequence: Int
    keep: Count = 0


# --- pipe to a stage process -----------------------------------------------------------------------------------------


class StageHello(msgspec.Struct, frozen=True, tag="stage_hello"):
    """First message of a stage process: the engine is imported, these devices can be used."""

    pid: int
    devices: tuple[DeviceInfo, ...]


class LoadShard(msgspec.Struct, frozen=True, tag="load_shard"):
    """Load layers `[first, last)` of the model in `folder` on the first of `candidates` that can.

    `held` are the chunks of its weights that are there.
    """

    folder: str
    model: str
    first: int
    last: int
    candidates: tuple[Candidate, ...]
    wire: ElementType
    cache: str
    """Folder for what is found out or compiled once: verdicts of self-tests, compiled shards."""
    threads: int = 0
    """Of a CPU; 0: what it chooses."""
    held: tuple[tuple[int, int], ...] | None = None
    """Byte ranges `(offset, length)` of the weights that are filled; None: all."""


class ShardCompiling(msgspec.Struct, frozen=True, tag="shard_compiling"):
    """The graph is cut, and the device compiles it now, which may take minutes."""


class ShardLoaded(msgspec.Struct, frozen=True, tag="shard_loaded"):
    """The shard is compiled and waits for frames. What is not told here: see StageReady."""

    device: str
    backend: Backend
    seconds: float
    notice: str = ""
    reproducible: bool = False
    cache_tokens: int = 0
    block_tokens: int = 1
    max_sequences: int = 0
    steps_ms: tuple[float, ...] = ()
    """Of 1, 4, 16 and 64 tokens; empty: unknown."""


class ShardFailed(msgspec.Struct, frozen=True, tag="shard_failed"):
    """The shard could not be loaded or died over a frame; the process ends after it."""

    sentence: str


class EmptyShard(msgspec.Struct, frozen=True, tag="empty_shard"):
    """The session is over: forget every sequence, and what waits is for nobody. Answered by ShardEmptied."""


class ShardEmptied(msgspec.Struct, frozen=True, tag="shard_emptied"):
    """Nothing is left of the session before; what comes from now on belongs to another one."""


Message = (
    Hello
    | Welcome
    | Refused
    | Dismissed
    | RosterNews
    | NodeStatus
    | Heartbeat
    | LinkPing
    | LinkPong
    | WantTestBytes
    | PrepareStage
    | StageProgress
    | StageReady
    | StageLost
    | StageLeaving
    | StageAhead
    | ReleaseStage
    | EndSequence
    | PeerAsk
    | PeerAnswer
    | PeerStop
    | WantManifest
    | WantFile
    | WantHave
    | WantChunk
    | StageHello
    | LoadShard
    | ShardCompiling
    | ShardLoaded
    | ShardFailed
    | EmptyShard
    | ShardEmptied
)

_decoder = msgspec.json.Decoder(Message)
_encoder = msgspec.json.Encoder()


def encode_message(message: Message) -> str:
    """The text frame for a message."""
    return _encoder.encode(message).decode()


def decode_message(data: str | bytes | memoryview) -> Message:
    """The message in a text frame.

    Raises:
        MessageError: it is no message of this protocol.
    """
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MessageError(f"A control message does not decode: {error}.") from error
