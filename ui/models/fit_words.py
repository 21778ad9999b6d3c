"""Whether the pool can carry a model, in words: what it needs, what is lent, how fast it would be, what would help."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from idlepool.engine.events import PeerInfo
from idlepool.engine.plan_events import PlanTold
from idlepool.ui.engine_words import say
from idlepool.ui.models.amounts import size_words
from idlepool.ui.numbers import decimal

WORKING_MEMORY = 1.25
"""What a model takes of the memory when it runs, in sizes of its files; a rule of thumb for one that is not here."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A sentence, and how good the news is: "good", "busy", "bad", or "muted" where nothing is known."""

    words: str
    tone: str
    more: str = ""
    """For who points at it."""


def fit_of(plan: PlanTold | None, *, lenders: int) -> Fit:
    """Of a model that was planned for; `lenders` PCs lend at the moment."""
    if plan is None:
        return Fit(_tr("Checking whether your PCs can carry it …"), "muted")
    more = "\n".join(f"{name}: {say(reason)}" for name, reason in plan.left_out)
    if not plan.possible:
        return Fit(_lacking(plan, lenders), "bad", more)
    if not plan.stages:
        return Fit(plan.sentence, "good", more)
    where = _tr("Fits on one PC") if len(plan.stages) == 1 else _tr("Fits on {count} PCs")
    needs = _tr("needs {needed} of {lent} lent")
    words = [
        where.format(count=len(plan.stages)),
        needs.format(needed=size_words(plan.needed_bytes), lent=size_words(plan.lent_bytes)),
    ]
    if plan.tokens_per_second:
        speed = _tr("{speed} tokens/s as measured") if plan.measured else _tr("about {speed} tokens/s")
        words.append(speed.format(speed=_speed(plan.tokens_per_second)))
    return Fit(" · ".join(words), "good", more)


def lenders_in(peers: tuple[PeerInfo, ...]) -> int:
    """PCs that lend at the moment, this one among them: its own models it computes in any case."""
    return sum(peer.here or (peer.present and peer.lends) for peer in peers)


def fit_of_size(size: int, lent: int, *, lenders: int) -> Fit:
    """Of a model whose files have `size` bytes and are not here; `lent` 0: unknown."""
    needed = round(WORKING_MEMORY * size)
    if not size or not lent:
        return Fit("", "muted")
    if needed <= lent:
        words = _tr("Needs about {needed} of memory: {who} {lent}")
        return Fit(words.format(needed=size_words(needed), who=_who(lenders), lent=size_words(lent)), "good")
    words = _tr("Needs about {needed} of memory: {who} {lent}, {missing} too little")
    lacks = words.format(
        needed=size_words(needed), who=_who(lenders), lent=size_words(lent), missing=size_words(needed - lent)
    )
    return Fit(lacks, "bad")


def _lacking(plan: PlanTold, lenders: int) -> str:
    missing = plan.needed_bytes - plan.lent_bytes
    if not plan.needed_bytes or missing <= 0:
        return f"{plan.sentence} {plan.hint}".strip()
    words = _tr("Needs {needed}: {who} {lent}, {missing} too little.").format(
        needed=size_words(plan.needed_bytes),
        who=_who(lenders),
        lent=size_words(plan.lent_bytes),
        missing=size_words(missing),
    )
    hint = plan.hint or _tr("Pair another PC, or let a PC lend more of its memory.")
    return f"{words} {hint}"


def _who(lenders: int) -> str:
    return _tr("this PC lends") if lenders <= 1 else _tr("your {count} PCs lend").format(count=lenders)


def _speed(tokens_per_second: float) -> str:
    return decimal(tokens_per_second) if tokens_per_second < 10 else decimal(tokens_per_second, places=0)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Fit", text)
