"""Rosters that were changed apart from each other: which of two branches is in force, and what the other one changed.

Pure. All PCs come to the same answer, whichever branch they hear of first:
- a branch that removes somebody who signed the other one wins: removal is not undone by what the removed PC signs, and
  for the same reason a branch signed by somebody who is no admin of the roster in force is refused;
- else the higher epoch wins, and among equal ones the smaller SHA-256.
What the losing branch changed is not lost: any admin that hears of both makes the same changes to the winning one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from idlepool.engine.net.roster import Member, Roster, SignedRoster, accept, read_roster
from idlepool.engine.trust_errors import RosterRefused


@dataclass(frozen=True, slots=True)
class Merge:
    """The chain that is in force after an offer, and what is to be changed in it so that nothing is lost."""

    chain: tuple[SignedRoster, ...]
    added: tuple[Member, ...] = ()
    """Who was added, renamed or given another role;"""
    removed: tuple[str, ...] = ()
    """and who was removed after that. Who was both is added and removed again: others may have heard only the first."""


def roster_id(signed: SignedRoster) -> str:
    """What tells a roster from every other one: half of the SHA-256 of what it says."""
    return hashlib.sha256(signed.body).hexdigest()[:32]


def merge(chain: Sequence[SignedRoster], news: Sequence[SignedRoster]) -> Merge:
    """What becomes of the rosters `chain`, the last of which is in force, when `news` are offered, none of them in it.

    Raises:
        RosterRefused: the news follow from none of them, or are not properly signed, or not by who may.
    """
    if not news:
        raise RosterRefused("there is none")
    epochs = [read_roster(signed).epoch for signed in chain]
    before = read_roster(news[0]).epoch - 1
    parting = epochs.index(before) if before in epochs else len(chain) - 1
    shared, ours = tuple(chain[: parting + 1]), tuple(chain[parting + 1 :])
    accept(shared[-1], news)
    if not ours:
        return Merge((*shared, *news))
    base, mine, theirs = (read_roster(signed) for signed in (shared[-1], ours[-1], news[-1]))
    _check_signers(news, base, mine)
    if not _wins(news, theirs, ours):
        return Merge(tuple(chain))
    seen, seen_there = _seen((shared[-1], *ours)), _seen((shared[-1], *news))
    added = tuple(one for one in seen.values() if one.node not in seen_there or _was_changed(one, base, theirs))
    new = {member.node for member in (*theirs.members, *added)}
    removed = tuple(node for node in seen if node in new and mine.find(node) is None)
    return Merge((*shared, *news), added, removed)


def _seen(rosters: Iterable[SignedRoster]) -> dict[str, Member]:
    """All who were members in one of them, as they were last."""
    return {member.node: member for signed in rosters for member in read_roster(signed).members}


def _check_signers(news: Sequence[SignedRoster], base: Roster, mine: Roster) -> None:
    for signed in news:
        signer = mine.find(signed.signer)
        if base.find(signed.signer) is not None and (signer is None or signer.role != "admin"):
            raise RosterRefused("the PC that signed it is no admin of the pool any more")


def _was_changed(member: Member, base: Roster, theirs: Roster) -> bool:
    """Whether a member has another name or role than before, and still the former ones in the other branch."""
    before, there = base.find(member.node), theirs.find(member.node)
    if before is None or there is None:
        return False
    former = (before.name, before.role)
    return (member.name, member.role) != former == (there.name, there.role)


def _wins(news: Sequence[SignedRoster], theirs: Roster, ours: Sequence[SignedRoster]) -> bool:
    if any(theirs.find(signed.signer) is None for signed in ours):
        return True
    last = read_roster(ours[-1])
    return (-theirs.epoch, roster_id(news[-1])) < (-last.epoch, roster_id(ours[-1]))
