"""Power, heat, network, screen and programs: what each system's figures mean, and real answers where there are any."""

from __future__ import annotations

import os
import sys

import psutil
import pytest

from idlepool.engine.machine.machine import Machine, resident_bytes, running_programs
from idlepool.engine.machine.network import Network, by_cost_hint, by_network_manager
from idlepool.engine.machine.power import hottest, power
from idlepool.engine.machine.screen import by_notification_state

linux = pytest.mark.skipif(sys.platform != "linux", reason="services of Linux")


@pytest.mark.parametrize(("told", "metered"), [(0, None), (1, True), (2, False), (3, True), (4, False), (None, None)])
def test_what_network_manager_means(told: object, metered: bool | None) -> None:
    assert by_network_manager(told) is metered


@pytest.mark.parametrize(
    ("cost", "over_limit", "roaming", "metered"),
    [(0, 0, 0, None), (1, 0, 0, False), (2, 0, 0, True), (3, 0, 0, True), (1, 1, 0, True), (1, 0, 1, True)],
)
def test_what_windows_means_by_a_cost(cost: int, over_limit: int, roaming: int, metered: bool | None) -> None:
    assert by_cost_hint(cost, over_limit=bool(over_limit), roaming=bool(roaming)) is metered


def test_what_windows_means_by_a_state_of_notifications() -> None:
    # Nobody logged on, busy, Direct3D, presentation, accepts, quiet time, a full-screen app of the store.
    assert [by_notification_state(state) for state in range(1, 8)] == [False, True, True, True, False, False, False]


def test_the_hottest_sensor_of_the_processor_counts_and_no_contact_without_one() -> None:
    assert hottest({"coretemp": [61.0, 72.5, 127.0], "nct6775": [118.0]}) == 72.5
    assert hottest({"k10temp": [0.0], "nvme": [60.0]}) is None


def test_a_pc_without_a_battery_is_on_mains() -> None:
    if psutil.sensors_battery() is None:
        assert power().on_battery is False
    else:
        assert power().battery_percent is not None


@linux
def test_network_manager_is_asked_over_the_bus(bus: str) -> None:
    from played_services import PlayedServices

    from idlepool.engine.machine.dbus import Bus

    network = Network(Bus("SYSTEM"))
    assert network.metered() is None
    asked: list[tuple[str, str]] = []

    def get(interface: str, name: str) -> tuple[str, tuple[object, ...]]:
        asked.append((interface, name))
        return "v", (("u", 1),)

    services = PlayedServices(["org.freedesktop.NetworkManager"], {"Get": get})
    assert network.metered() is True
    assert asked == [("org.freedesktop.NetworkManager", "Metered")]
    services.close()


def test_this_pc_answers_every_question_or_says_that_it_does_not_know() -> None:
    machine = Machine()
    assert machine.conditions(programs=False).programs is None
    conditions = machine.conditions(programs=True)
    assert conditions.programs is not None
    assert psutil.Process().name() in conditions.programs


def test_programs_are_called_as_their_files() -> None:
    assert psutil.Process().name() in running_programs()


def test_memory_of_processes_is_added_up_and_ended_ones_take_none() -> None:
    own = resident_bytes(frozenset({os.getpid()}))
    assert own > 2**20
    assert resident_bytes(frozenset()) == 0
    assert resident_bytes(frozenset({2**22 + 1})) == 0
