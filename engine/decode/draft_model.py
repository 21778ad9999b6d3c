"""A small model that guesses what the large one will say: run whole on the head's PC, all sequences in one inference.

It sees only the latest few hundred tokens, from position 0 on. A draft is trained on short texts and loses the thread
in long ones, and a short window keeps its steps cheap. Moving the window means computing all of it again, so it moves
in hops: see Window.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import openvino as ov

from idlepool.engine.backends.base import Batch, NeedsReplay, Shard
from idlepool.engine.backends.device import inference_precision, reason_of
from idlepool.engine.backends.load import ShardRequest, load_paged
from idlepool.engine.decode.drafter import Wanted, common_length
from idlepool.engine.decode.speculation import StepCost
from idlepool.engine.decode.vocabulary import check_same_vocabulary
from idlepool.engine.errors import DraftRefused, ModelCannotBeCut
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.narrow_head import Ids
from idlepool.engine.models.manifest import GRAPH_FILE
from idlepool.engine.models.manifest_builder import context_of
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import SequenceId, Span

log = logging.getLogger("idlepool.draft")

SMALL_VOCABULARY = 16_384
"""Up to so many tokens a draft says all of them."""

CONTROL_TOKENS = 1024
"""So many at the end of a vocabulary are said as well: there or at its beginning are those that end a turn."""

_STEP_ROWS = 2
"""A step of so few tokens a sequence drafts; what has more catches up with a text and says nothing of the next step."""


@dataclass(frozen=True, slots=True)
class DraftLimits:
    """What a draft model sees and holds, in tokens.

    The starter model's draft in conversations of 1,700 tokens, mean guesses accepted of 5, over three replies of 320
    tokens: 1.70 with a window of 128 (64 kept), 1.79 with 256 (128), 1.78 with 512 (256 or 384), 1.68 with 1,024 (512),
    0.80 with the whole text. A hop to 256 tokens costs it as much time as 10 to 15 guesses.
    """

    window: int = 512
    """The most tokens it sees of a sequence."""
    kept: int = 256
    """What it sees at least, after the window has moved: a hop costs so many tokens, once in `window - kept`."""
    longest: int = 15
    """Guesses in a row."""
    sequences: int = 32
    """Drafted for in one inference, and held."""

    def within(self, context: int) -> DraftLimits:
        """These limits, or smaller ones for a draft that knows only `context` positions."""
        window = min(self.window, max(2, context - self.longest))
        return replace(self, window=window, kept=min(self.kept, max(1, window // 2)))

    @property
    def cache_tokens(self) -> int:
        """Positions of the cache: windows with guesses, in whole blocks of 32."""
        return self.sequences * (-(-(self.window + self.longest) // 32) * 32)


def load_draft(
    folder: Path, target: Path, *, threads: int = 0, device: str = "CPU", limits: DraftLimits = DraftLimits()
) -> DraftModel:
    """Load the draft model in `folder` for the model in `target`; takes a second. `threads` 0: the device chooses.

    Raises:
        DraftRefused: its vocabulary is not the target's, or the device cannot run it.
        ModelError: it is damaged, or no model that can be loaded.
    """
    vocabulary = check_same_vocabulary(target, folder)
    core = ov.Core()
    graph = core.read_model(folder / GRAPH_FILE)
    said = often_said(graph.output("logits").get_partial_shape()[-1].get_length())
    limits = limits.within(context_of(folder))
    span, wire = Span(0, find_layers(graph).layers), inference_precision(core, device)
    request = ShardRequest(folder, span, device, wire, threads, cache_tokens=limits.cache_tokens, said=said)
    try:
        try:
            shard = load_paged(core, request)
        except ModelCannotBeCut:
            said = None
            shard = load_paged(core, replace(request, said=None))
    except RuntimeError as error:
        raise DraftRefused(folder.name, f"{device} cannot run it ({reason_of(error)})") from error
    return DraftModel(shard, vocabulary=vocabulary, said=said, limits=limits)


def often_said(vocabulary: int) -> Ids | None:
    """The ids that a draft model says; None: all.

    A vocabulary is made by merging the most frequent pairs first, so its later half is seldom said: 2.4 % of the
    starter model's answers. Without it a step of the starter model's draft takes 1.26 ms instead of 2.28, and 73.4 of
    100 tokens are right instead of 74.5 (with a third of it 0.97 ms and 71.5).
    """
    if vocabulary <= SMALL_VOCABULARY:
        return None
    return np.concatenate([np.arange(vocabulary // 2), np.arange(vocabulary - CONTROL_TOKENS, vocabulary)])


class DraftModel:
    """A drafter that runs `shard`, a whole model; ids at and above `vocabulary` are never guessed. See Drafter.

    `said`: the ids that its logits are of; None: all.
    """

    def __init__(
        self, shard: Shard, *, vocabulary: int, said: Ids | None = None, limits: DraftLimits = DraftLimits()
    ) -> None:
        self._shard = shard
        self._said = said
        self._vocabulary = vocabulary
        self._limits = limits
        self._windows: dict[SequenceId, Window] = {}
        self._ended: deque[SequenceId] = deque()
        self._steps = StepCost()
        self._failed = False
        self._measure()

    def cost_ms(self, sequences: int) -> float:
        """See Drafter.cost_ms."""
        return self._steps.ms(sequences)

    def at_once(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """See Drafter.at_once: nothing."""
        return [[] for _ in wanted]

    def propose(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """See Drafter.propose; after the device failed there are none: answers go on without guesses."""
        if self._failed:
            return [[] for _ in wanted]
        while self._ended:
            ended = self._ended.popleft()
            self._windows.pop(ended, None)
            self._shard.end(ended)
        size = self._limits.sequences
        groups = [wanted[first : first + size] for first in range(0, len(wanted), size)]
        try:
            guesses = [each for group in groups for each in self._draft(group)]
        except RuntimeError as error:
            log.warning("the draft model failed and is not asked any more: %s", reason_of(error))
            self._failed = True
            return [[] for _ in wanted]
        return guesses

    def end(self, sequence: SequenceId) -> None:
        """See Drafter.end: freed at the next call of propose(), which may be running now."""
        self._ended.append(sequence)

    def _draft(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        drafts = [self._begin(each) for each in wanted]
        while active := [draft for draft in drafts if draft.missing > 0]:
            self._step(active)
        return [draft.guesses for draft in drafts]

    def _begin(self, wanted: Wanted) -> _Draft:
        window = self._windows.setdefault(wanted.sequence, Window(self._limits))
        tokens = window.follow(wanted.tokens)
        known = bool(tokens) and max(tokens) < self._vocabulary
        missing = min(wanted.count, self._limits.longest) if known else 0
        return _Draft(wanted.sequence, window, tokens, missing, wanted.least_hope)

    def _step(self, drafts: Sequence[_Draft]) -> None:
        """One more guess for each; the first step of a call also feeds what is new of the texts."""
        while True:
            fed = [draft.tokens[draft.window.start(draft.tokens) :] for draft in drafts]
            segments = tuple(
                Segment(draft.sequence, len(draft.tokens) - len(rows), len(rows), sample=1)
                for draft, rows in zip(drafts, fed, strict=True)
            )
            try:
                said = self._run(segments, [token for rows in fed for token in rows])
                break
            except NeedsReplay as need:  # its blocks went to others; it is fed from there on
                next(draft for draft in drafts if draft.sequence == need.sequence).window.truncate(need.held)
        for draft, (token, chance) in zip(drafts, said, strict=True):
            draft.took(token, chance, vocabulary=self._vocabulary)

    def _run(self, segments: tuple[Segment, ...], rows: list[int]) -> list[tuple[int, float]]:
        """What the draft says after each segment, and the chance that it gives it."""
        started = time.perf_counter()
        output = self._shard.run(Batch(segments, np.array(rows, np.int32)))
        if output.best_ids is not None and output.best_logits is not None:
            ids, logits = output.best_ids[:, 0], output.best_logits
        else:
            assert output.logits is not None
            ids, logits = output.logits.argmax(axis=1), output.logits
        if self._said is not None:
            ids = self._said[ids]
        # Over the best candidates alone: what is left of the vocabulary weighs little where there is hope.
        chances = 1 / np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1)
        if all(segment.count <= _STEP_ROWS for segment in segments):
            self._steps.add(len(segments), 1000 * (time.perf_counter() - started))
        return list(zip(ids.tolist(), chances.tolist(), strict=True))

    def _measure(self) -> None:
        """Draft a little, so that the first sequence is not drafted for at an unknown cost."""
        self.propose([Wanted(SequenceId(0), [0, 1], self._limits.longest)])
        self.end(SequenceId(0))


class Window:
    """The part of one sequence that the draft sees, tokens `[origin, end)`, and how much of it the shard holds.

    Where it would be longer than `window` it begins anew with the last `kept` tokens. It stays where it is while it is
    between half of `kept` and `window` long, so that guesses that come and go at its limit do not move it each time.
    """

    def __init__(self, limits: DraftLimits) -> None:
        self._limits = limits
        self._origin = 0
        self._held: list[int] = []

    def follow(self, tokens: Sequence[int]) -> list[int]:
        """The tokens that the draft sees of `tokens`."""
        window, kept = self._limits.window, self._limits.kept
        least = kept // 2 if self._origin else 0
        if not least <= len(tokens) - self._origin <= window:
            self._origin = len(tokens) - kept if len(tokens) > window else 0
            self._held = []
        seen = list(tokens[self._origin :])
        self.truncate(common_length(self._held, seen))
        return seen

    def start(self, tokens: list[int]) -> int:
        """Where the next segment starts; the last token is always fed, since its row gives the next guess."""
        return min(len(self._held), len(tokens) - 1)

    def truncate(self, length: int) -> None:
        """No more than `length` positions are held."""
        del self._held[length:]

    def reached(self, tokens: list[int]) -> None:
        """The shard has computed all of `tokens`."""
        start = self.start(tokens)
        self._held[start:] = tokens[start:]


@dataclass(slots=True)
class _Draft:
    """The guesses for one sequence, as they are made."""

    sequence: SequenceId
    window: Window
    tokens: list[int]
    """What the draft sees, with the guesses so far."""
    missing: int
    least_hope: float
    hope: float = 1.0
    """The chance that all guesses are right. For the starter model and its draft what the draft says of its own tokens
    is true to a few hundredths from 0.1 to 1."""
    guesses: list[int] = field(default_factory=list)

    def took(self, token: int, chance: float, *, vocabulary: int) -> None:
        """The draft said `token`. It ends the guesses where the target does not know it, or with too little hope."""
        self.window.reached(self.tokens)
        if token >= vocabulary:
            self.missing = 0
            return
        self.tokens.append(token)
        self.guesses.append(token)
        self.hope *= chance
        self.missing = self.missing - 1 if self.hope >= self.least_hope else 0
