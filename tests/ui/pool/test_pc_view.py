"""What is said of a PC that is not reached: the reason, and what to do where the window has no button for it."""

from __future__ import annotations

from pcs_in_states import MEMBERS, PEERS

from idlepool.engine.events import PeerInfo
from idlepool.engine.pairing_events import MemberInfo
from idlepool.engine.pool.donation import Reason
from idlepool.ui.pool.pc_view import members_view, strangers_view


def detail(name: str) -> str:
    (view,) = (pc for pc in (*members_view(MEMBERS, PEERS), *strangers_view(MEMBERS, PEERS)) if pc.name == name)
    return view.detail


def test_a_hint_is_shown_with_its_reason() -> None:
    assert detail("quarry") == "Nobody answers at 192.168.1.26:7420: no connection. Is Idlepool running there?"


def test_where_the_window_pairs_no_command_is_shown() -> None:
    assert detail("tower") == "idle-1 was removed from the pool."
    assert detail("office.example:7420") == "office.example:7420 is not paired with this PC."


def detail_of_lending(*, lends: bool, reason: str) -> str:
    node = "1" * 64
    peer = PeerInfo(node, "idle-2", here=False, present=True, lends=lends, lends_reason=reason)
    (view,) = members_view((MemberInfo(node, "idle-2", here=False),), (peer,))
    return view.detail


def test_a_pc_that_does_not_lend_says_why() -> None:
    assert detail_of_lending(lends=False, reason="user active") == "does not lend: somebody uses it"
    assert detail_of_lending(lends=True, reason="idle") == ""


def test_every_reason_has_words_and_one_of_a_newer_version_is_shown_as_it_came() -> None:
    reasons = [reason for reason in Reason if reason not in (Reason.IDLE, Reason.ALWAYS)]
    assert all(str(reason) not in detail_of_lending(lends=False, reason=reason).split(": ")[1:] for reason in reasons)
    assert detail_of_lending(lends=False, reason="at the dentist's") == "does not lend: at the dentist's"
