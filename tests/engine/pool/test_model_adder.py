"""Models added one after another by real child processes, from a server that stands in for the Hub."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from hub_server import REPOSITORY
from played_pool import until
from small_disk import fill, small_disk

from idlepool.engine.events import ModelProgress, Trouble
from idlepool.engine.model_events import AddingChanged, ModelAdded
from idlepool.engine.models.manifest import WEIGHTS_FILE
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool import model_adder
from idlepool.engine.pool.adding_file import Wanted, read_adding, write_adding
from idlepool.engine.pool.model_adder import ModelAdder

SOURCE = f"hf:{REPOSITORY}"


class Gate:
    """A Cap that lets nothing through until it is opened."""

    def __init__(self):
        self.asked = 0
        self.open = asyncio.Event()

    async def take(self, count):
        self.asked += count
        await self.open.wait()


class Watched:
    """An adder, and what it told."""

    def __init__(self, root, cap=None):
        self.root = root
        self.events = []
        self.added = 0
        self.adder = ModelAdder(root, self.events.append, on_added=self._on_added, cap=cap)

    def _on_added(self):
        self.added += 1

    @property
    def queue(self):
        """(source, state) of each, as told last."""
        told = self.told
        return [(model.source, model.state) for model in told]

    @property
    def told(self):
        changes = [event for event in self.events if isinstance(event, AddingChanged)]
        return changes[-1].models if changes else ()

    def part(self):
        """Bytes of the weights that lie on the disk."""
        parts = list(self.root.glob(f"downloads/*/{WEIGHTS_FILE}.part"))
        return parts[0].stat().st_size if parts else 0


@asynccontextmanager
async def running(root, cap=None):
    watched = Watched(root, cap)
    watched.adder.start()
    try:
        yield watched
    finally:
        await watched.adder.close()


@pytest_asyncio.fixture
async def watched(tmp_path, server):
    async with running(tmp_path / "home") as watched:
        yield watched


async def half_way(watched, server):
    """The weights come slowly, and some of them are there."""
    server.bytes_per_s = len(server.files[WEIGHTS_FILE]) // 8
    watched.adder.add(SOURCE)
    await until(lambda: watched.part())


async def test_a_paused_model_goes_on_where_it_stopped(watched, server):
    await half_way(watched, server)
    watched.adder.pause(SOURCE)
    await until(lambda: watched.adder._at_work is None)
    assert watched.queue == [(SOURCE, "paused")]
    assert watched.told[0].keeps
    here = watched.part()
    assert here > 0
    server.bytes_per_s = 0
    server.asked.clear()
    watched.adder.add(SOURCE)
    await until(lambda: watched.added)
    assert server.asked == [(WEIGHTS_FILE, f"bytes={here}-")]
    assert watched.queue == []
    ModelStore(watched.root).verify("tiny")


async def test_several_wait_for_their_turn_and_one_that_waits_can_be_cancelled(watched, server, tiny_model):
    await half_way(watched, server)
    watched.adder.add(str(tiny_model))
    watched.adder.add(SOURCE)  # twice is once
    watched.adder.add("no such thing")
    assert [state for _, state in watched.queue] == ["fetching", "queued", "queued"]
    watched.adder.cancel("no such thing")
    server.bytes_per_s = 0
    await until(lambda: watched.added == 2)
    assert watched.queue == []
    assert not [event for event in watched.events if isinstance(event, Trouble)]


async def test_what_is_cancelled_leaves_nothing_on_the_disk(watched, server):
    await half_way(watched, server)
    watched.adder.cancel(SOURCE)
    await until(lambda: not list(watched.root.glob("downloads/*")))
    assert watched.queue == []
    assert ModelStore(watched.root).list() == ()
    assert watched.added == 0


async def test_a_restart_goes_on_with_what_came_and_leaves_paused_ones_alone(watched, server, tiny_model):
    await half_way(watched, server)
    watched.adder.add(str(tiny_model))
    watched.adder.pause(str(tiny_model))
    await watched.adder.close()
    here = watched.part()
    server.bytes_per_s = 0
    server.asked.clear()
    async with running(watched.root) as again:
        await until(lambda: again.added)
        assert server.asked == [(WEIGHTS_FILE, f"bytes={here}-")]
        assert again.queue == [(str(tiny_model), "paused")]


async def test_a_crash_forgets_nothing(watched, server, tiny_model):
    """What the next start needs is on the disk before the first byte of a model, and gone with its end."""
    await half_way(watched, server)
    watched.adder.add(str(tiny_model))
    watched.adder.pause(str(tiny_model))
    await until(lambda: read_adding(watched.root) == (Wanted(SOURCE), Wanted(str(tiny_model), waits=True)))
    server.bytes_per_s = 0
    await until(lambda: watched.added)
    await until(lambda: read_adding(watched.root) == (Wanted(str(tiny_model), waits=True),))


@pytest.mark.parametrize("text", ["", "{", '{"source": "starter"}', "[7]", "[" * 100_000])
async def test_a_damaged_queue_is_told_and_kept_aside(tmp_path, text):
    (tmp_path / "adding.json").write_text(text)
    async with running(tmp_path) as watched:
        assert [event.sentence for event in watched.events if isinstance(event, Trouble)] == [
            "Which models were being added cannot be read; the old file is called adding.json.broken now."
        ]
        assert (tmp_path / "adding.json.broken").read_text() == text


async def test_a_model_that_failed_says_why_and_can_be_tried_again(watched, server):
    server.status[WEIGHTS_FILE] = (500, "")
    watched.adder.add(SOURCE)
    await until(lambda: watched.queue == [(SOURCE, "failed")])
    assert "the Hub answers with error 500" in watched.told[0].sentence
    assert watched.told[0].hint == "Try again later."
    trouble = [event for event in watched.events if isinstance(event, Trouble)]
    assert [event.sentence for event in trouble] == [watched.told[0].sentence]
    told = next(
        number
        for number, event in enumerate(watched.events)
        if isinstance(event, AddingChanged) and any(model.sentence for model in event.models)
    )
    assert told < watched.events.index(trouble[0])  # who shows it in the queue need not tell it twice
    del server.status[WEIGHTS_FILE]
    watched.adder.add(SOURCE)
    await until(lambda: watched.added)
    assert watched.queue == []


async def test_a_model_that_comes_tells_no_trouble_and_progress_that_grows(watched, server):
    watched.adder.add(SOURCE)
    await until(lambda: watched.added)
    assert not [event for event in watched.events if isinstance(event, Trouble)]
    progress = [event for event in watched.events if isinstance(event, ModelProgress)]
    fetched = [event.done for event in progress if event.step == "fetching"]
    assert fetched and fetched == sorted(fetched)


async def test_a_queue_that_cannot_be_read_is_none(tmp_path, server):
    (tmp_path / "adding.json").write_text("[{")
    async with running(tmp_path) as watched:
        pass
    assert watched.queue == []


async def test_an_older_save_on_a_slow_disk_never_comes_after_a_newer_one(tmp_path, monkeypatch):
    begun, ended, disk = [], [], threading.Event()

    def write_slowly(root, wanted):
        begun.append(wanted)
        if len(begun) == 1:
            disk.wait(20)
        write_adding(root, wanted)
        ended.append(wanted)

    monkeypatch.setattr(model_adder, "write_adding", write_slowly)
    watched = Watched(tmp_path)
    watched.adder.add(SOURCE)
    await until(lambda: begun)
    watched.adder.pause(SOURCE)
    closing = asyncio.create_task(watched.adder.close())
    await asyncio.wait([closing], timeout=0.5)
    disk.set()
    await closing
    await until(lambda: len(ended) == len(begun))
    assert [wanted.waits for wanted in read_adding(tmp_path)] == [True]


async def test_nothing_comes_until_the_limit_of_the_network_allows_it(tmp_path, server):
    gate = Gate()
    async with running(tmp_path / "home", gate) as watched:
        watched.adder.add(SOURCE)
        await until(lambda: gate.asked)
        assert watched.queue == [(SOURCE, "fetching")]
        here = sum(path.stat().st_size for path in watched.root.glob("downloads/*/*"))
        assert here == 0
        gate.open.set()
        await until(lambda: watched.added)
        assert gate.asked >= sum(len(data) for data in server.files.values())


async def test_a_source_that_stands_still_is_told_with_the_time(watched, server, monkeypatch):
    monkeypatch.setattr("idlepool.engine.pool.pace.OVER_S", 1.0)
    await half_way(watched, server)
    await until(lambda: watched.told[0].done and not watched.told[0].silent_s)
    server.stalled = True
    await until(lambda: watched.told[0].silent_s >= 1)
    assert (watched.told[0].state, watched.told[0].bytes_per_s, watched.told[0].seconds_left) == ("fetching", 0, -1)
    server.stalled, server.bytes_per_s = False, 0
    await until(lambda: watched.added)


async def test_what_goes_on_after_a_pause_promises_nothing_from_before(watched, server):
    await half_way(watched, server)
    await until(lambda: watched.told[0].bytes_per_s)
    watched.adder.pause(SOURCE)
    await until(lambda: watched.adder._at_work is None)
    watched.adder.add(SOURCE)
    await until(lambda: watched.queue == [(SOURCE, "fetching")])
    assert (watched.told[0].bytes_per_s, watched.told[0].seconds_left) == (0, -1)
    assert watched.told[0].done > 0
    server.bytes_per_s = 0
    await until(lambda: watched.added)


async def test_what_was_here_already_is_told_so(watched, tiny_model):
    for _ in range(2):
        before = watched.added
        watched.adder.add(str(tiny_model))
        await until(lambda before=before: watched.added > before)
    told = [event for event in watched.events if isinstance(event, ModelAdded)]
    source = str(tiny_model)
    assert told == [ModelAdded(source, "tiny"), ModelAdded(source, "tiny", was_here=True)]


async def test_the_files_of_a_folder_are_checked_and_never_called_fetched(watched, tiny_model):
    watched.adder.add(str(tiny_model))
    await until(lambda: watched.added)
    told = [event.models for event in watched.events if isinstance(event, AddingChanged)]
    assert {models[0].state for models in told if models} == {"queued", "checking"}


async def test_a_full_disk_is_told_and_what_came_before_it_was_full_is_kept(tmp_path, server):
    with small_disk(tmp_path / "disk", "16m") as disk:
        async with running(disk / "home") as watched:
            await half_way(watched, server)
            fill(disk)
            server.bytes_per_s = 0
            await until(lambda: watched.queue == [(SOURCE, "failed")])
            assert "No space left on device" in watched.told[0].sentence
            assert "Free some space there" in watched.told[0].hint
            here = watched.part()
            assert here > 0
            (disk / "filler").unlink()
            server.asked.clear()
            watched.adder.add(SOURCE)
            await until(lambda: watched.added)
            assert server.asked == [(WEIGHTS_FILE, f"bytes={here}-")]


async def test_after_a_restart_it_is_known_what_failed_why_and_how_much_had_come(watched, server, tmp_path):
    await half_way(watched, server)
    await until(lambda: watched.told[0].done)
    watched.adder.pause(SOURCE)
    watched.adder.add(str(tmp_path / "nothing"))
    await until(lambda: [state for _, state in watched.queue] == ["paused", "failed"])
    before = watched.told
    await watched.adder.close()
    async with running(watched.root) as again:
        assert again.told == before
        assert "there is no such folder" in again.told[1].sentence
