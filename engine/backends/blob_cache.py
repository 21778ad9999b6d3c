"""Compiled shards on disk, so that a device compiles a span of layers once.

One file for each: the plugin's own blob, then SHA-256 and a mark. OpenVINO notices another version of itself in a blob,
but not a changed weight, so nothing is imported whose hash is wrong. An entry that cannot be used is made anew.

What it costs and saves on a CPU, for a third of the starter model (10 layers, 38 MB of weights): compiling takes 0.45
to 0.9 s, importing 0.1 to 0.2 s and its hash 0.05 s; results are equal to the last bit, memory is the same. The blob
holds the weights once more (OpenVINO's weightless form saves 0.1 % of a CPU blob, as these weights are repacked), so a
CPU, which saves some 50 ms a layer, keeps small ones only: 256 MB take 0.35 s to hash. Its paged form is not kept at
all: the sizes of the attention heads do not survive the export, and the CPU plugin refuses to import it.
OpenVINO's own CACHE_DIR has neither a hash nor a bound, and writes paged CPU blobs anew each time without using them.

GPUs and NPUs are expected to compile for much longer and keep all that fits. Not run on hardware, nor measured there.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path

import openvino as ov
import psutil

from idlepool.engine.backends.device import describe, family, reason_of
from idlepool.engine.graph.fingerprint import fingerprint
from idlepool.engine.types import Backend, ModelId, Span

log = logging.getLogger("idlepool.blobs")

BLOBS = "shards"
"""Name of the folder, in a node's cache folder."""

MOST_BYTES = 8 << 30
MOST_CPU_BYTES = 256 << 20
ABANDONED_S = 3600.0
"""An unfinished file this old belongs to a process that was ended."""

_MARK = b"idlepool blob 1\n"
_TRAILER_BYTES = 32 + len(_MARK)

Options = dict[str, str | int]


class BlobCache:
    """The shards of `model` in `folder`, which other models and processes use as well.

    At most `most_bytes` are in the folder; the entry not used for longest goes first.
    """

    def __init__(
        self, folder: Path, model: ModelId, *, most_bytes: int = MOST_BYTES, most_cpu_bytes: int = MOST_CPU_BYTES
    ) -> None:
        self._folder = folder
        self._model = model
        self._most_bytes = most_bytes
        self._most_cpu_bytes = most_cpu_bytes

    def compile(
        self, core: ov.Core, graph: ov.Model, span: Span, backend: Backend, *, device: str, options: Options
    ) -> ov.CompiledModel:
        """Compile `graph`, layers `span`, for `device`, or import what was compiled before from an equal one.

        Raises:
            RuntimeError: the device cannot compile it.
        """
        if not self._worth_keeping(core, graph, backend, device):
            return core.compile_model(graph, device, options)
        key = [self._model, span.first, span.last, backend, describe(core, device).identity, sorted(options.items())]
        name = hashlib.sha256(json.dumps([*key, fingerprint(graph)]).encode()).hexdigest()
        path = self._folder / f"{name}.blob"
        compiled = _import(core, path, device, options)
        if compiled is None:
            compiled = core.compile_model(graph, device, options)
            self._keep(path, compiled)
        return compiled

    def _worth_keeping(self, core: ov.Core, graph: ov.Model, backend: Backend, device: str) -> bool:
        """Whether the blob can be imported again, and is small enough for device and disk, and for exporting it."""
        if "EXPORT_IMPORT" not in core.get_property(device, "OPTIMIZATION_CAPABILITIES"):
            return False
        if family(device) == "CPU" and backend is Backend.PAGED:
            return False
        weights = sum(node.get_byte_size() for node in graph.get_ops() if node.get_type_name() == "Constant")
        most = self._most_cpu_bytes if family(device) == "CPU" else self._most_bytes
        return bool(weights <= min(most, self._most_bytes, psutil.virtual_memory().available // 2))

    def _keep(self, path: Path, compiled: ov.CompiledModel) -> None:
        """Write an entry; where that does not work the shard runs all the same."""
        staged = path.with_name(f".{path.stem[:16]}-{secrets.token_hex(4)}.part")
        try:
            with compiled.export_model().getbuffer() as blob:
                self._folder.mkdir(parents=True, exist_ok=True)
                if not self._make_room(len(blob) + _TRAILER_BYTES):
                    return
                with staged.open("wb") as file:
                    file.write(blob)
                    file.write(hashlib.sha256(blob).digest() + _MARK)
                    file.flush()
                    os.fsync(file.fileno())
            staged.replace(path)
        except (OSError, RuntimeError) as error:  # disk full, a file in use on Windows, a plugin that does not export
            log.warning("a compiled shard could not be kept: %s", reason_of(error))
            with suppress(OSError):
                staged.unlink(missing_ok=True)

    def _make_room(self, size: int) -> bool:
        """Remove the oldest entries until one of `size` fits; False where it never does."""
        used = 0
        for path, age_s, entry_bytes in self._entries():
            used += entry_bytes
            stale = path.suffix == ".part" and age_s > ABANDONED_S
            if stale or (path.suffix == ".blob" and used + size > self._most_bytes):
                with suppress(OSError):  # in use on Windows, or removed by another process
                    path.unlink()
                    used -= entry_bytes
        return used + size <= self._most_bytes and size < shutil.disk_usage(self._folder).free // 2

    def _entries(self) -> list[tuple[Path, float, int]]:
        """Path, seconds since the last use and size of each file, the last used first."""
        entries = []
        for path in self._folder.iterdir():
            with suppress(OSError):
                status = path.stat()
                entries.append((path, time.time() - status.st_mtime, status.st_size))
        return sorted(entries, key=lambda entry: entry[1])


def _import(core: ov.Core, path: Path, device: str, options: Options) -> ov.CompiledModel | None:
    """The compiled model of an entry; None where there is none that can be used."""
    try:
        whole = ov.tensor_from_file(path) if path.stat().st_size > _TRAILER_BYTES else None
    except (OSError, RuntimeError):
        return None
    blob = _checked(whole) if whole is not None else None
    if blob is None:
        log.warning("a compiled shard is damaged and made anew: %s", path.name)
        return None
    try:
        compiled = core.import_model(blob, device, options)
    except RuntimeError as error:
        log.warning("a compiled shard does not fit any more and is made anew: %s", reason_of(error))
        return None
    with suppress(OSError):
        os.utime(path)
    return compiled


def _checked(whole: ov.Tensor) -> ov.Tensor | None:
    """The blob in a file's bytes, without a copy; None where it is not what was written."""
    size = whole.get_size() - _TRAILER_BYTES
    trailer = whole.data[size:].tobytes()
    if trailer != hashlib.sha256(whole.data[:size]).digest() + _MARK:
        return None
    return ov.Tensor(whole, ov.Coordinate([0]), ov.Coordinate([size]))
