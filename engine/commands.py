"""What the window (or the terminal) may tell the node process to do: answer, stop, add a model, give figures, pair."""

from __future__ import annotations

import secrets
from typing import Literal

import msgspec

from idlepool.engine.figures_events import WantFigures
from idlepool.engine.lending_events import LendingCommand
from idlepool.engine.machine_events import WantMachineFacts
from idlepool.engine.model_events import AddingCommand, StoredCommand
from idlepool.engine.node_preferences import NodePreferencesCommand
from idlepool.engine.plan_events import PlanCommand
from idlepool.engine.types import Int, Sampling

Overflow = Literal["reject", "slide"]


class ChatMessage(msgspec.Struct, frozen=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


CHAT_TEMPERATURE = 0.3
CHAT_TOP_P = 0.9
"""Small models repeat themselves word for word at temperature 0 and lose the thread well above."""


def chat_sampling() -> Sampling:
    """How a chat is sampled unless its user says otherwise: a little variety, and another answer when asked again."""
    return Sampling(temperature=CHAT_TEMPERATURE, top_p=CHAT_TOP_P, seed=secrets.randbits(53))


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """Answer the last message, or go on with it where it is the assistant's: an answer that broke off. `request` is the
    asker's number and comes back with every event of the answer.

    The whole conversation is sent each time; what the stages already hold of it is not computed again.
    """

    request: Int
    conversation: str
    model: str
    messages: tuple[ChatMessage, ...]
    sampling: Sampling = Sampling()
    max_tokens: Int = 1024
    stop: tuple[str, ...] = ()
    """Texts before which the answer ends; they are not part of it."""
    reproducible: bool | None = None
    """Whether the seed must give the same answer in any company. None: where temperature is 0 or a seed is given;
    whoever draws a seed for variety says False."""
    overflow: Overflow = "reject"
    """What happens to a conversation that the model cannot hold: it is refused, or its oldest turns are left out."""


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Stop the answer to `request`; its AnswerDone says "cancelled"."""

    request: Int


class AddModel(msgspec.Struct, frozen=True, tag="add_model"):
    """Add a model from the catalogue, from the Hub or from a folder, after those that wait already; AddingChanged,
    ModelProgress and at last ModelsChanged follow, or Trouble."""

    source: str


class WantStats(msgspec.Struct, frozen=True, tag="want_stats"):
    """Say what the pipeline of a model did so far: PipelineStats follows, if it runs."""

    model: str


class LookAround(msgspec.Struct, frozen=True, tag="look_around"):
    """Look for the PCs of the pool, at most so long: PoolChanged and then LookedAround follow."""

    seconds: float
    measure: bool = False
    """And find out how good the connections to those present are."""
    addresses: tuple[str, ...] = ()
    """Where to look as well, as host or host:port."""


class WantPlanningFacts(msgspec.Struct, frozen=True, tag="want_planning_facts"):
    """Say what a plan of this PC would be made from: PlanningFacts follows."""


class AreYouThere(msgspec.Struct, frozen=True, tag="are_you_there"):
    """Say at once that you listen: Here follows."""


class RereadModels(msgspec.Struct, frozen=True, tag="reread_models"):
    """Somebody else added or removed models in the data folder: ModelsChanged follows."""


class CleanModels(msgspec.Struct, frozen=True, tag="clean_models"):
    """Remove the layers that were fetched for other PCs, but for those in use: ModelsCleaned follows, or Trouble."""


class OpenPairing(msgspec.Struct, frozen=True, tag="open_pairing"):
    """Show a code: PairingOpen follows, then PairingDone or PairingFailed."""


class EnterCode(msgspec.Struct, frozen=True, tag="enter_code"):
    """Pair with the PC that shows this code, found by itself or at a typed address (host or host:port); PairingDone or
    PairingFailed follows."""

    code: str
    address: str = ""


class StopPairing(msgspec.Struct, frozen=True, tag="stop_pairing"):
    """Give up what OpenPairing or EnterCode began: a code is void, and no event follows."""


class RemoveMember(msgspec.Struct, frozen=True, tag="remove_member"):
    """Make the PC with this id no member of the pool any more: MembersChanged follows, or PairingFailed."""

    node: str


class LeavePool(msgspec.Struct, frozen=True, tag="leave_pool"):
    """Belong to no pool but one of this PC alone: MembersChanged follows, or PairingFailed."""


PairingCommand = OpenPairing | EnterCode | StopPairing | RemoveMember | LeavePool
ModelCommand = AddModel | RereadModels | CleanModels | AddingCommand | StoredCommand
Command = (
    Ask
    | Stop
    | WantStats
    | ModelCommand
    | LookAround
    | WantPlanningFacts
    | WantMachineFacts
    | AreYouThere
    | PairingCommand
    | LendingCommand
    | NodePreferencesCommand
    | PlanCommand
    | WantFigures
)
