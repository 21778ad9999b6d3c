"""Why no link came about, in the words for people."""

from __future__ import annotations

import socket
import ssl

from websockets.exceptions import ConnectionClosed, InvalidMessage

from idlepool.engine.errors import LinkError, PeerUnreachable
from idlepool.engine.trust_errors import NotPaired
from idlepool.engine.types import Address

_SOMETHING_ELSE = "something other than Idlepool, or an older version of it, answers"


def why_no_link(address: Address, error: Exception) -> LinkError:
    """What is told of an error that a connection to `address` ended with before it was a link."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return NotPaired(f"The PC at {address}")
    # Under TLS 1.3 a listener looks at the certificate after the connection is made: who is refused sees it end.
    if isinstance(error, InvalidMessage) and isinstance(error.__cause__, EOFError):
        return NotPaired(f"The PC at {address}", f"The PC at {address} does not know this one.")
    return PeerUnreachable(str(address), _why(error))


def _why(error: Exception) -> str:
    match error:
        case ssl.SSLError():
            return _SOMETHING_ELSE
        case ConnectionRefusedError():
            return "the connection was refused"
        case ConnectionResetError() | ConnectionClosed():
            return "it closed the connection"
        case socket.gaierror():
            return "no PC of that name is known"
        case OSError():
            return error.strerror or str(error)
    return _SOMETHING_ELSE
