"""What the owner chose for the node beside the rules for lending, and what is said about it; a part of events.py."""

from __future__ import annotations

from typing import Annotated

import msgspec

from idlepool.engine.types import Count

API_PORT = 7419

Port = Annotated[int, msgspec.Meta(ge=1024, lt=2**16)]
"""One that needs no rights."""

MOST_NAME = 64
"""Characters of a PC's name, as in a roster."""


class NodePreferences(msgspec.Struct, frozen=True):
    """The file node.json."""

    api_on: bool = False
    """Whether programs of this PC are answered, see app/api."""
    api_port: Port = API_PORT
    model_bytes_per_s: Count = 0
    """Most bytes of models that are fetched in a second, and most that are given; 0: no limit."""
    name: Annotated[str, msgspec.Meta(max_length=MOST_NAME)] = ""
    """What others see; empty: the name that the system has for this PC."""


class NodePreferencesChanged(msgspec.Struct, frozen=True, tag="node_preferences_changed"):
    """What holds now; comes when the node is ready, and after each command about it."""

    preferences: NodePreferences
    api_address: str = ""
    """The base address for programs; empty: they are not answered."""
    api_key: str = ""
    """What they must show; empty: none was made yet."""
    api_problem: str = ""
    """Why they are not answered though they should be, and what to do."""
    fixed: tuple[str, ...] = ()
    """Fields that the command line decides as long as this node runs."""


class SetNodePreferences(msgspec.Struct, frozen=True, tag="set_node_preferences"):
    """These hold from now on; NodePreferencesChanged follows."""

    preferences: NodePreferences


class RenewApiKey(msgspec.Struct, frozen=True, tag="renew_api_key"):
    """Programs need another key from now on; NodePreferencesChanged follows."""


NodePreferencesCommand = SetNodePreferences | RenewApiKey
