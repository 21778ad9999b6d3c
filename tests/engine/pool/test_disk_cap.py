from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.pool.disk_cap import CAP_BYTES, ON_DISK, RESERVE_BYTES, DiskCap, FetchedChunk, longest_unused
from idlepool.engine.types import ModelId

GB = 1_000_000_000
SIZES = st.integers(0, 10_000 * GB)


@dataclass(frozen=True)
class Disk:
    total: int
    free: int


@given(SIZES, SIZES, SIZES, st.none() | SIZES)
def test_neither_cap_nor_reserve_is_passed(total, free, taken, cap):
    room = DiskCap(Disk(total, min(free, total)), taken, cap)
    coming = room.room()
    if coming > 0:
        assert taken + coming * ON_DISK <= room.most + 1
        assert room.usage.free - coming * ON_DISK >= room.reserve - 1


def test_where_the_owner_named_no_cap_it_is_a_tenth_of_what_is_free():
    assert DiskCap(Disk(500 * GB, 100 * GB), 0).allowed == 10 * GB
    assert DiskCap(Disk(500 * GB, 92 * GB), 8 * GB).allowed == 10 * GB  # what is fetched makes it no smaller
    assert DiskCap(Disk(20_000 * GB, 10_000 * GB), 0).allowed == CAP_BYTES


def test_what_limits_is_named():
    assert "may take 30.0 GB" in DiskCap(Disk(500 * GB, 100 * GB), 25 * GB, 30 * GB).limit
    full = DiskCap(Disk(500 * GB, 6 * GB), 25 * GB, 60 * GB)
    assert "5.0 GB of it are always left free" in full.limit
    assert full.allowed == 26 * GB
    assert DiskCap(Disk(20 * GB, 1 * GB), 0, 60 * GB).reserve < RESERVE_BYTES


def test_a_lower_cap_leaves_too_much_on_the_disk():
    assert DiskCap(Disk(500 * GB, 100 * GB), 25 * GB, 20 * GB).room() < -4 * GB


CHUNKS = st.lists(
    st.builds(
        FetchedChunk,
        st.sampled_from([ModelId("a"), ModelId("b")]),
        st.integers(0, 40),
        st.integers(1, 100),
        st.integers(0, 5).map(float),
    ),
    max_size=20,
    unique_by=lambda chunk: (chunk.model, chunk.index),
)


@given(CHUNKS, st.integers(-10, 800))
def test_what_was_not_used_for_longest_goes_and_no_more_than_it_takes(chunks, count):
    going = longest_unused(chunks, count)
    stays = set(chunks) - set(going)
    freed = sum(chunk.length for chunk in going)
    assert freed >= min(count, sum(chunk.length for chunk in chunks))
    assert not going or freed - going[-1].length < count
    assert all(gone.used <= left.used for gone in going for left in stays)
