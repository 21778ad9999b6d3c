"""What the tail picked for a segment, and how a CHOSEN frame carries it: rows of i32, `[rows, width]`.

Column 0 is the id. Where any segment of the frame asked for log-probabilities, the id's own follows (the bits of a
float32), then n pairs of id and log-probability, best first; n is the largest number asked for in the frame, and what
a row did not ask for is zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from idlepool.engine.decode.request import Token
from idlepool.engine.errors import FrameError
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Sampling

Top = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The ids picked from the sampled rows of a segment.

    Where they were asked for, `logprobs` has the log-probability of each id and `tops` the n best tokens of each row
    with theirs: by the model's own distribution, at temperature 1, before any bias or penalty.
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    tops: tuple[Top, ...] = ()

    def token(self, row: int) -> Token:
        """What was picked from a row."""
        if not self.logprobs:
            return Token(self.ids[row])
        return Token(self.ids[row], self.logprobs[row], self.tops[row])


def sampled(segment: Segment) -> Segment:
    """The segment of a CHOSEN frame that answers `segment`: its sampled rows."""
    first = segment.start + segment.count - segment.sample
    return Segment(segment.sequence, first, segment.sample, segment.sample)


def encode_chosen(chosen: Sequence[Chosen]) -> npt.NDArray[np.int32]:
    """The rows of a CHOSEN frame, those of the segments one after another."""
    most = max((len(top) for one in chosen for top in one.tops), default=0)
    width = 2 + 2 * most if any(one.logprobs for one in chosen) else 1
    rows = np.zeros((sum(len(one.ids) for one in chosen), width), "<i4")
    rows[:, 0] = [token for one in chosen for token in one.ids]
    at = 0
    for one in chosen:
        if one.logprobs:
            _write(rows[at : at + len(one.ids)], one)
        at += len(one.ids)
    return rows


def decode_chosen(segments: Sequence[Segment], rows: npt.NDArray[Any], sent: Iterable[Segment]) -> dict[int, Chosen]:
    """What was chosen, by sequence; one that is missing was skipped by a stage.

    `segments` and `rows` ([rows, width], as many as the segments say) are those of a CHOSEN frame that answers `sent`.

    Raises:
        FrameError: it answers what was not sent, or differently, or holds what is no id or no log-probability.
    """
    asked = {segment.sequence: segment for segment in sent}
    chosen: dict[int, Chosen] = {}
    at = 0
    for segment in segments:
        question = asked.pop(segment.sequence, None)
        if question is None or segment != sampled(question):
            raise FrameError(f"A CHOSEN frame answers {segment}, which was not asked.")
        sampling = question.sampling or Sampling()
        chosen[segment.sequence] = _read(rows[at : at + segment.count], sampling.logprobs)
        at += segment.count
    return chosen


def _write(rows: npt.NDArray[np.int32], one: Chosen) -> None:
    rows[:, 1] = np.array(one.logprobs, "<f4").view("<i4")
    count = len(one.tops[0])
    if count:
        pairs = np.array(one.tops)  # [rows, count, 2], float64 holds ids exactly
        rows[:, 2 : 2 + 2 * count : 2] = pairs[:, :, 0]
        rows[:, 3 : 3 + 2 * count : 2] = pairs[:, :, 1].astype("<f4").view("<i4")


def _read(rows: npt.NDArray[Any], count: int) -> Chosen:
    """A segment's rows, of which `count` best tokens were asked for; -1 for no log-probability at all."""
    if not len(rows):
        return Chosen(())
    width = 2 + 2 * count if count >= 0 else 1
    if rows.shape[1] < width:
        raise FrameError(f"A CHOSEN frame is {rows.shape[1]} wide; {width} was asked for.")
    ids = tuple(_ids(rows[:, 0]).tolist())
    if count < 0:
        return Chosen(ids)
    top_ids = _ids(rows[:, 2:width:2]).tolist()
    top_logprobs = _logprobs(rows[:, 3:width:2])
    if (top_logprobs[:, 1:] > top_logprobs[:, :-1]).any():
        raise FrameError("A CHOSEN frame has its best tokens in no order.")
    pairs = zip(top_ids, top_logprobs.tolist(), strict=True)
    tops = tuple(tuple(zip(*pair, strict=True)) for pair in pairs)
    return Chosen(ids, tuple(_logprobs(rows[:, 1]).tolist()), tops)


def _ids(words: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if (words < 0).any():
        raise FrameError(f"A CHOSEN frame has the impossible id {words.min()}.")
    return words


def _logprobs(words: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    values = np.ascontiguousarray(words).view("<f4")
    if not ((values <= 0) & np.isfinite(values)).all():
        raise FrameError("A CHOSEN frame has a log-probability that is none.")
    return values
