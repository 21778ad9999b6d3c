"""`idlepool plan` beside real nodes: who would run a model, and why not the others."""

from __future__ import annotations

import asyncio
import contextlib
import json

import pytest
from played_pool import until
from tiny_model import build_tiny_model

from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.pool.membership import load_membership
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.profiles import Profiles

LOOPBACK = ("--listen", "127.0.0.1")


@pytest.fixture
def north(tmp_path):
    """The data folder of a PC with the model `tiny`, of 4 layers; paired with south and west."""
    pair_homes({tmp_path / name: name for name in ("north", "south", "west")})
    ModelStore(tmp_path / "north").add_folder(build_tiny_model(tmp_path / "tiny"), name="tiny")
    return tmp_path / "north"


@contextlib.asynccontextmanager
async def running(home):
    """The PC with this data folder, which lends what it has, as long as the block lasts."""
    node = Node(
        NodeSettings(home.name, home), load_membership(home, home.name, FileKeyStore(home)), emit=lambda _: None
    )
    await node.start()
    await until(lambda: node.devices)
    try:
        yield node
    finally:
        await node.close()


def measured(home, ms: float) -> None:
    """As if the PC had run all layers of the model."""
    profiles = Profiles(home / "cache")
    model = ModelStore(home.parent / "north").get("tiny").model
    profiles.note(StepTimes(0, 4, (ms, ms, ms), model, "CPU", "paged"))
    profiles.save()


async def planned(run, home, *arguments: str) -> dict:
    command = run("plan", "tiny", "--json", "--seconds", "15", *LOOPBACK, *arguments, home=home)
    assert await asyncio.to_thread(command.finish) == 0, command.error
    assert "Traceback" not in command.error
    return json.loads(command.out)


def spans(plan: dict) -> list[tuple[str, int, int]]:
    return [(stage["name"], stage["first"], stage["last"]) for stage in plan["stages"]]


async def test_a_much_faster_pc_gets_what_it_can_and_who_is_away_is_told(run, north):
    measured(north, 4000.0)
    measured(north.parent / "south", 4.0)
    async with running(north.parent / "south") as south:
        plan = await planned(run, north, "--peer", f"127.0.0.1:{south.port}")
        chosen = await planned(
            run, north, "--pcs", "north,south", "--spans", "0-3,3-4", "--peer", f"127.0.0.1:{south.port}"
        )
    assert spans(plan) == [("north", 0, 1), ("south", 1, 4)]
    assert plan["measured"] is True
    assert plan["round_ms"] > 500
    assert plan["tokens_per_second"] == pytest.approx(1000 / plan["round_ms"], rel=0.05)
    assert all(stage["memory_bytes"] > 0 and stage["spare_bytes"] > 0 for stage in plan["stages"])
    assert [(stage["device"], stage["backend"]) for stage in plan["stages"]] == [("CPU", "paged")] * 2
    assert [stage["fetch_bytes"] > 0 for stage in plan["stages"]] == [False, True]  # the model was added on north
    (away,) = plan["left_out"]
    assert away["name"] == "west"
    assert away["reason"]
    assert spans(chosen) == [("north", 0, 3), ("south", 3, 4)]
    assert chosen["round_ms"] > 2 * plan["round_ms"]


def test_alone_it_is_one_pc_and_a_guess(run, north):
    command = run("plan", "tiny", "--seconds", "1", "--context", "100", *LOOPBACK, home=north)
    assert command.finish() == 0, command.error
    lines = command.out.splitlines()
    assert lines[0].endswith("guessed from the size of the layers: not all of these PCs ran this model yet")
    assert lines[1].startswith("  north, CPU: layers 0 to 3, ")
    assert lines[2].endswith("users more, with conversations of 100 tokens")
    assert [line.split(":")[0] for line in lines[3:]] == ["  without south", "  without west"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "nothing"),
        (("tiny", "--pcs", "north,nobody"), "nobody is not here. These PCs are: north."),
        (("tiny", "--spans", "0-3"), "The spans 0-3 are not the 4 layers of the model."),
        (("tiny", "--spans", "3-0"), "--spans: it must be spans of layers like 0-12,12-30, not 3-0"),
        (("tiny", "--pcs", "north", "--spans", "0-2,2-4"), "2 spans were given for 1 PCs."),
    ],
)
def test_what_cannot_be_planned_is_said(run, north, arguments, said):
    command = run("plan", *arguments, "--seconds", "1", *LOOPBACK, home=north)
    assert command.finish() in (1, 2)
    assert command.out == ""
    assert said in command.error
    assert "Traceback" not in command.error
