"""Users who ask at the same moment over a node's pipe, and what they see: when how many tokens were there.

Speed is told for a steady state, the time in which everybody is being answered: from the moment the last user has a
first token to the moment the first user has the last one. Prefill, and the ends where some wait or are gone, say
nothing about decoding. Where there is no such time, because users are served one after the other, speed is told for
the whole time from the first token to the last.
"""

from __future__ import annotations

import itertools
import time
import uuid
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from idlepool.app.node_client import NodeClient
from idlepool.app.terminal_chat import Notices
from idlepool.engine.errors import PoolError
from idlepool.engine.events import AnswerDone, AnswerText, Ask, ChatMessage, Event, PipelineChanged
from idlepool.engine.types import Sampling

_numbers = itertools.count(1)


@dataclass(slots=True)
class Seen:
    """What one user saw: `tokens[i]` were there at `times_s[i]`."""

    times_s: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    text: str = ""
    done: AnswerDone | None = None

    def at(self, time_s: float) -> int:
        """Tokens that were there at that time."""
        index = bisect_right(self.times_s, time_s)
        return self.tokens[index - 1] if index else 0

    def add(self, time_s: float, tokens: int) -> None:
        """So many tokens are there."""
        self.times_s.append(time_s)
        self.tokens.append(tokens)


@dataclass(frozen=True, slots=True)
class Pace:
    """So many tokens in so many seconds; `steady`: see above."""

    tokens: int
    seconds: float
    steady: bool

    @property
    def tokens_per_second(self) -> float:
        """Of all users together."""
        return self.tokens / self.seconds if self.seconds > 0 else 0.0


def together(paces: Sequence[Pace]) -> Pace:
    """Of what was measured one after the other."""
    return Pace(sum(p.tokens for p in paces), sum(p.seconds for p in paces), all(p.steady for p in paces))


def pace(users: Sequence[Seen]) -> Pace:
    """How fast all of them were served together. Each has seen at least one token."""
    first, last = max(user.times_s[0] for user in users), min(user.times_s[-1] for user in users)
    steady = last > first
    if not steady:
        first, last = min(user.times_s[0] for user in users), max(user.times_s[-1] for user in users)
    return Pace(sum(user.at(last) - user.at(first) for user in users), last - first, steady)


def ask_together(
    client: NodeClient,
    notices: Notices,
    conversations: Sequence[tuple[ChatMessage, ...]],
    *,
    model: str,
    max_tokens: int,
    reproducible: bool = False,
    name: str = "",
    logprobs: int = -1,
) -> list[Seen]:
    """Ask all at once, greedily, each in a conversation of its own (`name` for a known one), and wait for the ends.

    `logprobs`: see Sampling.

    Raises:
        PoolError: an answer failed or was over before its first token, or the pipeline broke.
    """
    users = {next(_numbers): Seen() for _ in conversations}
    sampling = Sampling(logprobs=logprobs)
    for request, messages in zip(users, conversations, strict=True):
        conversation = name or uuid.uuid4().hex
        client.send(Ask(request, conversation, model, messages, sampling, max_tokens, reproducible=reproducible))
    while any(user.done is None for user in users.values()):
        match client.next_event():
            case AnswerText(request=request, text=text, tokens=tokens) if request in users:
                users[request].add(time.perf_counter(), tokens)
                users[request].text += text
            case AnswerDone(request=request) as done if request in users:
                _end(users[request], done)
            case event:
                attend(notices, event)
    return list(users.values())


def attend(notices: Notices, event: Event) -> None:
    """Take an event that is no part of an answer.

    Raises:
        PoolError: the pipeline broke. It would be made anew with fewer PCs, and the figures would be of those.
    """
    notices.take(event)
    if isinstance(event, PipelineChanged) and event.state == "broken":
        raise PoolError(event.detail)


def _end(user: Seen, done: AnswerDone) -> None:
    if done.finish == "failed":
        raise PoolError(done.detail)
    if not user.tokens:
        raise PoolError("An answer ended before its first word.", "Measure with a model that chats.")
    user.done = done
