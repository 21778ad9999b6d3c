"""What a node leaves in its data folder for the commands of the same user: where it listens for them, and a secret.

The secret never crosses the socket. Each side proves that it has read the file by an HMAC (RFC 2104) over fresh random
bytes of both sides and its own role, so that nothing heard before, or sent back, is a proof.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from idlepool.engine.net.key_store import write_for_user

FILE = "control.json"
CHALLENGE_BYTES = 32
PROOF_BYTES = 32
"""Of SHA-256."""

Side = Literal["node", "client"]


class ControlFile(msgspec.Struct, frozen=True):
    """Where the node of a data folder listens on this PC's loopback address, and its secret."""

    port: Annotated[int, msgspec.Meta(gt=0, lt=2**16)]
    secret: bytes

    def proof(self, side: Side, challenges: bytes) -> bytes:
        """What only somebody can say who knows the secret; `challenges`: the node's, then the client's."""
        return hmac.digest(self.secret, side.encode("ascii") + challenges, "sha256")


def new_challenge() -> bytes:
    """Random bytes that were never used before."""
    return secrets.token_bytes(CHALLENGE_BYTES)


def write_control_file(root: Path, *, port: int) -> ControlFile:
    """Put a new secret into the folder, which only this user may read. Raises StorageError."""
    control = ControlFile(port, secrets.token_bytes(32))
    write_for_user(root / FILE, msgspec.json.encode(control))
    return control


def read_control_file(root: Path) -> ControlFile | None:
    """What lies in the folder, be its node alive or not; None where there is nothing of use."""
    try:
        return msgspec.json.decode((root / FILE).read_bytes(), type=ControlFile)
    except (OSError, msgspec.DecodeError):
        return None


def remove_control_file(root: Path) -> None:
    """The node listens no more."""
    with contextlib.suppress(OSError):  # on Windows somebody may be reading it; it says nothing once the node is gone
        (root / FILE).unlink(missing_ok=True)
