"""The report holds what helps, and nothing that is private, whatever field it comes in by."""

from __future__ import annotations

import getpass
import platform
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from idlepool.engine.events import Event, NodeReady, PeerInfo, PoolChanged
from idlepool.ui.bridge import Bridge
from idlepool.ui.event_trace import EventTrace, words_of
from idlepool.ui.node_state import NodeState
from idlepool.ui.redaction import redacted
from idlepool.ui.trouble_report import Reports

SECRET = "Swordfish"


def filled(kind: Any) -> Any:
    """A value of a type, with the secret wherever there is room for a text."""
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            return cls(**{field.name: filled(field.type) for field in fields})
        case inspect.VarTupleType(item_type=item):
            return (filled(item),)
        case inspect.TupleType(item_types=items):
            return tuple(map(filled, items))
        case inspect.ListType(item_type=item):
            return [filled(item)]
        case inspect.DictType(key_type=key, value_type=value):
            return {filled(key): filled(value)}
        case inspect.UnionType(types=types):
            return filled(next(kind for kind in types if not isinstance(kind, inspect.NoneType)))
    return single(kind)


def single(kind: Any) -> Any:
    match kind:
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.EnumType(cls=cls):
            return next(iter(cls))
        case inspect.IntType(ge=least):
            return max(1, int(least or 0))
        case inspect.RawType():
            return msgspec.Raw(msgspec.json.encode(SECRET))
    simple = {
        inspect.StrType: SECRET,
        inspect.FloatType: 0.5,
        inspect.BoolType: True,
        inspect.DateTimeType: datetime(2026, 6, 1, tzinfo=timezone(timedelta(hours=2))),
    }
    return simple[type(kind)]


def all_events() -> list[Any]:
    return [filled(kind) for kind in inspect.type_info(Event).types]


@pytest.fixture
def state(qtbot) -> NodeState:
    return NodeState(Bridge(["nothing"]))


@pytest.mark.parametrize("event", all_events(), ids=lambda event: event.__struct_config__.tag)
def test_no_text_of_an_event_gets_into_the_trace(event: Event):
    assert SECRET not in words_of(event)


def test_nothing_that_any_event_carries_gets_into_the_report(state: NodeState):
    reports = Reports(state)
    for event in all_events():
        state.bridge.received.emit(event)
    told = reports.text()
    assert SECRET.casefold() not in told.casefold()
    assert "What happened last" in told
    assert "answer_done: " in told


PRIVATE = [
    "idlepool.links: linked to Swordfish at 192.168.7.31:7400",
    "idlepool.links: the PC “Swordfish” left",
    "idlepool.store: cannot write /srv/swordfish/models/a.bin",
    r"idlepool.store: cannot write D:\swordfish\models\a.bin",
    "idlepool.pairing: the code K7MP-3XQ9 was typed",
    "idlepool.api: the key ip-4f9c0a7d3be1486fa2c05b7795d0e6f1 is refused",
    "idlepool.links: fd00:12:34::7b met",
    "idlepool.links: certificate 9f86d081884c7d659a2feaa0c55ad015 unknown",
    "idlepool.hub: https://hub.example.org/swordfish answered 404",
    "idlepool.mail: swordfish@example.org wrote",
    "ValueError: my password is swordfish",
    "my password is swordfish",
    '  File "/srv/swordfish/notes.py", line 3, in swordfish',
    "    password = 'swordfish'",
]


UNKNOWN = [
    rf"idlepool.store: cannot read C:\{'Users'}\Erika Mustermann\models\a.bin",
    f"idlepool.store: cannot read /{'home'}/erika mustermann/models/a.bin: Permission denied",
    "idlepool.store: $HOME/Erika, ~erika/x and D:Erika",
    "idlepool.pipeline: model Erika_Tagebuch_7B was lost",
    "idlepool.pipeline: the model erikas tagebuch was lost",
    "idlepool.pipeline: model erika.gguf: layers [0, 12)",
    "idlepool.links: erikas-laptop.fritz.box left, Erika too",
    "idlepool.chat: answered: Meine Diagnose ist unklar",
    "idlepool.api: Authorization: Bearer sk-Erika1",
    "idlepool.store: „Erikas Modell“ fehlt, «Erika» und ‚Erika‘ auch",
    "idlepool.links: \u202eErika\u202c is here",
    "idlepool.links: a\x0bidlepool.links: Erika",
    "idlepool.links: OSError(113, 'no route to Erika')",
    "openvino.OpError: Exception from Erika",
]
"""Of people, PCs and models that no event ever told of, in two languages."""


@pytest.mark.parametrize("line", UNKNOWN)
def test_names_that_nobody_told_the_window_do_not_stay_either(line: str):
    told = "\n".join(redacted(line, ())).casefold()
    for private in ("erika", "mustermann", "tagebuch", "fritz", "diagnose", "unklar", "sk-"):
        assert private not in told


@pytest.mark.parametrize("line", PRIVATE)
def test_nothing_private_that_the_node_wrote_stays(line: str):
    told = "\n".join(redacted(line, ("Swordfish",))).casefold()
    for private in ("swordfish", "192.168", "k7mp", "4f9c0a", "fd00", "9f86d0", "example", "password"):
        assert private not in told


def test_what_helps_stays():
    own = Path(__file__).parents[2] / "ui" / "bridge.py"
    wrote = f"""idlepool.pipeline: the stage [10, 20) took 3.4 s to load
idlepool.links: OSError(113): No route to host, 14.5 MB/s before
Traceback (most recent call last):
  File "{own}", line 80, in _read_events
    event = decode_event(line)
ValueError: what somebody wrote
Fatal Python error: Aborted"""
    assert redacted(wrote, ()) == [
        "idlepool.pipeline: the stage [10, 20) took 3.4 s to load",
        "idlepool.links: OSError(113): No route to host, 14.5 MB/s before",
        "Traceback (most recent call last):",
        "  File ui/bridge.py, line 80",
        "…",
        "ValueError: …",
        "Fatal Python error: Aborted",
    ]


def test_names_are_left_out_also_when_the_node_is_gone(state: NodeState):
    reports = Reports(state)
    state.bridge.received.emit(NodeReady("0" * 64, "Attic", "192.168.7.31", 7400, ()))
    state.bridge.received.emit(PoolChanged((PeerInfo("1" * 64, "Harbour", False, True),)))
    state.bridge._stderr = "\n".join(
        f"idlepool.links: {name} said hello to all"
        for name in ("Attic", "Harbour", platform.node(), getpass.getuser(), str(Path.home()))
    ).encode()
    state.bridge.node_ended.emit("The engine crashed.")
    told = reports.text()
    assert "the node ended" in told
    assert told.count("idlepool.links: … said hello to all") == 5


def test_what_repeats_is_one_line(state: NodeState):
    trace = EventTrace(state.bridge, clock=lambda: 100.0)
    for _ in range(500):
        state.bridge.received.emit(PoolChanged((PeerInfo("1" * 64, "Harbour", False, True),)))
    assert trace.lines() == ["      0 s ago  pool_changed: 1 of 1 PCs present  (500 times)"]
