"""Three PCs on a network: paired by code, found by mDNS, one of them with a model, all of them in its pipeline.

Another one chats. What passes the switch between them says nothing to whoever looks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest
from played_network import PlayedNetwork, why_not

from idlepool.app.node_client import NodeClient
from idlepool.engine.commands import AddModel, Ask, ChatMessage, EnterCode, OpenPairing
from idlepool.engine.events import (
    AnswerDone,
    AnswerStarted,
    AnswerText,
    Event,
    ModelsChanged,
    NodeReady,
    PipelineChanged,
    PoolChanged,
    StageInfo,
)
from idlepool.engine.models.store import cache_folder, default_root
from idlepool.engine.pairing_events import PairingDone, PairingOpen

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be played here"),
]

NAMES = ("pc-1", "pc-2", "pc-3")
JAPAN = "What is the capital of Japan?"
IN_THE_OPEN = (b"capital of Japan", b"Tokyo", b"IDLP\x01", b'{"type":"', b"GET / HTTP", b"pc-3")
"""The question, the answer, the beginnings of frames, of messages and of a WebSocket, and a PC's name."""
DISCOVERY = b"\x09_idlepool"
EventT = TypeVar("EventT", bound=Event)


class PlayedPC:
    """A node on a PC of the network, as its window sees it."""

    def __init__(self, client: NodeClient, home: Path) -> None:
        self.home = home
        self.client = client
        self.stages: tuple[StageInfo, ...] = ()
        """Of its latest pipeline that was ready."""
        self._present = 0

    def wait_for(self, kind: type[EventT], wanted: Callable[[EventT], bool] = lambda _: True) -> EventT:
        """The next event of this kind that is wanted; those before are passed over."""
        while True:
            event = self._next_event()
            if isinstance(event, kind) and wanted(event):
                return event

    def wait_for_pcs(self, count: int) -> None:
        """Until so many are present; they may have met before they said that they are paired."""
        while self._present != count:
            self._next_event()

    def ask(self, request: int, question: str) -> tuple[AnswerStarted, str, AnswerDone]:
        self.client.send(Ask(request, "chat", "starter", (ChatMessage("user", question),), max_tokens=24))
        started = self.wait_for(AnswerStarted)
        text = ""
        while not isinstance(event := self._next_event(), AnswerDone):
            if isinstance(event, AnswerText):
                text += event.text
        return started, text, event

    def _next_event(self) -> Event:
        event = self.client.next_event()
        if isinstance(event, PoolChanged):
            self._present = sum(peer.present for peer in event.peers)
        if isinstance(event, PipelineChanged) and event.state == "ready":
            self.stages = event.stages
        return event

    @property
    def weights_on_disk(self) -> int:
        """Bytes that its disk really holds of models' weights."""
        return sum(path.stat().st_blocks * 512 for path in self.home.rglob("*.bin"))


@pytest.fixture
def network() -> Iterator[PlayedNetwork]:
    with PlayedNetwork(NAMES) as network:
        yield network


@pytest.fixture
def pcs(network: PlayedNetwork, tmp_path: Path) -> Iterator[list[PlayedPC]]:
    """All of them running, none paired yet."""
    with ExitStack() as stack:
        started = []
        for name, address in network.addresses.items():
            options = ["--control", "--name", name, "--home", str(tmp_path / name), "--listen", address, "--key-file"]
            options += ["--cache", str(cache_folder(default_root())), "--threads", "1", "--stages", "3"]
            options += ["--lend", "always"]
            command = network.command(name, [sys.executable, "-m", "idlepool.app", "node", *options])
            started.append(PlayedPC(stack.enter_context(NodeClient(command)), tmp_path / name))
        for pc in started:
            pc.wait_for(NodeReady)
        yield started


def pair(showing: PlayedPC, typing: PlayedPC) -> None:
    showing.client.send(OpenPairing())
    code = showing.wait_for(PairingOpen).code
    typing.client.send(EnterCode(code))
    assert typing.wait_for(PairingDone).words == showing.wait_for(PairingDone).words


def test_they_pair_by_code_answer_one_another_and_are_not_overheard(network, pcs, starter_store):
    head, asker, third = pcs
    with network.capture([*IN_THE_OPEN, DISCOVERY]) as capture:
        pair(head, asker)
        pair(head, third)
        for pc in pcs:
            pc.wait_for_pcs(3)

        head.client.send(AddModel(str(starter_store.get("starter").folder)))
        head.wait_for(ModelsChanged)
        head.ask(1, "Say hello.")
        started, text, done = asker.ask(1, JAPAN)
    assert (started.answered_by, done.finish) == ("pc-1", "stop")
    assert "Tokyo" in text

    assert capture.found == {DISCOVERY}
    assert [stage.name for stage in head.stages] == sorted(NAMES)
    asked, lent = head.stages[1:]
    assert capture.bytes > asked.bytes_needed + lent.bytes_needed, "the model's bytes passed the switch"
    assert 0 < third.weights_on_disk <= lent.bytes_needed < 0.7 * lent.bytes_of_model
