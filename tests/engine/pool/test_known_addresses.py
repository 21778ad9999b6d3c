"""Addresses survive a restart; a damaged list costs nothing but a slower start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idlepool.engine.pool.known_addresses import FILE, MAX_ADDRESSES, MAX_NODES, KnownAddresses
from idlepool.engine.types import Address, NodeId

NORTH, SOUTH = NodeId("a" * 64), NodeId("b" * 64)
HOME, OFFICE = Address("192.168.1.20", 24_753), Address("fe80::1%3", 4001)


async def loaded(root: Path) -> KnownAddresses:
    known = KnownAddresses(root)
    await known.load()
    return known


async def test_the_last_address_comes_first_also_after_a_restart(tmp_path):
    known = await loaded(tmp_path)
    for address in (HOME, OFFICE, HOME):
        await known.remember(NORTH, address)
    await known.remember(SOUTH, OFFICE)
    again = await loaded(tmp_path)
    assert again.of(NORTH) == known.of(NORTH) == (HOME, OFFICE)
    assert again.of(SOUTH) == (OFFICE,)
    assert again.of(NodeId("c" * 64)) == ()


async def test_the_list_stays_small(tmp_path):
    known = await loaded(tmp_path)
    for port in range(1, 3 * MAX_ADDRESSES):
        await known.remember(NORTH, Address("pc", port))
    assert known.of(NORTH) == tuple(Address("pc", 3 * MAX_ADDRESSES - 1 - n) for n in range(MAX_ADDRESSES))
    for number in range(MAX_NODES):
        await known.remember(NodeId(f"{number:064x}"), HOME)
    assert (await loaded(tmp_path)).of(NORTH) == ()
    assert len(json.loads((tmp_path / FILE).read_bytes())) == MAX_NODES


async def test_who_is_no_member_is_forgotten(tmp_path):
    known = await loaded(tmp_path)
    await known.remember(NORTH, HOME)
    await known.remember(SOUTH, HOME)
    await known.keep_only({SOUTH})
    again = await loaded(tmp_path)
    assert (again.of(NORTH), again.of(SOUTH)) == ((), (HOME,))


@pytest.mark.parametrize(
    "damaged", [b"", b"{", b"[]", b'{"a": 5}', b'{"a": ["no address at all"]}', b"\xff\xfe", b"[" * 100_000]
)
async def test_a_damaged_list_is_an_empty_one(tmp_path, damaged):
    (tmp_path / FILE).write_bytes(damaged)
    known = await loaded(tmp_path)
    assert known.of(NORTH) == ()
    await known.remember(NORTH, HOME)
    assert (await loaded(tmp_path)).of(NORTH) == (HOME,)


async def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    known = await loaded(tmp_path / "file")
    await known.remember(NORTH, HOME)
    assert known.of(NORTH) == (HOME,)
