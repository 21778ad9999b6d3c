"""A plan as it is typed."""

from __future__ import annotations

import argparse

import pytest

from idlepool.app.typed_values import plan


@pytest.mark.parametrize(
    ("text", "names", "spans"),
    [
        ("Here:0-12,North:12-24", ("Here", "North"), ((0, 12), (12, 24))),
        ("Here", ("Here",), ()),
        ("Anna's PC: the old one , North", ("Anna's PC: the old one", "North"), ()),
        ("PC:1:0-3", ("PC:1",), ((0, 3),)),
    ],
)
def test_names_and_perhaps_layers(text, names, spans):
    assert plan(text) == (names, spans)


@pytest.mark.parametrize("text", ["", "Here,,North", "Here:0-3,North", ":0-3,x", "Here:3-0", "Here:3-3"])
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="A:0-12,B:12-24"):
        plan(text)
