"""The bridge: whole events out of broken-up lines, and a node process that never outlives it."""

from __future__ import annotations

import logging
import sys

import psutil
import pytest
from pytestqt.qtbot import QtBot

from idlepool.engine.events import AnswerDone, AnswerText, Ask, ChatMessage, Event, NodeReady, encode_line
from idlepool.engine.pairing_events import MembersChanged
from idlepool.ui.bridge import Bridge


class Recorder:
    """A bridge, what it received, and how its node ended."""

    def __init__(self, command: list[str]) -> None:
        self.events: list[Event] = []
        self.endings: list[str] = []
        self.bridge = Bridge(command)
        self.bridge.received.connect(self.events.append)
        self.bridge.node_ended.connect(self.endings.append)

    def ask(self, question: str) -> None:
        self.bridge.send(Ask(7, "c", "starter", (ChatMessage("user", question),)))

    def done(self) -> bool:
        return any(isinstance(event, AnswerDone) for event in self.events)

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, AnswerText))


@pytest.fixture
def start(qtbot: QtBot, node_command: list[str]):
    recorders: list[Recorder] = []

    def start_it(*arguments: str) -> Recorder:
        recorder = Recorder([*node_command, *arguments])
        recorders.append(recorder)
        recorder.bridge.start()
        qtbot.waitUntil(lambda: bool(recorder.events))
        return recorder

    yield start_it
    for recorder in recorders:
        recorder.bridge.stop()


def test_the_first_event_is_the_node_ready(start):
    assert isinstance(start().events[0], NodeReady)


def test_lines_that_arrive_in_pieces_are_joined(start, qtbot: QtBot):
    recorder = start()
    recorder.ask("split these words over several lines")
    qtbot.waitUntil(recorder.done)
    assert recorder.text == "SPLIT THESE WORDS OVER SEVERAL LINES"


def test_malformed_lines_are_skipped_and_their_content_is_not_logged(start, qtbot: QtBot, caplog):
    recorder = start()
    with caplog.at_level(logging.DEBUG):
        recorder.ask("garbage comes between the words")
        qtbot.waitUntil(recorder.done)
    assert recorder.text == "GARBAGE COMES BETWEEN THE WORDS"
    assert "skipped a line" in caplog.text
    assert "no JSON" not in caplog.text
    assert "GARBAGE" not in caplog.text


def test_a_command_sent_before_the_node_listens_is_not_lost(qtbot: QtBot, node_command: list[str]):
    recorder = Recorder(node_command)
    recorder.bridge.start()
    recorder.ask("early")
    qtbot.waitUntil(recorder.done)
    recorder.bridge.stop()
    assert recorder.text == "EARLY"


def test_a_node_that_dies_is_told_with_its_last_words_and_can_be_started_again(start, qtbot: QtBot):
    recorder = start()
    recorder.ask("die")
    qtbot.waitUntil(lambda: bool(recorder.endings))
    assert "code 3" in recorder.endings[0]
    assert recorder.bridge.details == "the last words of the node"
    assert not recorder.bridge.running
    recorder.events.clear()
    recorder.bridge.start()
    recorder.ask("alive")
    qtbot.waitUntil(recorder.done)
    assert recorder.text == "ALIVE"
    assert recorder.bridge.details == ""


def test_text_sent_right_before_a_death_still_arrives(start, qtbot: QtBot):
    recorder = start()
    recorder.ask("die after these words")
    qtbot.waitUntil(lambda: bool(recorder.endings))
    assert recorder.text == "DIE AFTER THESE WORDS"


def test_a_program_that_does_not_exist_is_told(qtbot: QtBot):
    recorder = Recorder(["no-such-program-of-idlepool"])
    recorder.bridge.start()
    qtbot.waitUntil(lambda: bool(recorder.endings))
    assert "could not start" in recorder.endings[0]


def test_stopping_ends_the_node_in_peace(start):
    recorder = start()
    process = psutil.Process(recorder.bridge._process.processId())
    recorder.bridge.stop()
    assert not process.is_running()
    assert recorder.bridge._process.exitCode() == 0
    assert recorder.endings == []


def test_what_a_node_says_while_it_ends_is_no_news(qtbot: QtBot):
    ready = NodeReady("0" * 64, "idle-1", "127.0.0.1", 7400, ())
    lines = [encode_line(event).decode() for event in (ready, AnswerDone(1, "cancelled", (), 0, 0.0, 0.0))]
    program = "import sys; sys.stdout.write({0!r}); sys.stdout.flush(); sys.stdin.read(); sys.stdout.write({1!r})"
    recorder = Recorder([sys.executable, "-c", program.format(*lines)])
    recorder.bridge.start()
    qtbot.waitUntil(lambda: bool(recorder.events))
    recorder.bridge.stop()
    assert recorder.events == [ready], "an answer that breaks off was not stopped"


def test_another_bridge_goes_on_with_the_same_node(start, qtbot: QtBot):
    before = start("--pairs", "idle-1", "lagoon")
    qtbot.waitUntil(lambda: any(isinstance(event, MembersChanged) for event in before.events))
    node = before.bridge._process.processId()
    after = Recorder([])
    after.bridge = before.bridge.hand_over()
    after.bridge.received.connect(after.events.append)
    after.bridge.node_ended.connect(after.endings.append)
    after.bridge.tell_again()
    assert isinstance(after.events[0], NodeReady)
    assert any(isinstance(event, MembersChanged) for event in after.events)
    assert after.bridge._process.processId() == node
    heard = len(before.events)
    before.ask("nobody")
    after.ask("somebody")
    qtbot.waitUntil(after.done)
    assert (after.text, len(before.events)) == ("SOMEBODY", heard)
    psutil.Process(node).kill()
    qtbot.waitUntil(lambda: bool(after.endings))
    assert before.endings == []
    after.bridge.stop()


def test_a_node_that_does_not_listen_is_killed(start):
    recorder = start("--deaf")
    process = psutil.Process(recorder.bridge._process.processId())
    recorder.bridge.stop(patience_ms=200)
    assert not process.is_running()
    assert recorder.endings == []


def test_a_flood_of_errors_keeps_only_the_last_lines(qtbot: QtBot):
    flood = "import sys; [sys.stderr.write(f'line {n}\\n') for n in range(9000)]; sys.exit(1)"
    recorder = Recorder([sys.executable, "-c", flood])
    recorder.bridge.start()
    qtbot.waitUntil(lambda: bool(recorder.endings))
    lines = recorder.bridge.details.splitlines()
    assert len(lines) == 50
    assert lines[-1] == "line 8999"
