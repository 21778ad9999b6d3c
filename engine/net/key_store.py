"""Where the private key of this PC is kept: in the system's key store, or in a file where there is none.

A key store may ask the user for a password and wait for it: never call one on the event loop or the GUI's thread.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import logging
import os
from pathlib import Path
from typing import Protocol

from idlepool.engine.errors import StorageError
from idlepool.engine.trust_errors import KeyMissing

_log = logging.getLogger("idlepool.keys")

SERVICE = "idlepool"
"""What the system's key store shows as the owner of its entries."""


class KeyStore(Protocol):
    """Secrets by name."""

    notice: str
    """What the user should know about where they are; empty: nothing."""

    def load(self, name: str) -> bytes | None:
        """The secret, or None where there is none.

        Raises:
            KeyMissing: the store is locked.
            StorageError: its file cannot be read.
        """

    def save(self, name: str, secret: bytes) -> None:
        """Keep a secret. Raises StorageError where its file cannot be written."""


class FileKeyStore:
    """One file for each secret in `folder`, which only this user may read (on Windows by the profile's own rights)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.notice = (
            f"The private key of this PC lies in a file in {folder}: this system has no key store that could guard it."
            " Keep others away from that folder."
        )

    def load(self, name: str) -> bytes | None:
        """See KeyStore."""
        path = self._path(name)
        try:
            return path.read_bytes() if path.exists() else None
        except OSError as error:
            raise KeyMissing(f"{path}: {error.strerror or error}") from error

    def save(self, name: str, secret: bytes) -> None:
        """See KeyStore."""
        write_for_user(self._path(name), secret)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.key"


def write_for_user(path: Path, data: bytes) -> None:
    """Write a file that only this user may read; after a crash all of it is there, or what was there before.

    Raises:
        StorageError: it cannot be written.
    """
    fresh = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        # Nobody else may read it at any moment, so the rights come with the file and not after it.
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):  # a part of a secret is of no use to anybody who should have it
            fresh.unlink(missing_ok=True)
        raise StorageError(str(path), error.strerror or str(error)) from error


class SystemKeyStore:
    """The system's key store (package keyring); `folder` has what was saved where there is none."""

    def __init__(self, folder: Path) -> None:
        self._file = FileKeyStore(folder)
        self.notice = ""

    def load(self, name: str) -> bytes | None:
        """See KeyStore."""
        # What is in a file was put there because the system's store did not work: it may still not.
        secret = self._file.load(name)
        if secret is not None:
            self.notice = self._file.notice
            return secret
        import keyring  # looks for the system's stores when it is imported, which takes a while
        from keyring.errors import KeyringError, NoKeyringError

        try:
            text = keyring.get_password(SERVICE, name)
            return None if text is None else base64.b64decode(text, validate=True)
        except NoKeyringError:
            return None
        except (KeyringError, OSError) as error:
            raise KeyMissing(f"the system's key store does not give it ({type(error).__name__})") from error
        except binascii.Error as error:
            raise KeyMissing("what is there instead is no key") from error

    def save(self, name: str, secret: bytes) -> None:
        """See KeyStore."""
        import keyring
        from keyring.errors import KeyringError

        text = base64.b64encode(secret).decode("ascii")
        try:
            keyring.set_password(SERVICE, name, text)
            if keyring.get_password(SERVICE, name) == text:  # there are stores that forget everything
                return
        except (KeyringError, OSError) as error:
            _log.info("the system's key store cannot be used: %s", type(error).__name__)
        self._file.save(name, secret)
        self.notice = self._file.notice
