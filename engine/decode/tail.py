"""The last stage's part of the loop: logits of the sampled rows go in, the rows of a CHOSEN frame come out."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from idlepool.engine.backends.base import Output
from idlepool.engine.decode.candidates import Candidates
from idlepool.engine.decode.chosen import Chosen, encode_chosen
from idlepool.engine.decode.history import Histories, Seen
from idlepool.engine.decode.logprobs import logprobs_of
from idlepool.engine.decode.sampler import Place, pick
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Sampling, SequenceId

Ids = npt.NDArray[np.int64]


class Tail:
    """Picks the ids of a pipeline's sequences, and keeps the tokens of those that are sampled with penalties."""

    def __init__(self, histories: Histories | None = None) -> None:
        self._histories = histories or Histories()

    def choose(self, segments: tuple[Segment, ...], output: Output) -> npt.NDArray[np.int32]:
        """The rows of the CHOSEN frame that answers `segments`; the id from position p will stand at p + 1.

        Raises:
            NeedsReplay: a segment's tokens do not join on to those known of its sequence; nothing was picked.
            PoolError: logits without a best one.
        """
        for segment in segments:
            self._histories.take(segment)
        logits = output.logits
        assert logits is not None
        if not len(logits):
            return encode_chosen([Chosen(()) for _ in segments])
        candidates = None
        if output.best_ids is not None and output.best_logits is not None:
            candidates = Candidates.of_best(output.best_ids, output.best_logits, vocabulary=logits.shape[1])
        places = [place for segment in segments for place in self._places(segment)]
        ids = pick(logits, places, candidates)
        ends = list(accumulate(segment.sample for segment in segments))
        parts = [slice(end - segment.sample, end) for segment, end in zip(segments, ends, strict=True)]
        return encode_chosen([_chosen(s, logits[part], ids[part]) for s, part in zip(segments, parts, strict=True)])

    def end(self, sequence: SequenceId) -> None:
        """Forget a sequence; unknown ones are ignored."""
        self._histories.end(sequence)

    def _places(self, segment: Segment) -> list[Place]:
        sampling = segment.sampling or Sampling()
        seen: list[Seen] | list[None] = [None] * segment.sample
        if segment.sample and sampling.penalises:
            seen = self._histories.seen(segment)
        first = segment.start + segment.count - segment.sample + 1
        return [Place(first + row, sampling, before) for row, before in enumerate(seen)]


def _chosen(segment: Segment, logits: npt.NDArray[Any], ids: Ids) -> Chosen:
    """The value for a segment, of whose sampled rows these are the logits and the ids."""
    picked = tuple(ids.tolist())
    asked = segment.sampling.logprobs if segment.sampling else -1
    if asked < 0 or not picked:
        return Chosen(picked)
    rows = [logprobs_of(row, token, count=asked) for row, token in zip(logits, picked, strict=True)]
    return Chosen(picked, tuple(own for own, _ in rows), tuple(top for _, top in rows))
