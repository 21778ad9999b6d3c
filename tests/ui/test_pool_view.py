"""What is said of a PC that is not reached: the reason, and what to do where the window has no button for it."""

from __future__ import annotations

from pcs_in_states import MEMBERS, PEERS

from idlepool.ui.pool_view import members_view, strangers_view


def detail(name: str) -> str:
    (view,) = (pc for pc in (*members_view(MEMBERS, PEERS), *strangers_view(MEMBERS, PEERS)) if pc.name == name)
    return view.detail


def test_a_hint_is_shown_with_its_reason() -> None:
    assert detail("quarry") == "Nobody answers at 192.168.1.26:7420: no connection. Is Idlepool running there?"


def test_where_the_window_pairs_no_command_is_shown() -> None:
    assert detail("tower") == "idle-1 was removed from the pool."
    assert detail("office.example:7420") == "office.example:7420 is not paired with this PC."
