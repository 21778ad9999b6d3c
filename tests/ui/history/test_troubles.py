"""Whatever happens to the file: a sentence says it, all goes on in memory, and is written when the disk is back."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from idlepool.ui.history.history import FILE, History
from idlepool.ui.history.schema import MIGRATIONS
from idlepool.ui.history.trouble import Reason

SCRIPT = Path(__file__).parent / "on_a_bad_disk.py"

ANSWER = "An answer with enough words to fill some of a page. " * 20


def talk(history: History, question: str = "before") -> int:
    conversation = history.create()
    asked = history.add_message(conversation.id, None, "user", question)
    history.add_message(conversation.id, asked.id, "assistant", ANSWER)
    return conversation.id


def ask(history: History, conversation: int, question: str) -> None:
    path = history.path(conversation)
    history.add_message(conversation, path[-1].id if path else None, "user", question)


def questions(history: History, conversation: int) -> list[str]:
    return [message.text for message in history.path(conversation) if message.role == "user"]


def can_mount() -> bool:
    unshare = shutil.which("unshare")
    if not unshare or not shutil.which("mount"):
        return False
    done = subprocess.run([unshare, "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.parametrize(("how", "reason"), [("full", "full"), ("read-only", "read-only")])
def test_a_real_disk_that_takes_nothing(tmp_path: Path, how: str, reason: str) -> None:
    if not can_mount():
        pytest.skip("this user may not mount a disk of a test's own")
    command = ["unshare", "-m", sys.executable, str(SCRIPT), how, str(tmp_path)]
    out = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert out["reason"] == reason
    assert out["waiting"] > 0
    assert out["shown"] == 41
    assert out["found"] == ["before", *(f"during {number}" for number in range(40))]
    assert len(out["told"]) == 2
    assert "only kept in memory" in out["told"][0]
    assert out["told"][1] == ""
    assert out["after"] == 0


def test_a_full_file_is_left_and_returned_to(tmp_path: Path) -> None:
    told: list[str] = []
    history = History(tmp_path, on_problem=told.append)
    conversation = talk(history)
    pages = history._store._database.execute("PRAGMA page_count").fetchone()[0]
    history._store._database.execute(f"PRAGMA max_page_count = {pages}")
    ask(history, conversation, "a long question " * 2_000)
    assert history.reason == Reason.FULL
    assert "disk is full" in history.problem
    assert history.search("long question", limit=5)
    ask(history, conversation, "another")
    assert history.retry()
    assert history.problem == told[-1] == ""
    assert len(questions(History(tmp_path), conversation)) == 3


def test_what_is_changed_and_deleted_meanwhile_is_so_on_the_disk(tmp_path: Path) -> None:
    history = History(tmp_path)
    gone, kept = talk(history, "gone"), talk(history, "kept")
    history.save_preset("old", history.open(kept).settings)
    with locked(tmp_path):
        history.delete(gone)
        history.purge_deleted()
        history.rename(kept, "renamed")
        history.delete_preset("old")
        new = talk(history, "new")
        assert history.reason == Reason.LOCKED
    history.close()
    again = History(tmp_path)
    assert [entry.id for entry in again.conversations(limit=9)] == [new, kept]
    assert again.open(kept).title == "renamed"
    assert again.presets() == {}
    assert again.search("gone", limit=9) == []


class locked:  # noqa: N801 - reads as a condition
    """Another program writes to the file and does not end."""

    def __init__(self, folder: Path) -> None:
        self.other = sqlite3.connect(folder / FILE, isolation_level=None)

    def __enter__(self) -> None:
        self.other.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_: object) -> None:
        self.other.close()


def test_a_file_that_is_locked_from_the_beginning(tmp_path: Path) -> None:
    first = History(tmp_path)
    conversation = talk(first)
    first.close()
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    history = History(tmp_path)
    assert history.reason == Reason.LOCKED
    new = talk(history, "meanwhile")
    ask(history, conversation, "to one that cannot be read")
    assert not history.retry()
    other.close()
    assert history.retry()
    assert [entry.id for entry in history.conversations(limit=9)] == [conversation, new]
    assert questions(history, new) == ["meanwhile"]
    assert "to one that cannot be read" in [m.text for m in history.path(conversation)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody delete a file that is open")
def test_a_file_that_is_deleted_while_it_is_open_is_written_anew(tmp_path: Path) -> None:
    told: list[str] = []
    history = History(tmp_path, on_problem=told.append)
    conversation = talk(history)
    for file in tmp_path.iterdir():
        file.unlink()
    ask(history, conversation, "after")
    history.close()
    assert questions(History(tmp_path), conversation) == ["before", "after"]
    assert told == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody delete a folder with open files")
def test_a_folder_that_is_unplugged_and_comes_back(tmp_path: Path) -> None:
    folder, away = tmp_path / "disk", tmp_path / "away"
    history = History(folder)
    conversation = talk(history)
    folder.rename(away)
    ask(history, conversation, "while it is away")
    assert history.reason == Reason.UNREACHABLE
    assert str(folder / FILE) in history.problem
    assert questions(history, conversation) == ["before", "while it is away"]
    away.rename(folder)
    assert history.retry()
    history.close()
    assert questions(History(folder), conversation) == ["before", "while it is away"]


def test_something_else_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    history = History(tmp_path)
    assert history.reason == Reason.UNREACHABLE
    conversation = talk(history)
    (tmp_path / FILE).rmdir()
    history.close()
    assert questions(History(tmp_path), conversation) == ["before"]


def test_what_is_said_in_a_conversation_that_cannot_be_read_is_added_to_it(tmp_path: Path) -> None:
    first = History(tmp_path)
    conversation = talk(first)
    first.close()
    (tmp_path / FILE).rename(tmp_path / "away")
    (tmp_path / FILE).mkdir()
    history = History(tmp_path)
    last = first_of = history.add_message(conversation, 2, "user", "meanwhile")
    last = history.add_message(conversation, last.id, "assistant", "of course")
    (tmp_path / FILE).rmdir()
    (tmp_path / "away").rename(tmp_path / FILE)
    assert history.retry()
    assert 1_000_000 < first_of.id < 2**31  # beyond what the file has, and no more than Qt takes
    assert [m.text for m in history.path(conversation)] == ["before", ANSWER, "meanwhile", "of course"]
    assert history.open(conversation).title == "before"


def test_a_newer_file_is_left_as_it_is(tmp_path: Path) -> None:
    History(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as newer:
        newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()
    before = (tmp_path / FILE).read_bytes()
    history = History(tmp_path)
    assert history.reason == Reason.NEWER
    talk(history)
    assert not history.retry()
    assert history.waiting > 0
    history.close()
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize("rubbish", [b"this is no database" * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / FILE).write_bytes(rubbish)
    (tmp_path / f"{FILE}.damaged-1").write_bytes(b"an earlier one")
    history = History(tmp_path)
    assert history.reason == Reason.DAMAGED
    assert f"{FILE}.damaged-2" in history.problem
    assert (tmp_path / f"{FILE}.damaged-2").read_bytes() == rubbish
    conversation = talk(history)
    history.close()
    again = History(tmp_path)
    assert questions(again, conversation) == ["before"]
    assert again.problem == ""


def test_a_database_of_another_program_is_set_aside(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("CREATE TABLE messages (text TEXT)")
    other.close()
    history = History(tmp_path)
    assert history.reason == Reason.DAMAGED
    assert talk(history)


@pytest.mark.skipif(sys.platform == "win32", reason="there the rights of the user's folder hold")
def test_other_users_cannot_read_it(tmp_path: Path) -> None:
    talk(History(tmp_path))
    assert len(list(tmp_path.iterdir())) > 1
    assert all(file.stat().st_mode & 0o077 == 0 for file in tmp_path.iterdir())


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    history = History(tmp_path)
    assert history.problem == ""
    assert talk(history)


def test_what_is_left_of_a_damaged_file_is_rescued(tmp_path: Path) -> None:
    history = History(tmp_path)
    conversations = [talk(history, f"question {number}") for number in range(300)]
    history.close()
    pages = bytearray((tmp_path / FILE).read_bytes())
    for page in range(len(pages) // 4096 // 2, len(pages) // 4096 // 2 + 12):
        pages[page * 4096 : (page + 1) * 4096] = b"\xa5" * 4096
    (tmp_path / FILE).write_bytes(pages)

    history = History(tmp_path)
    for conversation in conversations:  # sooner or later the bad pages are met
        history.path(conversation)
    history.search("question enough words", limit=300)
    ask(history, conversations[0], "after")
    assert history.reason == Reason.DAMAGED
    history.close()
    again = History(tmp_path)
    left = [one for one in conversations if again.path(one)]
    assert len(left) > 200
    assert again.problem == ""
    assert any(again.search(f"question {number}", limit=5) for number in range(300))
    assert questions(again, conversations[0])[-1] == "after"
    assert again._store.read("PRAGMA integrity_check") == [("ok",)]
    assert again._store.read("PRAGMA foreign_key_check") == []


def test_a_file_that_is_cut_short_while_it_is_open(tmp_path: Path) -> None:
    history = History(tmp_path)
    conversations = [talk(history, f"question {number}") for number in range(300)]
    history.close()
    history = History(tmp_path)
    size = (tmp_path / FILE).stat().st_size
    with (tmp_path / FILE).open("r+b") as file:
        file.truncate(size // 3 // 4096 * 4096)
    for conversation in conversations:
        history.path(conversation)
    new = talk(history, "after")
    assert questions(history, new) == ["after"]
    history.close()
    assert questions(History(tmp_path), new) == ["after"]
