"""What the played model says: each token follows from all tokens before it, so one that is lost or doubled shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

from idlepool.engine.decode.request import Request

TOKEN_BYTES = 4


def continuation(prompt: Sequence[int], vocabulary: int) -> Iterator[int]:
    """The ids after a prompt, without end."""
    state = crc32(b"".join(token.to_bytes(TOKEN_BYTES, "little") for token in prompt))
    while True:
        token = state % vocabulary
        yield token
        state = crc32(token.to_bytes(TOKEN_BYTES, "little"), state)


def lost_tokens(request: Request, shown: Sequence[int], *, vocabulary: int, complete: bool) -> int:
    """How many tokens of the answer that nothing disturbs somebody did not get, or got at another place.

    `complete`: whether that was to be all of the answer; else what is missing at its end is not lost.
    """
    wanted = request.max_tokens if complete else len(shown)
    pairs = zip(range(wanted), continuation(request.prompt, vocabulary), strict=False)
    right = [token for _, token in pairs]
    same = next((place for place, (one, two) in enumerate(zip(shown, right, strict=False)) if one != two), None)
    return max(wanted, len(shown)) - (min(wanted, len(shown)) if same is None else same)
