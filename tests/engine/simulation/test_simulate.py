"""An office that is drawn: the same for the same seed on every PC, and its report adds up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.simulation.simulate import Scenario, simulate

SMALL = Scenario(30, 12, 5, Shape(layers=24))

SCRIPT = """
import json
from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.simulation.simulate import Scenario, simulate
print(json.dumps(simulate(Scenario(30, 12, 5, Shape(layers=24)))))
"""


@pytest.fixture(scope="module")
def found():
    return simulate(SMALL)


def in_another_process(hash_seed):
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_same_seed_gives_the_same_report_in_any_process(found):
    assert in_another_process("1") == found == in_another_process("2")


def test_another_seed_is_another_office(found):
    assert simulate(Scenario(30, 12, 6, Shape(layers=24)))["tokens"] != found["tokens"]


def test_no_token_is_lost_though_pipelines_break(found):
    assert sum(found["breaks"].values()) > 0
    assert found["replans"] > 0
    assert found["tokens"] > 1000
    assert found["lost_tokens"] == 0


def test_the_report_adds_up(found):
    assert sum(found["questions"].values()) >= found["first_token_s"]["count"] > 0
    assert found["tokens"] >= found["token_ms"]["count"]
    assert 0 < found["ready"] <= found["availability"] <= 1
    series = found["series"]
    assert len(series["hours"]) == 12 * 6
    assert sum(series["replans_each_hour"]) == found["replans"]
    assert sum(series["lending"]) / len(series["lending"]) == pytest.approx(found["lending"]["mean"], abs=0.1)
    assert all(lending <= on for lending, on in zip(series["lending"], series["on"], strict=True))


def test_a_pool_that_is_too_small_says_so():
    found = simulate(Scenario(2, 24, 5))
    assert found["availability"] == 0
    assert set(found["questions"]) <= {"refused"}
