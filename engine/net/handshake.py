"""Who may open a link: the pure part of the handshake, Hello in, Welcome or a refusal out."""

from __future__ import annotations

import re

import msgspec

from idlepool.engine.errors import MessageError
from idlepool.engine.net.messages import PROTOCOL_VERSION, Hello, Refused, Welcome, decode_message

_NODE_ID = re.compile(r"[0-9a-f]{64}")
_MAX_NAME = 64
_MAX_SENTENCE = 300
_MAX_OPENING = 4096


class _Opening(msgspec.Struct, tag="hello"):
    """What every version of Hello has, so that another version can be named whatever else it changed."""

    version: int
    name: str = "the other PC"


_openings = msgspec.json.Decoder(_Opening)


def answer_hello(data: str | bytes, welcome: Welcome, *, pool: str) -> Hello | Refused:
    """What the listener that introduces itself as `welcome` makes of the first message of a connection.

    A Hello that it accepts comes back with the name made fit to show.

    Raises:
        MessageError: the message is no Hello of any version.
    """
    _check_length(data)
    try:
        opening = _openings.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MessageError(f"A connection did not start with a Hello: {error}.") from error
    if opening.version != PROTOCOL_VERSION:
        return Refused(version_clash(welcome.name, PROTOCOL_VERSION, shown(opening.name, _MAX_NAME), opening.version))
    hello = decode_message(data)
    if not isinstance(hello, Hello) or not _is_introduction(hello):
        raise MessageError("A connection started with a Hello that names no PC.")
    if hello.node == welcome.node:
        return Refused("That is this PC itself.")
    if hello.pool != pool:
        return Refused(f"{welcome.name} belongs to another pool.")
    return msgspec.structs.replace(hello, name=shown(hello.name, _MAX_NAME))


def read_answer(data: str | bytes) -> Welcome | Refused:
    """The listener's answer, with what it says made fit to show.

    Raises:
        MessageError: it is neither Welcome nor Refused.
    """
    _check_length(data)
    answer = decode_message(data)
    if isinstance(answer, Refused):
        return Refused(shown(answer.sentence, _MAX_SENTENCE) or "It gave no reason.")
    if not isinstance(answer, Welcome) or not _is_introduction(answer):
        raise MessageError("A Hello was answered by something other than Welcome or Refused.")
    return msgspec.structs.replace(answer, name=shown(answer.name, _MAX_NAME))


def version_clash(name: str, version: int, other: str, other_version: int) -> str:
    """The sentence for two PCs that cannot talk."""
    return f"{name} speaks protocol version {version}, {other} version {other_version}: update the older one."


def shown(text: str, limit: int) -> str:
    """Text of a peer that may be shown and logged: printable characters only, at most `limit` of them."""
    return "".join(character for character in text[:limit] if character.isprintable())


def _check_length(data: str | bytes) -> None:
    if len(data) > _MAX_OPENING:
        raise MessageError(f"A connection started with a message of {len(data):,} bytes; {_MAX_OPENING:,} are enough.")


def _is_introduction(message: Hello | Welcome) -> bool:
    return (
        _NODE_ID.fullmatch(message.node) is not None
        and 0 <= message.port < 2**16
        and bool(shown(message.name, _MAX_NAME).strip())
    )
