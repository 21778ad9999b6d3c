"""Which rows are measured, and on what pool: plain or with everything on, for so many users, over such a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idlepool.app.bench.prompts import KINDS, crowd

QUESTIONS = 4
"""Asked in every row: one after the other by one user, two at a time by two, and at least one by each of a crowd."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that is measured.

    `everything`: with speculation, segments in flight and micro-batches; plain otherwise. `delay_ms`: each way on every
    line. `kind`: of the one question that is asked; empty: several of the crowd's.
    """

    users: int
    everything: bool = False
    delay_ms: float = 0.0
    reproducible: bool = False
    kind: str = ""

    @property
    def pool(self) -> tuple[bool, float]:
        """Rows with the same one are measured on the same pool."""
        return self.everything, self.delay_ms

    @property
    def questions(self) -> list[str]:
        """What is asked, `users` at a time."""
        if self.kind:
            return [KINDS[self.kind]]
        if self.is_plain_loop:
            return crowd(1)
        return crowd(max(self.users, QUESTIONS))

    @property
    def is_plain_loop(self) -> bool:
        """One token a round trip over a slow line, whatever is asked: a short answer shows it."""
        return self.delay_ms > 0 and not self.everything

    def __str__(self) -> str:
        words = [f"{self.users} user" + ("s" if self.users > 1 else "")]
        words += ["everything on" if self.everything else "plain"]
        words += ["reproducible"] if self.reproducible else []
        words += [self.kind] if self.kind else []
        words += [f"{self.delay_ms:g} ms a hop"] if self.delay_ms else []
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    rounds: int = 3
    tokens: int = 128
    """Of each answer."""
    users: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    speculating: tuple[int, ...] = (1, 2, 16, 32)
    reproducible: tuple[int, ...] = (1, 4, 16)
    delays_ms: tuple[float, ...] = (0.0, 10.0, 100.0)
    kinds: tuple[str, ...] = tuple(KINDS)
    history_lines: int = 64
    """Of the long conversation, some 24 tokens each."""
    parting: int = 16
    """Answers that are compared, alone and in company."""

    def tokens_of(self, row: Row) -> int:
        """How long its answers are."""
        return max(8, self.tokens // 4) if row.is_plain_loop else self.tokens


QUICK = Scale(
    rounds=1,
    tokens=8,
    users=(1, 2),
    speculating=(2,),
    reproducible=(1,),
    delays_ms=(0.0,),
    kinds=tuple(KINDS)[:1],
    history_lines=8,
    parting=2,
)
"""Shows that everything works, in seconds; no figure of it means much."""


def rows(scale: Scale) -> dict[tuple[bool, float], list[Row]]:
    """All rows, by the pool they are measured on."""
    found = [Row(users) for users in scale.users]
    found += [Row(users, reproducible=True) for users in scale.reproducible]
    found += [Row(users, everything=True) for users in scale.speculating]
    found += [Row(1, everything=True, kind=kind) for kind in scale.kinds]
    for delay_ms in filter(None, scale.delays_ms):
        found += [Row(1, delay_ms=delay_ms)]
        found += [Row(users, everything=True, delay_ms=delay_ms) for users in (1, 2)]
    pools: dict[tuple[bool, float], list[Row]] = {}
    for row in found:
        pools.setdefault(row.pool, []).append(row)
    return pools


def batches(row: Row) -> list[Sequence[str]]:
    """Its questions, as many together as there are users."""
    questions = row.questions
    return [questions[first : first + row.users] for first in range(0, len(questions), row.users)]
