"""The conversion of a GGUF file as its caller sees it: a child process that reports, and the errors it ends with.

The child (convert.py or export.py) appends its reports to a file, one JSON object a line; its output is the talk of the
libraries it uses.
"""

from __future__ import annotations

import logging
from enum import StrEnum
from pathlib import Path

import msgspec

from idlepool.engine.errors import ConversionFailed, ConversionUnfaithful, StorageError
from idlepool.engine.models.child import run_module
from idlepool.engine.models.files import Progress, unseen


class Advanced(msgspec.Struct, frozen=True, tag="advanced"):
    """`done` of `total` steps are done."""

    done: int
    total: int


class Unfaithful(msgspec.Struct, frozen=True, tag="unfaithful"):
    """Ended: see ConversionUnfaithful."""

    tensor: str
    error: float
    limit: float


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """Ended: see ConversionFailed."""

    source: str
    reason: str


class Unwritten(msgspec.Struct, frozen=True, tag="unwritten"):
    """Ended: see StorageError."""

    path: str
    reason: str


class Converted(msgspec.Struct, frozen=True, tag="converted"):
    """Ended well; `error` is the largest relative Frobenius error of a tensor."""

    error: float


Report = Advanced | Unfaithful | Failed | Unwritten | Converted


class Way(StrEnum):
    """How a GGUF file becomes a model: the module that does it."""

    READ = "idlepool.engine.models.convert"
    """By openvino-genai's own reader, which knows few architectures and needs nothing else."""
    EXPORT = "idlepool.engine.models.export"
    """Through transformers and optimum-intel, which the extra `convert` brings."""


_decoder = msgspec.json.Decoder(Report)
_log = logging.getLogger("idlepool.models")


def run_conversion(gguf: Path, folder: Path, *, way: Way = Way.READ, progress: Progress = unseen) -> None:
    """Convert `gguf` into `folder`; temporary files go beside the GGUF file. `progress` counts step "converting"
    in bytes of that file.

    Whatever `progress` raises ends the conversion and is passed on.

    Raises:
        ConversionFailed: the file cannot be converted.
        ConversionUnfaithful: a weight came out too far from its source.
        StorageError: the disk is full.
    """
    reports = gguf.parent / "reports.jsonl"
    reports.touch()
    size = gguf.stat().st_size

    def look() -> None:
        match _last_report(reports):
            case Advanced(done, total):
                progress("converting", size * done // total, size)

    arguments = [str(gguf), str(folder), str(reports)]
    code, output = run_module(way, arguments, scratch=gguf.parent, poll=look)
    match _last_report(reports):
        case Converted(error):
            _log.info("converted %s, largest error of a tensor %.2f %%", gguf.name, 100 * error)
        case Unfaithful(tensor, error, limit):
            raise ConversionUnfaithful(tensor, error, limit)
        case Failed(source, reason):
            raise ConversionFailed(source, reason)
        case Unwritten(path, reason):
            raise StorageError(path, reason)
        case _:
            _log.error("the conversion of %s ended with code %d: %s", gguf.name, code, output[-2000:])
            raise ConversionFailed(gguf.name, f"the conversion ended with code {code}")


def _last_report(reports: Path) -> Report | None:
    """The last whole line; the child may be writing the next one."""
    lines = reports.read_bytes().split(b"\n")
    return _decoder.decode(lines[-2]) if len(lines) > 1 else None
