"""What the node answers to commands on the same PC; a part of events.py."""

from __future__ import annotations

import msgspec


class LinkSpeed(msgspec.Struct, frozen=True):
    """How good the connection to a PC is; see pool/link_test.py."""

    node: str
    round_trip_ms: float
    receives_bytes_s: float
    sends_bytes_s: float


class PlanningFacts(msgspec.Struct, frozen=True, tag="planning_facts"):
    """The PCs that lend, this one first: a list of pool_planning.Present, left as it is for who makes a plan of it."""

    present: msgspec.Raw


class LookedAround(msgspec.Struct, frozen=True, tag="looked_around"):
    """The answer to LookAround: the PoolChanged before it tells of everybody."""

    links: tuple[LinkSpeed, ...] = ()
    """To those that are present, where measuring was asked for and worked."""
    problems: tuple[str, ...] = ()
    """Sentences about those where it did not."""


class ModelsCleaned(msgspec.Struct, frozen=True, tag="models_cleaned"):
    """The answer to CleanModels: bytes of fetched layers that went, and of those in use, which stayed."""

    went_bytes: int
    stayed_bytes: int


class SpeaksForNode(msgspec.Struct, frozen=True, tag="speaks_for_node"):
    """The node that is spoken to runs anyway, and goes on when the window ends. First event of app/attached_node.py."""


class Here(msgspec.Struct, frozen=True, tag="here"):
    """The answer to AreYouThere: the node listens."""


LocalEvent = SpeaksForNode | Here | LookedAround | PlanningFacts | ModelsCleaned
