"""Loads a shard on the first device, in the first form, that passes its self-test and takes it; says why others not."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import openvino as ov

from idlepool.engine.backends.base import Shard
from idlepool.engine.backends.device import describe, reason_of
from idlepool.engine.backends.load import ShardRequest
from idlepool.engine.backends.loaders import LOADERS, REFUSALS, Loader
from idlepool.engine.backends.probe_model import VERSION
from idlepool.engine.backends.self_test import Verdict, self_test
from idlepool.engine.backends.verdicts import LeftAlone, Trial, VerdictStore
from idlepool.engine.errors import NoDevice
from idlepool.engine.net.messages import Candidate
from idlepool.engine.types import Backend, ElementType

log = logging.getLogger("idlepool.device")

VERDICTS = "self-tests"
"""Name of the folder with the verdicts, in a node's cache folder."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """After how many seconds a driver is taken to hang. NPUs compile for minutes, and that is no hanging."""

    self_test: float = 600.0
    """A probe of 3 MB; it takes a CPU one second."""
    load: float = 1800.0


class SelfTests:
    """What this PC's devices can do: each self-test is run once, its verdict kept in `folder`; loads are watched.

    A process whose device hangs is ended; the next one leaves that device, or those layers on it, alone. `threads`: of
    a CPU; 0: its choice.
    """

    def __init__(
        self,
        core: ov.Core,
        folder: Path,
        *,
        threads: int = 0,
        loaders: Mapping[Backend, Loader] = LOADERS,
        limits: TimeLimits = TimeLimits(),
    ) -> None:
        self._core = core
        self._store = VerdictStore(folder)
        self._threads = threads
        self.loaders = loaders
        self._limits = limits

    def forget(self) -> None:
        """Let every test be run again."""
        self._store.forget()

    def verdict(self, candidate: Candidate, wire: ElementType) -> Verdict:
        """What the self-test says of a device and a form, at the precision `wire`.

        That a device refuses is not kept: it may be for want of memory, and costs little to find out again.
        """
        try:
            identity = describe(self._core, candidate.device).identity
            key = _key(identity, candidate.backend, wire, self._threads, VERSION)
            known = self._store.get(key)
            if known is not None:
                return known
            where = f"{candidate.device} ({candidate.backend})"
            log.info("self-test of %s", where)
            # Where it hangs, a driver cannot even do the least: the device is left alone in every form.
            with self._store.running(Trial(key, where, "its self-test", self._limits.self_test, _key(identity))):
                load = self.loaders[candidate.backend]
                paged = candidate.backend is Backend.PAGED  # the only form that can be reproducible
                verdict = self_test(self._core, load, candidate.device, wire, threads=self._threads, repeats=paged)
        except LeftAlone as error:
            return Verdict(False, error.sentence)
        except REFUSALS as error:
            return Verdict(False, f"it refuses the self-test ({reason_of(error)})")
        self._store.put(key, verdict)
        return verdict

    def watching(self, candidate: Candidate, request: ShardRequest) -> AbstractContextManager[None]:
        """Around loading a shard on a device in a form. Entering raises LeftAlone where that hung, or took processes
        down, lately; RuntimeError where the device is gone.
        """
        identity, span = describe(self._core, candidate.device).identity, request.span
        key = _key(identity, candidate.backend, request.wire, str(request.folder), span.first, span.last)
        where = f"{candidate.device} ({candidate.backend})"
        log.info("loading layers %s on %s", span, where)
        return self._store.running(Trial(key, where, "loading these layers", self._limits.load, key))

    def abandon(self) -> None:
        """The process ends in the middle of a trial, and not because of it."""
        self._store.abandon()


def _key(*parts: object) -> str:
    """A file name for what decides how a trial ends."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Taken:
    """The shard, where it runs, and why not on something tried before (empty: it was the first)."""

    shard: Shard
    candidate: Candidate
    reproducible: bool
    notice: str


def load_first(core: ov.Core, request: ShardRequest, candidates: Sequence[Candidate], *, tests: SelfTests) -> Taken:
    """Load the shard with the first of `candidates` that can; the request's own device is not looked at.

    Raises:
        NoDevice: none can.
        ModelDamaged, ModelIncomplete: no device can help that.
    """
    reasons: list[str] = []
    for candidate in candidates:
        verdict = tests.verdict(candidate, request.wire)
        if verdict.passed:
            try:
                with tests.watching(candidate, request):
                    shard = tests.loaders[candidate.backend](core, replace(request, device=candidate.device))
            except (*REFUSALS, LeftAlone) as error:
                log.info("%s (%s) does not take %s: %s", candidate.device, candidate.backend, request.span, error)
                reasons.append(f"{candidate.device} ({candidate.backend}): {reason_of(error)}")
                continue
            return Taken(shard, candidate, verdict.reproducible is True, _notice(candidate, reasons))
        reasons.append(f"{candidate.device} ({candidate.backend}): {verdict.sentence}")
    raise NoDevice(str(request.span), tuple(reasons))


def _notice(taken: Candidate, reasons: Sequence[str]) -> str:
    if not reasons:
        return ""
    return f"The layers run on {taken.device} ({taken.backend}), because others would not do: {'; '.join(reasons)}."
