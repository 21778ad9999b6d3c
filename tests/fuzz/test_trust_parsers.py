"""What PCs say before and about being of one pool: each parser gives a value or an error for users, whatever comes."""

from __future__ import annotations

import msgspec
import pytest
from fuzzing import Parser, attack_briefly, attack_for_long
from hypothesis import strategies as st
from paired import paired
from peer_input import hostile

from idlepool.engine.net.handshake import answer_hello, read_answer
from idlepool.engine.net.identity import make_identity
from idlepool.engine.net.messages import Hello, Refused, Welcome, encode_message
from idlepool.engine.net.pairing import (
    Admission,
    Agreement,
    Declined,
    Door,
    Introduction,
    Knock,
    Proof,
    Reply,
    Sealed,
    Session,
    decode,
    encode,
)
from idlepool.engine.net.roster import SignedRoster, accept, add_member, found_pool, read_roster, remove_member
from idlepool.engine.net.roster_branches import merge
from idlepool.engine.net.trust_messages import Dismissed

FOUNDER, SECOND = paired("pc-1", "pc-2")
CHAIN = FOUNDER.chain
NEXT = add_member(CHAIN[-1], FOUNDER.identity, certificate=make_identity().certificate, name="pc-3")
APART = [add_member(CHAIN[-1], SECOND.identity, certificate=make_identity().certificate, name="pc-4")]
APART.append(remove_member(APART[0], SECOND.identity, FOUNDER.identity.node))
ELSEWHERE = found_pool(SECOND.identity, "pc-2")
HELLO = Hello("control", SECOND.identity.node, "pc-2", 1, FOUNDER.roster.pool, 5, 6, 2, build="0.1.0")
WELCOME = Welcome(FOUNDER.identity.node, "pc-1", 1, 6, FOUNDER.roster.pool, 2, build="0.1.0")
ANSWERS = (WELCOME, Refused("No."), Dismissed(CHAIN))

# --- the handshake ----------------------------------------------------------------------------------------------------


def parse_hello(data: bytes) -> None:
    """What is answered can be sent, and what is kept of a guest can be shown."""
    answer = answer_hello(data, WELCOME, guest=SECOND.identity.node)
    encode_message(answer)
    if isinstance(answer, Hello):
        assert answer.node == SECOND.identity.node
        assert answer.name.isprintable()
    else:
        assert len(answer.sentence) < 1000


def parse_answer(data: bytes) -> None:
    match read_answer(data):
        case Dismissed(rosters=rosters):
            accept(CHAIN[0], rosters)
        case Refused(sentence=sentence):
            assert sentence.isprintable()
        case Welcome(name=name):
            assert name.isprintable()


# --- rosters ----------------------------------------------------------------------------------------------------------


def parse_roster(body: bytes) -> None:
    """As it is read, whoever signed it; and as it is taken over, which only an untouched one is."""
    offered = SignedRoster(body, NEXT.signer, NEXT.signature)
    roster = read_roster(offered)
    assert len({member.node for member in roster.members}) == len(roster.members)
    assert accept(CHAIN[-1], [offered]) == NEXT


def parse_chain(data: bytes) -> None:
    """News of a member; only the next list follows."""
    try:
        offered = msgspec.msgpack.decode(data, type=tuple[SignedRoster, ...])
    except msgspec.DecodeError:
        return  # the message around it does not decode
    assert accept(CHAIN[-1], offered) == NEXT


def parse_branch(data: bytes) -> None:
    """Changes that were made apart; what comes of it is a chain, and one that any other PC takes."""
    try:
        offered = msgspec.msgpack.decode(data, type=tuple[SignedRoster, ...])
    except msgspec.DecodeError:
        return
    merged = merge((*CHAIN, NEXT), offered)
    assert accept(None, merged.chain) == merged.chain[-1]
    assert merged.chain[-1] in (NEXT, APART[0], APART[1])


# --- pairing ----------------------------------------------------------------------------------------------------------

CODE = "7K3M9QXA"
HOST = Agreement(CODE, host=FOUNDER.identity.node, guest=SECOND.identity.node, showing=True)
MESSAGES = (
    Door(FOUNDER.identity.node),
    Knock(SECOND.identity.node, HOST.element),
    Reply(HOST.element),
    Proof(bytes(32)),
    Sealed(bytes(40)),
    Declined("wrong", 3),
)
CONTENTS = (Introduction("pc-3", make_identity().certificate, 9), Admission((*CHAIN, NEXT), 9))


def parse_element(data: bytes) -> None:
    guest = Agreement(CODE, host=FOUNDER.identity.node, guest=SECOND.identity.node, showing=False)
    session = guest.agree(data)
    assert not session.check(data[:32])


def parse_content(data: bytes) -> None:
    """What somebody who knows the code may seal; without the key nothing is read at all."""
    key, transcript = bytes(32), bytes(64)
    host, guest = (Session(key, transcript, showing=showing) for showing in (True, False))
    sealed = host._outgoing.seal(data)
    content = guest.unseal(Sealed(sealed))
    if isinstance(content, Admission):
        accept(None, content.rosters)


PARSERS = (
    Parser("hello", hostile(encode_message(HELLO).encode(), form="json"), parse_hello),
    Parser("answer", hostile(*(encode_message(answer).encode() for answer in ANSWERS), form="json"), parse_answer),
    Parser("roster", hostile(NEXT.body, CHAIN[-1].body, ELSEWHERE.body, form="msgpack"), parse_roster),
    Parser(
        "chain",
        hostile(*(msgspec.msgpack.encode(chain) for chain in ([NEXT], CHAIN, [*CHAIN, NEXT])), form="msgpack"),
        parse_chain,
    ),
    Parser(
        "branch",
        hostile(*(msgspec.msgpack.encode(chain) for chain in (APART[:1], APART, [*CHAIN, *APART])), form="msgpack"),
        parse_branch,
    ),
    Parser("pairing", hostile(*map(encode, MESSAGES), form="msgpack"), lambda data: decode(data)),
    Parser("element", hostile(HOST.element) | st.binary(min_size=33, max_size=33), parse_element, cost=25),
    Parser("content", hostile(*map(encode, CONTENTS), form="msgpack"), parse_content),
)

every_parser = pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)


@every_parser
def test_anybody_can_send_anything(parser: Parser) -> None:
    attack_briefly(parser)


@pytest.mark.long
@pytest.mark.timeout(0)
@every_parser
def test_anybody_can_send_anything_for_long(parser: Parser) -> None:
    attack_for_long(parser)
