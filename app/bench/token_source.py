"""A node that only writes: a process that answers every question with Markdown, at a pace that no model here reaches.

python -m idlepool.app.bench.token_source TOKENS_PER_SECOND
"""

from __future__ import annotations

import sys
import time
from typing import Final

from idlepool.app.bench.window_texts import answer
from idlepool.engine.events import (
    AnswerDone,
    AnswerStarted,
    AnswerText,
    Ask,
    Event,
    ModelInfo,
    NodeReady,
    PeerInfo,
    PoolChanged,
    decode_command,
    encode_line,
)

CHARACTERS: Final = 4
"""Of a token, as in English prose."""

CONTEXT: Final = 1_000_000
"""A long conversation should not seem to be cut."""


def main() -> None:
    """Answer until the input ends."""
    rate = float(sys.argv[1])
    _say(NodeReady("0" * 64, "this PC", "127.0.0.1", 1, (ModelInfo("bench", layers=30, context=CONTEXT, bytes=1),)))
    _say(PoolChanged((PeerInfo("0" * 64, "this PC", here=True, present=True),)))
    for line in sys.stdin.buffer:
        command = decode_command(line)
        if isinstance(command, Ask):
            _answer(command, rate)


def _answer(ask: Ask, rate: float) -> None:
    text = answer(len(ask.messages))
    tokens = [text[place : place + CHARACTERS] for place in range(0, len(text), CHARACTERS)]
    _say(AnswerStarted(ask.request, 1, CONTEXT, len(tokens), len(ask.messages)))
    began = time.monotonic()
    for number, token in enumerate(tokens, 1):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        _say(AnswerText(ask.request, token, number, rate))
    _say(AnswerDone(ask.request, "stop", (), 1, rate, 1.0))


def _say(event: Event) -> None:
    sys.stdout.buffer.write(encode_line(event))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
