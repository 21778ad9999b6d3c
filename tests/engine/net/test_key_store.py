"""Where keys are kept: in the system's store where it works, else in a file of which the user is told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.backends.null import Keyring as ForgetfulKeyring
from keyring.errors import KeyringLocked

from idlepool.engine.net.key_store import FileKeyStore, SystemKeyStore
from idlepool.engine.trust_errors import KeyMissing

SECRET = bytes(range(150))


class MemoryKeyring(KeyringBackend):
    """A store of the system, as keyring's own interface wants it."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.entries[service, username]


@pytest.fixture
def system() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    store = MemoryKeyring()
    keyring.set_keyring(store)
    yield store
    keyring.set_keyring(before)


def test_a_secret_in_a_file_is_for_this_user_only(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    keys = FileKeyStore(folder)
    assert keys.load("pc") is None
    keys.save("pc", b"old")
    keys.save("pc", SECRET)
    assert FileKeyStore(folder).load("pc") == SECRET
    (file,) = folder.iterdir()
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600
    assert str(folder) in keys.notice


def test_a_secret_in_the_systems_store_leaves_no_file(tmp_path: Path, system: MemoryKeyring) -> None:
    keys = SystemKeyStore(tmp_path)
    assert keys.load("pc") is None
    keys.save("pc", SECRET)
    assert SystemKeyStore(tmp_path).load("pc") == SECRET
    assert list(tmp_path.iterdir()) == []
    assert keys.notice == ""
    assert max(map(len, system.entries.values())) < 1280  # all that Windows takes


@pytest.mark.parametrize("store", [NoKeyring, ForgetfulKeyring])
def test_where_the_system_keeps_nothing_it_is_a_file_with_a_notice(
    tmp_path: Path, system: MemoryKeyring, store: type[KeyringBackend]
) -> None:
    keyring.set_keyring(store())
    keys = SystemKeyStore(tmp_path)
    assert keys.load("pc") is None
    keys.save("pc", SECRET)
    assert "lies in a file" in keys.notice
    keyring.set_keyring(system)  # a store that appears later does not hide it
    again = SystemKeyStore(tmp_path)
    assert again.load("pc") == SECRET
    assert "lies in a file" in again.notice


def test_a_locked_store_is_told_and_no_second_key_made(tmp_path: Path, system: MemoryKeyring) -> None:
    keys = SystemKeyStore(tmp_path)
    keys.save("pc", SECRET)
    system.locked = True
    with pytest.raises(KeyMissing, match="Unlock the system's key store"):
        keys.load("pc")
    system.locked = False
    assert keys.load("pc") == SECRET


def test_nonsense_in_the_systems_store_is_no_key(tmp_path: Path, system: MemoryKeyring) -> None:
    system.set_password("idlepool", "pc", "no base64 at all!")
    with pytest.raises(KeyMissing, match="is no key"):
        SystemKeyStore(tmp_path).load("pc")
