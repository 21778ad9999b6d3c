"""Chatting in a terminal: one answer for `--prompt`, or a conversation line by line where there is no display."""

from __future__ import annotations

import itertools
import sys
import uuid
from collections.abc import Callable

from idlepool.app.node_client import NodeClient
from idlepool.engine.events import (
    AnswerDone,
    AnswerText,
    Ask,
    ChatMessage,
    Event,
    ModelProgress,
    PipelineChanged,
    Sampling,
    StageInfo,
    Stop,
    Trouble,
    chat_sampling,
)

_requests = itertools.count(1)


def say(line: str) -> None:
    """A line for the person at the terminal; answers go to standard output, everything else to standard error."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


class Notices:
    """Tells on the terminal what the node does, each thing once."""

    def __init__(self) -> None:
        self.pipeline: PipelineChanged | None = None
        self._said: set[str] = set()

    def take(self, event: Event) -> None:
        """Look at an event that is no part of an answer."""
        match event:
            case PipelineChanged(state="ready"):
                self.pipeline = event
                self._say_once(layers_line(event.stages))
            case PipelineChanged(state="broken"):
                self.pipeline = event
            case PipelineChanged():
                self.pipeline = event
                self._say_once(f"Spreading {event.model} over {len(event.stages)} PC(s) …")
            case ModelProgress(step=step, source=source):
                self._say_once(f"{source}: {step} …")
            case Trouble(sentence=sentence, hint=hint):
                say(f"{sentence} {hint}".rstrip())

    def _say_once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            say(line)


def layers_line(stages: tuple[StageInfo, ...]) -> str:
    """Which PC holds which layers."""
    return " → ".join(f"{s.name}: layers {s.first}–{s.last - 1} ({s.device})" for s in stages)


def answer(client: NodeClient, notices: Notices, ask: Ask, *, on_text: Callable[[str], None]) -> tuple[AnswerDone, str]:
    """Ask, pass the text on as it comes, and wait for the end. Ctrl+C stops the answer, not the program."""
    client.send(ask)
    text = ""
    stopped = False
    while True:
        try:
            event = client.next_event()
        except KeyboardInterrupt:
            if stopped:
                raise
            stopped = True
            client.send(Stop(ask.request))
            continue
        match event:
            case AnswerText(request=ask.request, text=more):
                text += more
                on_text(more)
            case AnswerDone(request=ask.request):
                return event, text
            case _:
                notices.take(event)


def new_ask(model: str, messages: tuple[ChatMessage, ...], *, sampling: Sampling, max_tokens: int) -> Ask:
    """A question in a conversation of its own."""
    return Ask(next(_requests), uuid.uuid4().hex, model, messages, sampling, max_tokens)


def converse(client: NodeClient, model: str, *, temperature: float, max_tokens: int) -> None:
    """Read questions line by line and stream the answers, the history kept, until the input ends or /quit."""
    notices = Notices()
    conversation = uuid.uuid4().hex
    messages: list[ChatMessage] = []
    say("Type a question. /new begins a new conversation, /quit or Ctrl+D ends.")
    while (line := _read_line()) is not None and line != "/quit":
        if line == "/new":
            conversation, messages = uuid.uuid4().hex, []
        elif line:
            messages.append(ChatMessage("user", line))
            sampling = chat_sampling(temperature=temperature)
            ask = Ask(next(_requests), conversation, model, tuple(messages), sampling, max_tokens)
            done, text = answer(client, notices, ask, on_text=write)
            write("\n")
            messages.append(ChatMessage("assistant", text))
            say(closing_line(done))


def closing_line(done: AnswerDone) -> str:
    """How an answer ended and how fast it was."""
    if done.finish == "failed":
        return done.detail
    speed = f"{len(done.token_ids)} tokens, {done.tokens_per_second:.1f} tokens/s"
    first = f"first after {done.time_to_first_token_ms / 1e3:.1f} s"
    return f"({speed}, {first}{', stopped' if done.finish == 'cancelled' else ''})"


def write(text: str) -> None:
    """Part of an answer, to standard output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _read_line() -> str | None:
    try:
        return input("> ").strip()
    except EOFError:
        return None
