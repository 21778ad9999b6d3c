"""`idlepool pair` as two people use it, each in a terminal of their own."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pool.folder_lock import folder_lock
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.pool.membership import load_membership

NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
"""The key store of whoever runs the tests is left alone."""


@pytest.fixture
def pair(run, tmp_path: Path):
    """`pair(name, *arguments)` runs `idlepool pair` on the PC of that name."""

    def start(name: str, *arguments: str):
        options = ("--name", name, "--listen", "127.0.0.1")
        return run("pair", *arguments, *options, home=tmp_path / name, **NO_KEYRING)

    return start


def members(home: Path) -> list[str]:
    return sorted(member.name for member in load_membership(home, home.name, FileKeyStore(home)).roster.members)


@pytest.mark.parametrize("by_address", [False, True])
def test_two_pcs_pair_by_a_code(pair, tmp_path: Path, by_address: bool):
    port = str(free_port())
    north = pair("north", "--port", port)
    code = north.read().strip()
    south = pair("south", code.lower(), *(["--address", f"127.0.0.1:{port}"] if by_address else []))
    assert south.finish() == 0, south.error
    assert north.finish() == 0, north.error
    words = south.out.split()
    assert len(words) == 4
    assert north.out.split() == [code, *words]
    assert "Paired with north" in south.error
    assert "Paired with south" in north.error
    assert members(tmp_path / "north") == members(tmp_path / "south") == ["north", "south"]
    assert "127.0.0.1:24753" in (tmp_path / "south" / "addresses.json").read_text()


def test_a_wrong_code_is_told_and_changes_nothing(pair, tmp_path: Path):
    north = pair("north")
    code = north.read().strip()
    assert code, north.finish() and north.error
    south = pair("south", code[:-1] + ("A" if code[-1] != "A" else "B"))
    assert south.finish() == 1
    assert "That is not the code that the other PC shows. It can be tried 4 times more." in south.error
    assert members(tmp_path / "south") == ["south"]


@pytest.mark.parametrize("typed", ["12", "NOPE", "K7MP-3XQ0"])
def test_what_is_no_code_is_told_at_once(pair, tmp_path: Path, typed: str):
    south = pair("south", typed)
    assert south.finish() == 1
    assert re.match(r"idlepool: (That is no pairing code|No code has a “0” in it)", south.error), (
        "and nothing before it"
    )
    assert not (tmp_path / "south").exists()


def test_a_pc_is_removed_by_its_name(pair, tmp_path: Path):
    pair_homes({tmp_path / name: name for name in ("north", "south", "west")})
    wrong = pair("north", "--remove", "east")
    assert wrong.finish() == 1
    assert "Paired are: south, west." in wrong.error
    assert pair("north", "--remove", "south").finish() == 0
    assert members(tmp_path / "north") == ["north", "west"]


def test_a_pc_leaves_before_it_pairs_elsewhere(pair, tmp_path: Path):
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    refused = pair("south", "K7MP-3XQ9")
    assert refused.finish() == 1
    assert "shares a pool with north already" in refused.error
    assert "idlepool pair --leave" in refused.error
    assert pair("south", "--leave").finish() == 0
    assert members(tmp_path / "south") == ["south"]


def test_beside_another_command_it_says_what_to_do(pair, tmp_path: Path):
    with folder_lock(tmp_path / "north"):
        north = pair("north")
        assert north.finish() == 1
    assert "runs already" in north.error
    assert "Wait until it is done" in north.error


def test_an_address_without_a_code_is_a_mistake(pair):
    north = pair("north", "--address", "127.0.0.1")
    assert north.finish() == 1
    assert "--address needs the code as well" in north.error


def test_the_key_may_lie_in_a_file_from_the_start(pair, tmp_path: Path):
    west = pair("west", "--leave", "--key-file")
    assert west.finish() == 0
    assert west.error.startswith("This PC is in no pool")
    assert list((tmp_path / "west").glob("*.key"))


def test_ctrl_c_ends_it(pair):
    north = pair("north")
    north.read()
    north.send_signal(signal.SIGINT)
    assert north.finish() == 130
