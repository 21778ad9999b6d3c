"""What is asked on a model link; part of messages.py."""

from __future__ import annotations

import msgspec

PIECE_BYTES = 512 << 10
"""Of a model in one frame. Smaller ones cost more in frames, larger ones more memory on their way."""


class WantManifest(msgspec.Struct, frozen=True, tag="want_manifest"):
    """A model's manifest, as it is hashed.

    This and every other question on a model link is answered by WEIGHTS frames of PIECE_BYTES each, in the order of the
    questions; a shorter frame, perhaps an empty one, is the last of an answer. Or by Refused, at any point.
    """

    model: str


class WantFile(msgspec.Struct, frozen=True, tag="want_file"):
    """A small file, by its name in the manifest."""

    model: str
    name: str


class WantHave(msgspec.Struct, frozen=True, tag="want_have"):
    """Which chunks of the weights are there: a bit for each, see models/chunk_set.py."""

    model: str


class WantChunk(msgspec.Struct, frozen=True, tag="want_chunk"):
    """A chunk of the weights."""

    model: str
    index: int
