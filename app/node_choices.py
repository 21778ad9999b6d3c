"""What a node starts with: the owner's choices from its data folder, except for what the command line says instead."""

from __future__ import annotations

import argparse
import dataclasses
import platform
from dataclasses import dataclass
from pathlib import Path

from idlepool.engine.node_preferences import NodePreferences
from idlepool.engine.pool.node_preferences_file import read_node_preferences
from idlepool.engine.pool.node_settings import NodeSettings


def default_name() -> str:
    """What the system calls this PC."""
    return platform.node() or "this PC"


@dataclass(frozen=True, slots=True)
class NodeChoices:
    """`fixed` are the fields that the command line decides; `problem` says what was wrong with the file."""

    preferences: NodePreferences
    fixed: tuple[str, ...] = ()
    problem: str = ""

    def applied_to(self, settings: NodeSettings) -> NodeSettings:
        """The settings of the command line, with the choices where it says nothing."""
        kept = self.preferences
        if "name" not in self.fixed and kept.name:
            settings = dataclasses.replace(settings, name=kept.name)
        if "model_bytes_per_s" not in self.fixed:
            settings = dataclasses.replace(settings, model_bytes_per_s=kept.model_bytes_per_s)
        return settings


def read_choices(root: Path, arguments: argparse.Namespace) -> NodeChoices:
    """What was kept in a data folder that is this node's alone."""
    preferences, problem = read_node_preferences(root)
    given = {"name": arguments.name, "model_bytes_per_s": arguments.model_rate}
    return NodeChoices(preferences, tuple(field for field, value in given.items() if value is not None), problem)
