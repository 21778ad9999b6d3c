"""The values every part of the engine shares: identities, spans of layers, element types, sampling settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NewType

import msgspec

NodeId = NewType("NodeId", str)
"""A PC of the pool: 64 hexadecimal digits."""

ModelId = NewType("ModelId", str)
"""A model: SHA-256 of its manifest, 64 hexadecimal digits."""

SessionId = NewType("SessionId", int)
"""A running pipeline: 63 random bits, chosen by the head."""

SequenceId = NewType("SequenceId", int)
"""A conversation inside a pipeline: numbered by the head from 1."""


Int = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A whole number in what PCs and processes tell one another. JSON itself has no bound: thousands of digits are read."""

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""Such a number that counts something."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The layers `[first, last)` of a model; never empty."""

    first: int
    last: int

    def __post_init__(self) -> None:
        if not 0 <= self.first < self.last:
            raise ValueError(f"no span of layers: [{self.first}, {self.last})")

    def __len__(self) -> int:
        return self.last - self.first

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.first, self.last))

    def __str__(self) -> str:
        return f"[{self.first}, {self.last})"


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """Where a node listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class DeviceKind(StrEnum):
    """What a device is."""

    CPU = "CPU"
    INTEGRATED_GPU = "integrated GPU"
    DISCRETE_GPU = "discrete GPU"
    NPU = "NPU"


class Backend(StrEnum):
    """The forms in which a shard can be compiled; see engine/backends."""

    PAGED = "paged"
    STATEFUL = "stateful"
    STATIC = "static"


class ElementType(StrEnum):
    """Element types that cross a link, by OpenVINO's names."""

    F32 = "f32"
    F16 = "f16"
    BF16 = "bf16"
    I32 = "i32"
    U8 = "u8"

    @property
    def size(self) -> int:
        """Bytes of one element."""
        return {"f32": 4, "f16": 2, "bf16": 2, "i32": 4, "u8": 1}[self.value]


class Sampling(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the tail picks the next token; see decode.sampler for the order. Temperature 0 is plain arg-max.

    The noise is keyed by (seed, position, token), so the same seed gives the same text for the same logits, whatever
    the chunks the tokens came in. What the values may be: engine/sampling_rules.py.
    """

    temperature: float = 0.0
    top_k: Int = 0
    """Keep the k best tokens; 0 keeps all."""
    top_p: float = 1.0
    """Keep the smallest set of best tokens whose probabilities add up to p."""
    seed: Int = 0
    min_p: float = 0.0
    """Keep the tokens that are at least this share as probable as the best one."""
    repetition_penalty: float = 1.0
    """Logits of tokens that were there before are divided by it where positive, multiplied where negative."""
    presence_penalty: float = 0.0
    """Subtracted from the logits of tokens that were there before."""
    frequency_penalty: float = 0.0
    """Subtracted from a token's logit once for each time it was there before."""
    logit_bias: tuple[tuple[Int, float], ...] = ()
    """(token, number added to its logit)"""
    logprobs: Int = -1
    """-1: none. n: the log-probability of the chosen token and those of the n best, n <= 20."""

    @property
    def penalises(self) -> bool:
        """Whether a choice depends on the tokens before it."""
        return self.repetition_penalty != 1 or self.presence_penalty != 0 or self.frequency_penalty != 0
