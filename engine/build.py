"""The version of this program, as people name it; what two programs can say to each other has a number of its own."""

from __future__ import annotations

from importlib.metadata import version

BUILD = version("idlepool")
