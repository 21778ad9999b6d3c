"""A PC's membership: founded at the first start, kept over restarts, changed by pairing, news and removal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from idlepool.engine.disk_errors import FileUnreadable
from idlepool.engine.net.identity import FILE as CERTIFICATE
from idlepool.engine.net.identity import make_identity
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.pool.membership import FILE, MAX_CHAIN, Membership, load_membership
from idlepool.engine.trust_errors import KeyMissing, RosterRefused
from idlepool.engine.types import NodeId


def load(home: Path, name: str = "") -> Membership:
    return load_membership(home, name or home.name, FileKeyStore(home))


@pytest.fixture
def homes(tmp_path: Path) -> list[Path]:
    """Three that are paired."""
    made = [tmp_path / name for name in ("ada", "bob", "eve")]
    pair_homes({home: home.name for home in made})
    return made


def names(membership: Membership) -> list[str]:
    return [member.name for member in membership.roster.members]


def test_a_first_start_founds_a_pool_of_one(tmp_path: Path) -> None:
    first = load(tmp_path / "ada")
    assert (names(first), first.roster.epoch, first.roster.members[0].role) == (["ada"], 1, "admin")
    again = load(tmp_path / "ada")
    assert (again.node, again.roster) == (first.node, first.roster)
    assert load(tmp_path / "bob").roster.pool != first.roster.pool


def test_a_first_start_that_broke_off_keeps_no_pc_from_starting_and_a_lost_certificate_is_told(tmp_path: Path) -> None:
    home = tmp_path / "ada"
    home.mkdir()
    (home / CERTIFICATE).write_bytes(b"")
    assert names(load(home)) == ["ada"]
    (home / CERTIFICATE).write_bytes(b"")
    with pytest.raises(KeyMissing, match="is damaged"):
        load(home)


def test_a_pc_alone_can_be_renamed_and_one_of_a_pool_keeps_its_name(tmp_path: Path, homes: list[Path]) -> None:
    load(tmp_path / "north", "old")
    assert names(load(tmp_path / "north", "new")) == ["new"]
    assert load(homes[0], "new").own_name == "ada"


def test_a_pc_of_a_pool_that_is_renamed_is_called_so_by_all(homes: list[Path]) -> None:
    ada, bob, _ = map(load, homes)
    ada.rename("north")
    assert ada.own_name == "north"
    assert bob.offer(ada.chain)
    assert sorted(names(bob)) == ["bob", "eve", "north"]
    epoch = ada.roster.epoch
    ada.rename("north")
    assert ada.roster.epoch == epoch, "nothing new is told where nothing changes"
    bob.rename("north")
    assert bob.own_name == "north (2)"


def test_paired_homes_know_one_another(homes: list[Path]) -> None:
    ada, bob, eve = map(load, homes)
    assert ada.roster == bob.roster == eve.roster
    assert names(ada) == ["ada", "bob", "eve"]
    assert all(member.role == "admin" for member in ada.roster.members)
    assert ada.is_member(eve.node)
    assert ada.name_of(eve.node) == "eve"
    stranger = make_identity().node
    assert not ada.is_member(stranger)
    assert ada.name_of(stranger) == stranger[:8]


def test_news_travel_from_member_to_member(homes: list[Path]) -> None:
    ada, bob, eve = map(load, homes)
    heard: list[list[str]] = []
    eve.on_change(lambda: heard.append(names(eve)))
    new = make_identity()
    ada.add(new.certificate, "new")
    bob.offer(ada.credentials.since(bob.roster.epoch))
    bob.remove(ada.node)
    assert eve.offer(bob.credentials.since(eve.roster.epoch))
    assert heard == [["bob", "eve", "new"]]
    assert not eve.offer(bob.chain)  # known already
    assert load(homes[2]).roster == bob.roster
    with pytest.raises(RosterRefused):
        ada.remove(eve.node)
        bob.offer(ada.credentials.since(0))
    assert names(bob) == ["bob", "eve", "new"]


def meet(one: Membership, other: Membership) -> None:
    """Both hear all that the other one knows, until neither has news."""
    while one.chain != other.chain:
        said = one.chain
        one.offer(other.chain)
        other.offer(said)


def test_changes_made_apart_are_merged_whoever_hears_first(homes: list[Path]) -> None:
    for home in homes:
        bob_first = home is homes[1]
        ada, bob, eve = map(load, homes)
        pcs = [make_identity() for _ in range(2)]
        ada.add(pcs[0].certificate, "laptop")
        bob.add(pcs[1].certificate, "laptop")
        meet(*((bob, ada) if bob_first else (ada, bob)))
        meet(eve, ada)
        assert ada.roster == bob.roster == eve.roster
        assert {pc.node for pc in pcs} < {member.node for member in ada.roster.members}
        assert len(set(names(ada))) == len(names(ada))
        assert load(homes[1]).roster == ada.roster


def test_longer_branches_and_removals_are_merged_too(homes: list[Path]) -> None:
    ada, bob, eve = map(load, homes)
    new = [make_identity() for _ in range(4)]
    for number in range(3):
        ada.add(new[number].certificate, f"of ada {number}")
    ada.remove(new[0].node)
    bob.remove(eve.node)
    bob.add(new[3].certificate, "of bob")
    meet(bob, ada)
    assert sorted(names(ada)) == ["ada", "bob", "of ada 1", "of ada 2", "of bob"]
    eve.offer(bob.chain)
    assert (names(eve), eve.removed_by != "") == (["eve"], True)


def test_a_change_that_was_made_apart_by_many_is_made_once(tmp_path: Path) -> None:
    """Every admin that heard of it makes it anew; what they make of it meets, and they come to one answer."""
    homes = [tmp_path / f"pc-{number}" for number in range(6)]
    pair_homes({home: home.name for home in homes})
    first, second, third, *others = map(load, homes)
    new = [make_identity() for _ in range(2)]
    first.add(new[0].certificate, "one")
    first.add(new[0].certificate, "renamed")  # so that the other branch is the shorter one
    second.add(new[1].certificate, "two")
    third.offer(second.chain)
    for other in others:
        other.offer(second.chain)
    for other in (second, third, *others):
        other.offer(first.chain)  # each for itself
    for _ in range(3):
        for other in (second, third, *others):
            meet(first, other)
    assert len({str(pc.roster) for pc in (first, second, third, *others)}) == 1
    assert {"renamed", "two"} < set(names(first))
    assert first.roster.epoch < 15


@pytest.mark.parametrize("number", range(12))
def test_whatever_is_changed_apart_and_whoever_meets_whom_all_come_to_one_answer(tmp_path: Path, number: int) -> None:
    """Of PCs that are added none is lost, and of those that are removed none comes back."""
    chance = random.Random(number)
    homes = [tmp_path / f"pc-{each}" for each in range(4)]
    pair_homes({home: home.name for home in homes})
    pcs = [load(home) for home in homes]
    there, gone = set[str](), set[str]()
    for step in range(12):
        pc, other = chance.sample(pcs, 2)
        known = sorted(there & {member.node for member in pc.roster.members})
        if chance.random() < 0.5:
            pc.offer(other.chain)
            other.offer(pc.chain)
        elif known and chance.random() < 0.3:
            pc.remove(NodeId(known[0]))
            gone.add(known[0])
        else:
            new = make_identity()
            pc.add(new.certificate, f"new {step}")
            there.add(new.node)
    for _ in range(4):
        for pc in pcs:
            for other in pcs:
                pc.offer(other.chain)
    assert len({str(pc.roster) for pc in pcs}) == 1
    members = {member.node for member in pcs[0].roster.members}
    assert there - gone <= members
    assert not gone & members


def test_who_was_removed_cannot_undo_it_by_a_branch_of_its_own(homes: list[Path]) -> None:
    """However long its branch is, and whomever it removes: whoever heard of the removal stays with it."""
    ada, bob, eve = map(load, homes)
    ada.remove(eve.node)
    for number in range(5):
        eve.add(make_identity().certificate, f"friend {number}")
    eve.remove(ada.node)
    bob.offer(ada.chain)
    for member in (ada, bob):
        with pytest.raises(RosterRefused, match="no admin of the pool any more"):
            member.offer(eve.chain)
        assert names(member) == ["ada", "bob"]


def test_a_branch_that_removes_its_rival_wins_although_it_is_shorter(homes: list[Path]) -> None:
    ada, bob, eve = map(load, homes)
    for number in range(3):
        bob.add(make_identity().certificate, f"friend {number}")
    eve.offer(bob.chain)
    ada.remove(bob.node)
    assert eve.offer(ada.chain)
    assert not eve.is_member(bob.node)
    assert eve.is_member(ada.node)
    assert bob.offer(ada.chain)
    assert bob.removed_by == "ada"


def test_a_pc_that_was_added_apart_stays_until_it_is_known_to_the_others(homes: list[Path], tmp_path: Path) -> None:
    ada, bob, _ = map(load, homes)
    new = load(tmp_path / "new")
    bob.add(new.identity.certificate, "new")
    new.join(bob.chain)
    for number in range(2):
        ada.add(make_identity().certificate, f"other {number}")
    assert not new.offer(ada.chain)
    assert new.is_member(bob.node)
    meet(bob, ada)
    assert new.offer(bob.chain)
    assert new.roster == ada.roster


def test_a_pc_that_is_removed_is_alone_and_can_be_paired_again(homes: list[Path]) -> None:
    ada, bob, _ = map(load, homes)
    ada.remove(bob.node)
    bob.offer(ada.chain)
    assert (names(bob), bob.removed_by) == (["bob"], "ada")
    assert bob.roster.pool != ada.roster.pool
    assert names(load(homes[1])) == ["bob"]
    ada.add(bob.identity.certificate, "bob")
    bob.join(ada.chain)
    assert load(homes[1]).roster == ada.roster


def test_a_pool_that_one_is_not_in_cannot_be_joined(tmp_path: Path, homes: list[Path]) -> None:
    stranger = load(tmp_path / "stranger")
    with pytest.raises(RosterRefused, match="this PC is not in it"):
        stranger.join(load(homes[0]).chain)
    assert names(load(tmp_path / "stranger")) == ["stranger"]


def test_the_chain_does_not_grow_for_ever(tmp_path: Path) -> None:
    ada = load(tmp_path / "ada")
    for number in range(MAX_CHAIN + 3):
        ada.add(ada.identity.certificate, f"ada {number}")
    assert len(load(tmp_path / "ada", ada.own_name).chain) == MAX_CHAIN
    assert len(ada.credentials.since(1)) == MAX_CHAIN
    assert ada.credentials.since(ada.roster.epoch) == ada.credentials.since(ada.roster.epoch + 5) == ()


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"half"])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, damage: bytes) -> None:
    load(tmp_path)
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-70] if damage == b"half" else damage)
    with pytest.raises(RosterRefused, match=r"roster.bin is damaged. Remove .* and pair this PC again"):
        load(tmp_path)


def test_a_roster_of_a_lost_identity_is_left_behind(homes: list[Path]) -> None:
    (homes[0] / "certificate.der").unlink()
    assert names(load(homes[0])) == ["ada"]


@pytest.mark.parametrize("file", [FILE, CERTIFICATE])
def test_a_file_that_the_system_does_not_give_is_told_with_what_to_do(tmp_path: Path, file: str) -> None:
    load_membership(tmp_path, "north", FileKeyStore(tmp_path))
    (tmp_path / file).unlink()
    (tmp_path / file).mkdir()
    with pytest.raises(FileUnreadable, match="could not be read") as caught:
        load_membership(tmp_path, "north", FileKeyStore(tmp_path))
    assert "move it" in caught.value.hint
    assert (tmp_path / file).is_dir(), "nothing of it is touched"
