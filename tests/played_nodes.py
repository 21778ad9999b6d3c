"""Nodes as processes of their own: what the window of each hears, and what befalls a node or one of its stages.

Events are taken in by a thread for each node, so that what was said before somebody waits for it is not missed.
"""

from __future__ import annotations

import contextlib
import json
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import psutil
import pytest

from idlepool.app.node_client import NodeClient, NodeEnded
from idlepool.engine.commands import Ask, ChatMessage, Command
from idlepool.engine.events import (
    AnswerDone,
    AnswerPaused,
    AnswerStarted,
    AnswerText,
    Event,
    NodeReady,
    PeerInfo,
    PipelineChanged,
    PoolChanged,
    StageInfo,
)
from idlepool.engine.pool.stage_host import MODULE as STAGE_MODULE
from idlepool.engine.types import Sampling

GREEDY = Sampling()

PATIENCE_S = 120.0
"""For what comes about by itself, on a machine that does much else."""

QUIET_S, QUIET_SHARE = 1.5, 0.1
"""Who computes for less than this share of so long does nothing but keep its links alive."""

MODEL = "starter"
Found = TypeVar("Found")


@dataclass(slots=True)
class HeardAnswer:
    """An answer as its window has it; times are monotonic seconds."""

    texts: list[tuple[float, AnswerText]] = field(default_factory=list)
    pauses: list[tuple[float, AnswerPaused]] = field(default_factory=list)
    started: AnswerStarted | None = None
    done: AnswerDone | None = None

    def take(self, event: AnswerStarted | AnswerText | AnswerPaused | AnswerDone) -> None:
        match event:
            case AnswerStarted():
                self.started = event
            case AnswerText():
                self.texts.append((time.monotonic(), event))
            case AnswerPaused():
                self.pauses.append((time.monotonic(), event))
            case AnswerDone():
                self.done = event

    @property
    def text(self) -> str:
        return "".join(text.text for _, text in self.texts)

    @property
    def tokens(self) -> int:
        """So many stood in the window."""
        return self.texts[-1][1].tokens if self.texts else 0

    @property
    def went_on_at(self) -> float:
        """When the first text came after the last pause."""
        paused_at = self.pauses[-1][0]
        return next(at for at, _ in self.texts if at >= paused_at)


class PlayedNode:
    """A node that can be started, ended and started again; `command` runs it with `--control`."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._command = command
        self._news = threading.Condition()
        self._client: NodeClient | None = None
        self._requests = 0
        self._forget()

    def _forget(self) -> None:
        self.ready: NodeReady | None = None
        self.pool: list[PoolChanged] = []
        self.pipeline = PipelineChanged(MODEL, "none")
        self.pipeline_changes: list[PipelineChanged] = []
        self.answers: dict[int, HeardAnswer] = {}
        self._ended = False

    # --- its life ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start it, with a window that knows nothing yet."""
        self._forget()
        self._client = client = NodeClient(self._command)
        threading.Thread(target=self._listen, args=(client,), daemon=True).start()

    def close(self) -> None:
        """End it in order, or however it can be ended."""
        if self._client is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            for process in (self.process, *self.process.children()):
                process.resume()
        self._client.__exit__(None, None, None)
        self._client = None

    def kill(self) -> None:
        """As a PC that loses its power: nobody there says goodbye."""
        assert self._client is not None
        self.process.kill()
        self._client.__exit__(None, None, None)
        self._client = None

    @property
    def runs(self) -> bool:
        return self._client is not None

    @property
    def process(self) -> psutil.Process:
        assert self._client is not None
        return psutil.Process(self._client.pid)

    @property
    def stage_processes(self) -> list[psutil.Process]:
        """Those that hold layers, and the spare one."""
        return [child for child in self.process.children() if STAGE_MODULE in child.cmdline()]

    @property
    def spent_s(self) -> float:
        """What it and its stage processes have computed so far, in seconds of one core."""
        spent = [process.cpu_times() for process in (self.process, *self.stage_processes)]
        return float(sum(times.user + times.system for times in spent))

    # --- its window ----------------------------------------------------------------------------------------------

    def send(self, command: Command) -> None:
        assert self._client is not None
        self._client.send(command)

    def ask(
        self, question: str, *, sampling: Sampling = GREEDY, max_tokens: int = 48, reproducible: bool = True
    ) -> int:
        """Ask it in a conversation of its own; the number of the answer."""
        self._requests += 1
        request = self._requests
        self.answers[request] = HeardAnswer()
        messages = (ChatMessage("user", question),)
        self.send(
            Ask(request, f"{self.name} {request}", MODEL, messages, sampling, max_tokens, reproducible=reproducible)
        )
        return request

    def until(self, condition: Callable[[], Found], *, patience_s: float = PATIENCE_S) -> Found:
        """Wait until its events bring this about, and return it."""
        with self._news:
            met = self._news.wait_for(lambda: condition() or self._ended, patience_s)
            found = condition()
        if not found:
            end = "ended" if met else f"did not bring it about in {patience_s:g} s"
            raise AssertionError(f"{self.name} {end}: {self.pipeline}; {self.peers}")
        return found

    def answer(self, request: int) -> HeardAnswer:
        """The whole answer."""
        answer = self.answers[request]
        self.until(lambda: answer.done)
        return answer

    def until_here(self, count: int) -> None:
        """Until so many PCs are here for it, itself included."""
        self.until(lambda: len(self.here) == count)

    @property
    def peers(self) -> tuple[PeerInfo, ...]:
        return self.pool[-1].peers if self.pool else ()

    @property
    def here(self) -> list[str]:
        return sorted(peer.name for peer in self.peers if peer.present)

    @property
    def stages(self) -> tuple[StageInfo, ...]:
        """Of its pipeline, where that is ready."""
        return self.pipeline.stages if self.pipeline.state == "ready" else ()

    def _listen(self, client: NodeClient) -> None:
        with contextlib.suppress(NodeEnded):
            while True:
                event = client.next_event()
                with self._news:
                    self._take(event)
                    self._news.notify_all()
        with self._news:
            self._ended = client is self._client
            self._news.notify_all()

    def _take(self, event: Event) -> None:
        match event:
            case NodeReady():
                self.ready = event
            case PoolChanged():
                self.pool.append(event)
            case PipelineChanged():
                self.pipeline = event
                self.pipeline_changes.append(event)
            case AnswerStarted() | AnswerText() | AnswerPaused() | AnswerDone():
                self.answers[event.request].take(event)


@contextlib.contextmanager
def running(nodes: Sequence[PlayedNode]) -> Iterator[None]:
    """All of them for as long as the block lasts, however often each is started anew meanwhile."""
    try:
        for node in nodes:
            node.start()
        yield
    finally:
        for node in nodes:
            node.close()


def until_quiet(nodes: Sequence[PlayedNode]) -> None:
    """Until all have found their devices and fetched ahead what they were asked to, of which no window hears."""
    before_s = [node.spent_s for node in nodes]
    while True:
        time.sleep(QUIET_S)
        now_s = [node.spent_s for node in nodes]
        if all(0 <= now - before < QUIET_SHARE * QUIET_S for before, now in zip(before_s, now_s, strict=True)):
            return
        before_s = now_s


def say_figures(capsys: pytest.CaptureFixture[str], what: str, **series: Sequence[float]) -> None:
    """A line of JSON for whoever runs a long test: of each series the median, the 95th percentile and the largest."""
    figures: dict[str, object] = {"what": what}
    for name, values in series.items():
        figures[name] = [round(value, 3) for value in (statistics.median(values), percentile_95(values), max(values))]
        figures["rounds"] = len(values)
    with capsys.disabled():
        sys.stdout.write(json.dumps(figures) + "\n")


def percentile_95(values: Sequence[float]) -> float:
    return sorted(values)[-(-95 * len(values) // 100) - 1]


def freeze(pid: int) -> None:
    psutil.Process(pid).send_signal(signal.SIGSTOP)


def thaw(pid: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(pid).send_signal(signal.SIGCONT)
