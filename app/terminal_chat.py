"""Chatting in a terminal: one answer for `--prompt`, or a conversation line by line where there is no display."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable

from idlepool.app.answer_options import AnswerOptions
from idlepool.app.event_lines import Speaker
from idlepool.engine.events import (
    AnswerDone,
    AnswerPaused,
    AnswerQueued,
    AnswerStarted,
    AnswerText,
    Ask,
    ChatMessage,
    Event,
    ModelProgress,
    Overflow,
    PipelineChanged,
    StageInfo,
    Stop,
    Trouble,
    nearly_full,
)


def say(line: str) -> None:
    """A line for the person at the terminal; answers go to standard output, everything else to standard error."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


class Notices:
    """Tells on the terminal what the node does, each thing once; of pipelines only that of `model`, if one is given."""

    def __init__(self, model: str = "") -> None:
        self._model = model.casefold()
        self.pipeline: PipelineChanged | None = None
        self.started: AnswerStarted | None = None
        """What was told last of how much of a conversation the model sees."""
        self._said: set[str] = set()

    def take(self, event: Event) -> None:
        """Look at an event that is no part of an answer."""
        match event:
            case PipelineChanged():
                self._take_pipeline(event)
            case AnswerQueued() | AnswerPaused():
                say(waiting_line(event))
            case AnswerStarted():
                self.started = event
                if event.answered_by:
                    self._say_once(f"{event.answered_by} answers, where this model runs.")
                if event.dropped_messages:
                    self._say_once(left_out_line(event))
            case ModelProgress(step=step, source=source):
                self._say_once(f"{source}: {step} …")
            case Trouble(sentence=sentence, hint=hint):
                say(f"{sentence} {hint}".rstrip())

    def _take_pipeline(self, change: PipelineChanged) -> None:
        if self._model and change.model.casefold() != self._model:
            return  # it is of somebody else who uses this node
        self.pipeline = change
        if change.state == "ready":
            self._say_once(layers_line(change.stages))
        elif change.state != "broken":
            self._say_once(f"Spreading {change.model} over {len(change.stages)} PC(s) …")

    def _say_once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            say(line)


def layers_line(stages: tuple[StageInfo, ...]) -> str:
    """Which PC holds which layers."""
    return " → ".join(f"{s.name}: layers {s.first}–{s.last - 1} ({s.device})" for s in stages)


def answer(client: Speaker, notices: Notices, ask: Ask, *, on_text: Callable[[str], None]) -> tuple[AnswerDone, str]:
    """Ask, pass the text on as it comes, and wait for the end. Ctrl+C stops the answer, not the program."""
    client.send(ask)
    text = ""
    stopped = False
    while True:
        try:
            match client.next_event():
                case AnswerText(request=ask.request, text=more):
                    text += more
                    on_text(more)
                case AnswerDone(request=ask.request) as done:
                    return done, text
                case event:
                    notices.take(event)
        except KeyboardInterrupt:  # wherever it comes, also while text is written
            if stopped:
                raise
            stopped = True
            client.send(Stop(ask.request))


def converse(client: Speaker, model: str, options: AnswerOptions) -> None:
    """Read questions line by line and stream the answers, the history kept, until the input ends or /quit."""
    notices = Notices(model)
    conversation = uuid.uuid4().hex
    messages: list[ChatMessage] = []
    say("Type a question. /new begins a new conversation, /continue goes on with an answer, /quit or Ctrl+D ends.")
    while (line := _read_line()) is not None and line != "/quit":
        if line == "/new":
            conversation, messages = uuid.uuid4().hex, []
        elif line == "/continue" and not (messages and messages[-1].content):
            say("There is no answer to go on with.")
        elif line:
            begun = messages.pop().content if line == "/continue" else ""
            last = ChatMessage("assistant", begun) if begun else ChatMessage("user", line)
            ask = options.ask(conversation, model, (*messages, last))
            done, text = answer(client, notices, ask, on_text=write)
            write("\n")
            messages += () if begun else (last,)
            messages.append(ChatMessage("assistant", begun + text))
            say(closing_line(done))
            if notices.started is not None and nearly_full(notices.started, done):
                say(filling_line(notices.started, done, options.overflow))


def waiting_line(event: AnswerQueued | AnswerPaused) -> str:
    """What an answer waits for; it may stand in the middle of its text."""
    match event:
        case AnswerPaused(sentence=sentence):
            return f"\n{sentence}"
        case AnswerQueued(position=0):
            return "Answering …"
        case AnswerQueued(position=1):
            return "Next in line …"
    return f"{event.ordinal} in line …"


def closing_line(done: AnswerDone) -> str:
    """How an answer ended and how fast it was."""
    if done.finish == "failed":
        return done.detail
    speed = f"{len(done.token_ids)} tokens, {done.tokens_per_second:.1f} tokens/s"
    first = f"first after {done.time_to_first_token_ms / 1e3:.1f} s"
    drafts = f", {done.accepted} of {done.drafted} drafts accepted" if done.drafted else ""
    line = f"({speed}, {first}{drafts}{', stopped' if done.finish == 'cancelled' else ''})"
    return f"{line} {done.detail}".rstrip()


def left_out_line(started: AnswerStarted) -> str:
    """What the model does not see of the conversation."""
    tokens = started.prompt_tokens + started.dropped_tokens
    return (
        f"The conversation has {tokens:,} tokens, more than fit into the model's {started.context:,} beside an answer: "
        f"it does not see the oldest {started.dropped_messages} messages."
    )


def filling_line(started: AnswerStarted, done: AnswerDone, overflow: Overflow) -> str:
    """How full the conversation is, and what happens next."""
    tokens = done.prompt_tokens + len(done.token_ids)
    then = "then the oldest messages are left out" if overflow == "slide" else "then questions are refused"
    return f"This conversation fills {tokens:,} of the model's {started.context:,} tokens; {then}. /new begins anew."


def write(text: str) -> None:
    """Part of an answer, to standard output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _read_line() -> str | None:
    try:
        return input("> ").strip()
    except EOFError:
        return None
