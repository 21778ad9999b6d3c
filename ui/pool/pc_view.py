"""What the window says of each PC of the pool, and of others that were seen: words and values, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from idlepool.engine.events import PeerInfo, PeerState
from idlepool.engine.pairing_events import MemberInfo

Tone = Literal["good", "busy", "bad", "muted"]
"""How the words of a state are coloured; the words alone say it all."""

TONES: dict[PeerState, Tone] = {
    "present": "good",
    "suspect": "busy",
    "looking": "muted",
    "unreachable": "muted",
    "refused": "bad",
    "other version": "bad",
    "unpaired": "bad",
    "removed": "bad",
    "unverified": "muted",
}


@dataclass(frozen=True, slots=True)
class PcView:
    """One PC as it is shown. `key` stays the same from one picture of the pool to the next."""

    key: str
    name: str
    state: str
    tone: Tone
    detail: str = ""
    member: MemberInfo | None = None
    """None: it is no member of the pool."""
    can_pair: bool = False
    pair_address: str = ""
    """Where pairing looks for it; empty: it is found by itself."""
    facts: tuple[str, ...] = ()
    """What it has and holds, a line each; on the pool page."""
    left_out: bool = False
    """Whether plans of this PC may not use it."""


def members_view(members: tuple[MemberInfo, ...], peers: tuple[PeerInfo, ...]) -> list[PcView]:
    """The PCs of the pool, this one first and the others by name."""
    known = {peer.node: peer for peer in peers}
    ordered = sorted(members, key=lambda member: (not member.here, member.name.casefold(), member.node))
    return [_member(member, known.get(member.node)) for member in ordered]


def strangers_view(members: tuple[MemberInfo, ...], peers: tuple[PeerInfo, ...]) -> list[PcView]:
    """Others that were seen: announced ones, addresses that were typed, and callers that were turned away."""
    ids = [member.node for member in members]
    strangers = [peer for peer in peers if _is_stranger(peer) and not any(_same(peer.node, node) for node in ids)]
    return [_stranger(peer) for peer in strangers]


def identity_line(member: MemberInfo | None) -> str:
    """The words by which two owners can tell that their PCs know each other; empty where there are none."""
    if member is None or not member.words:
        return ""
    words = _tr("Words of this PC: {words}") if member.here else _tr("Words (it shows the same): {words}")
    return words.format(words=" ".join(member.words))


def pool_words(peers: tuple[PeerInfo, ...]) -> str:
    """How many PCs of the pool are here: "3 PCs", or "2 of 3 PCs"."""
    pool = [peer for peer in peers if not _is_stranger(peer)]
    here = sum(peer.present for peer in pool)
    if here < len(pool):
        return _tr("{here} of {all} PCs").format(here=here, all=len(pool))
    return _tr("This PC only") if here < 2 else _tr("{all} PCs").format(all=here)


def pool_lines(peers: tuple[PeerInfo, ...]) -> str:
    """The PCs of the pool in short, a line for each."""
    pool = [peer for peer in peers if not _is_stranger(peer)]
    return "\n".join(f"{peer.name}: {_tr('this PC') if peer.here else _state_words(peer.state)}" for peer in pool)


def _member(member: MemberInfo, peer: PeerInfo | None) -> PcView:
    if member.here:
        return PcView(member.node, member.name, _tr("this PC"), "muted", member=member)
    state = peer.state if peer else "looking"
    detail = _detail(peer) if peer else ""
    return PcView(member.node, member.name, _state_words(state), TONES[state], detail, member)


def _stranger(peer: PeerInfo) -> PcView:
    announced = peer.state == "unverified"
    return PcView(
        f"{peer.found} {peer.node or peer.address}",
        _tr("PC {id}").format(id=peer.name) if announced else peer.name,
        _state_words(peer.state),
        TONES[peer.state],
        _detail(peer),
        can_pair=announced or peer.state == "unpaired" or peer.found == "called",
        pair_address="" if announced else _host(peer.address),
    )


def _is_stranger(peer: PeerInfo) -> bool:
    return peer.state == "unverified" or not peer.node


def _same(short: str, node: str) -> bool:
    """Whether an announced id is that of a PC that became a member since."""
    return bool(short) and node.startswith(short)


def _detail(peer: PeerInfo) -> str:
    facts = []
    if peer.present:
        facts += [
            _activity(peer),
            lending_words(peer),
            *(_tr("runs {model}").format(model=name) for name in peer.running),
        ]
    if peer.address and peer.address not in peer.reason and peer.address != peer.name:
        facts.append(peer.address)
    if peer.build:
        facts.append(_tr("version {number}").format(number=peer.build).replace(" ", "\N{NO-BREAK SPACE}"))
    return "\n".join(filter(None, (_reason(peer), " · ".join(filter(None, facts)))))


def _reason(peer: PeerInfo) -> str:
    if peer.state in ("unpaired", "removed"):
        return peer.reason  # the window has a button for what the terminal has a command
    return f"{peer.reason} {peer.hint}".strip()


def _activity(peer: PeerInfo) -> str:
    words = {
        "idle": "",
        "fetching": _tr("fetching"),
        "loading": _tr("loading"),
        "compiling": _tr("getting ready"),
        "prefill": _tr("reading a question"),
        "decoding": _tr("answering"),
    }
    doing = words.get(peer.phase, "")
    return f"{doing} {int(100 * min(peer.done / peer.total, 1.0))} %" if doing and peer.total else doing


def lending_words(peer: PeerInfo) -> str:
    """That it does not lend, and why; nothing of one that does."""
    return "" if peer.lends else _tr("does not lend: {reason}").format(reason=why_not_lent(peer))


def why_not_lent(peer: PeerInfo) -> str:
    """The reason alone. One of a newer version is shown as it came."""
    words = {
        "never": _tr("its owner lends nothing"),
        "leaving": _tr("it goes to sleep or is shut down"),
        "snoozed": _tr("its owner wants it for a while"),
        "on battery": _tr("it runs on battery"),
        "battery low": _tr("its battery is low"),
        "metered network": _tr("its network is metered"),
        "outside hours": _tr("outside its hours"),
        "idle time unknown": _tr("it cannot tell whether somebody uses it"),
        "user active": _tr("somebody uses it"),
        "program running": _tr("a program there wants it for itself"),
        "full-screen program": _tr("a program fills its screen"),
        "too hot": _tr("it is too hot"),
        "memory cap": _tr("its memory is lent already"),
        "disk cap": _tr("its disk is lent already"),
    }
    return words.get(peer.lends_reason, peer.lends_reason)


def _state_words(state: PeerState) -> str:
    words: dict[PeerState, str] = {
        "present": _tr("here"),
        "suspect": _tr("silent"),
        "looking": _tr("looking for it"),
        "unreachable": _tr("not reached"),
        "refused": _tr("refused"),
        "other version": _tr("other version"),
        "unpaired": _tr("not paired"),
        "removed": _tr("removed"),
        "unverified": _tr("unverified"),
    }
    return words[state]


def _host(address: str) -> str:
    """An address without its port: pairing has one of its own."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def _tr(text: str) -> str:
    return QCoreApplication.translate("PcView", text)
