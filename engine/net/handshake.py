"""Who may open a link: the pure part of the handshake, Hello in, Welcome or a refusal out.

TLS has told before who is there (tls.py): what a message says is held against that.
"""

from __future__ import annotations

import re

import msgspec

from idlepool.engine.errors import MessageError
from idlepool.engine.net.messages import PROTOCOL_VERSION, Hello, Refused, Welcome, decode_message
from idlepool.engine.net.shown import MAX_NAME, shown
from idlepool.engine.net.trust_messages import Dismissed
from idlepool.engine.trust_errors import HOW_TO_PAIR
from idlepool.engine.types import NodeId

_NODE_ID = re.compile(r"[0-9a-f]{64}")
_MAX_BUILD = 40
_MAX_SENTENCE = 300
_MAX_OPENING = 4096


class _Opening(msgspec.Struct, tag="hello"):
    """What every version of Hello has, so that another version can be named whatever else it changed."""

    version: int
    name: str = "the other PC"
    build: str = ""


_openings = msgspec.json.Decoder(_Opening)


def answer_hello(data: str | bytes, welcome: Welcome, *, guest: NodeId) -> Hello | Refused:
    """What the listener that introduces itself as `welcome` makes of the first message of the PC `guest`.

    A Hello that it accepts comes back with its texts made fit to show. Whether the guest is a member is not looked at.

    Raises:
        MessageError: the message is no Hello of any version.
    """
    _check_length(data)
    try:
        opening = _openings.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MessageError(f"A connection did not start with a Hello: {error}.") from error
    if opening.version != PROTOCOL_VERSION:
        clash = version_clash(program_of(welcome), PROTOCOL_VERSION, program_of(opening), opening.version)
        return Refused(clash)
    hello = decode_message(data)
    if not isinstance(hello, Hello) or not _is_introduction(hello):
        raise MessageError("A connection started with a Hello that names no PC.")
    if hello.node != guest:
        return Refused("You show the certificate of one PC and the name of another.")
    if guest == welcome.node:
        return Refused("That is this PC itself.")
    if hello.pool != welcome.pool:
        return Refused(f"{welcome.name} belongs to another pool.", hint=HOW_TO_PAIR)
    return msgspec.structs.replace(hello, name=shown(hello.name, MAX_NAME), build=shown(hello.build, _MAX_BUILD))


def read_answer(data: str | bytes) -> Welcome | Refused | Dismissed:
    """The listener's answer, with what it says made fit to show.

    Raises:
        MessageError: it is none of these.
    """
    answer = decode_message(data)
    if isinstance(answer, Dismissed):
        return answer
    _check_length(data)
    if isinstance(answer, Refused):
        sentence = shown(answer.sentence, _MAX_SENTENCE) or "It gave no reason."
        return Refused(sentence, answer.version, shown(answer.hint, _MAX_SENTENCE))
    if not isinstance(answer, Welcome) or not _is_introduction(answer):
        raise MessageError("A Hello was answered by something other than Welcome or a refusal.")
    return msgspec.structs.replace(answer, name=shown(answer.name, MAX_NAME), build=shown(answer.build, _MAX_BUILD))


def version_clash(name: str, version: int, other: str, other_version: int) -> str:
    """The sentence for two PCs that cannot talk."""
    return f"{name} speaks protocol version {version}, {other} version {other_version}: update the older one."


def program_of(speaker: Hello | Welcome | _Opening) -> str:
    """A PC with its build, as far as it names it, fit to show."""
    name, build = shown(speaker.name, MAX_NAME), shown(speaker.build, _MAX_BUILD)
    return f"{name} (Idlepool {build})" if build else name


def _check_length(data: str | bytes) -> None:
    if len(data) > _MAX_OPENING:
        raise MessageError(f"A connection started with a message of {len(data):,} bytes; {_MAX_OPENING:,} are enough.")


def _is_introduction(message: Hello | Welcome) -> bool:
    return (
        _NODE_ID.fullmatch(message.node) is not None
        and 0 <= message.port < 2**16
        and 0 <= message.epoch < 2**53
        and bool(shown(message.name, MAX_NAME).strip())
    )
