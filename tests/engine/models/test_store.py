from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from idlepool.engine.errors import MessageError, ModelDamaged, NameRefused, NotAModel, StorageError, UnknownModel
from idlepool.engine.models.manifest import GRAPH_FILE, WEIGHTS_FILE, decode_manifest
from idlepool.engine.models.store import ModelStore, default_root


@pytest.fixture
def mine(tiny_model, tmp_path) -> Path:
    """A folder of the user's that a test may damage."""
    return shutil.copytree(tiny_model, tmp_path / "mine")


@pytest.fixture
def store(tmp_path) -> ModelStore:
    return ModelStore(tmp_path / "home")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_is_added_where_it_is_and_found_after_a_restart(store, mine):
    seen = []
    added = store.add_folder(mine, name="tiny", progress=lambda *step: seen.append(step))
    again = ModelStore(store.root)
    assert [model.name for model in again.list()] == ["tiny"]
    assert again.get("TINY") == added
    assert again.find(added.model) == added
    assert added.complete
    assert added.folder == mine
    assert (added.manifest.layers, added.manifest.hidden, added.manifest.vocabulary) == (4, 64, 300)
    assert added.manifest.context == 512
    assert not list(store.root.rglob(WEIGHTS_FILE))
    assert seen[-1][0] == "checking"
    assert seen[-1][1] == seen[-1][2] > 700_000


def test_what_was_made_here_keeps_its_licence(store, tiny_model):
    with store.staging() as staged:
        shutil.copytree(tiny_model, staged, dirs_exist_ok=True)
        store.publish(staged, name="tiny", licence="Tiny Terms")
    assert ModelStore(store.root).get("tiny").licence == "Tiny Terms"


def test_removing_never_touches_the_users_folder(store, mine):
    before = contents(mine)
    store.add_folder(mine, name="tiny")
    store.remove("tiny")
    assert contents(mine) == before
    assert store.list() == ()
    assert list((store.root / "models").iterdir()) == []
    with pytest.raises(UnknownModel):
        store.remove("tiny")


def test_unknown_names_say_what_is_here(store, mine):
    with pytest.raises(UnknownModel, match="No model is here yet"):
        store.get("nothing")
    store.add_folder(mine, name="tiny")
    with pytest.raises(UnknownModel, match="Models here: tiny"):
        store.get("nothing")


@pytest.mark.parametrize("name", [GRAPH_FILE, WEIGHTS_FILE, "openvino_tokenizer.xml", "openvino_detokenizer.xml"])
def test_a_folder_that_lacks_a_file_is_no_model_and_the_file_is_named(store, mine, name):
    (mine / name).unlink()
    with pytest.raises(NotAModel, match=name):
        store.add_folder(mine)
    assert store.list() == ()


def test_other_things_that_are_no_model(store, mine, tmp_path):
    with pytest.raises(NotAModel, match="no such folder"):
        store.add_folder(tmp_path / "nowhere")
    (mine / GRAPH_FILE).write_text("this is no XML")
    with pytest.raises(NotAModel, match="no graph"):
        store.add_folder(mine)


def test_truncated_weights_are_refused_naming_both_sizes(store, mine):
    size = (mine / WEIGHTS_FILE).stat().st_size
    os.truncate(mine / WEIGHTS_FILE, 1000)
    with pytest.raises(ModelDamaged, match=rf"1,000 bytes and the graph reads {size:,}"):
        store.add_folder(mine)
    assert store.list() == ()


def test_weights_truncated_later_are_noticed_when_opened(store, mine):
    added = store.add_folder(mine, name="tiny")
    os.truncate(mine / WEIGHTS_FILE, 1000)
    with pytest.raises(ModelDamaged, match=rf"1,000 bytes instead of {added.manifest.weights_bytes:,}"):
        store.get("tiny")
    assert store.find(added.model) is None
    assert [model.complete for model in store.list()] == [False]


def test_a_folder_that_is_gone_is_noticed_and_can_be_removed(store, mine):
    store.add_folder(mine, name="tiny")
    shutil.rmtree(mine)
    with pytest.raises(ModelDamaged, match="is gone"):
        store.get("tiny")
    store.remove("tiny")
    assert store.names() == ()


def test_verify_finds_a_flipped_bit(store, mine):
    store.add_folder(mine, name="tiny")
    seen = []
    store.verify("tiny", progress=lambda *step: seen.append(step))
    assert seen[-1][1] == seen[-1][2] > 700_000
    with pytest.raises(KeyError):
        store.get("tiny").read_file("../../secret")
    weights = bytearray((mine / WEIGHTS_FILE).read_bytes())
    weights[500_000] ^= 1
    (mine / WEIGHTS_FILE).write_bytes(weights)
    store.get("tiny")  # sizes alone do not show it
    with pytest.raises(ModelDamaged, match="changed"):
        store.verify("tiny")


def test_an_unreadable_manifest_hides_one_model_and_not_the_others(store, mine):
    store.add_folder(mine, name="one")
    store.add_folder(mine, name="two")
    (store.root / "models" / "one" / "manifest.json").write_text("{")
    assert [model.name for model in store.list()] == ["two"]
    with pytest.raises(ModelDamaged, match="manifest"):
        store.get("one")
    store.remove("one")
    assert store.names() == ("two",)


def test_adding_again_mends_a_model_and_names_stay_apart(store, mine, tmp_path):
    store.add_folder(mine)
    moved = shutil.move(mine, tmp_path / "moved")
    assert store.add_folder(Path(moved), name="mine").folder == Path(moved)
    other = shutil.copytree(moved, tmp_path / "elsewhere" / "mine")
    (other / "config.json").write_text("{}")
    assert store.add_folder(other).name == "mine-2"
    with pytest.raises(NameRefused, match="another model"):
        store.add_folder(other, name="Mine")
    assert store.names() == ("mine", "mine-2")


@pytest.mark.parametrize("name", ["../up", "a/b", "a\\b", ".hidden", "", "CON", "nul.txt", "x" * 65, "end."])
def test_names_that_are_no_folder_name_everywhere_are_refused(store, mine, name):
    with pytest.raises(NameRefused):
        store.add_folder(mine, name=name)
    assert store.names() == ()


def test_what_was_held_of_a_model_goes_with_it(store, mine):
    added = store.add_folder(mine, name="tiny")
    partial = store.partial(added.manifest)
    partial.write_chunk(0, added.read_chunk(0))
    partial.flush()
    store.remove("tiny")
    assert not partial.folder.exists()


def test_work_ended_by_the_caller_leaves_nothing(store, mine):
    def stop(step, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.add_folder(mine, progress=stop)
    with pytest.raises(ZeroDivisionError), store.staging() as staged:
        (staged / "half").write_text("made")
        raise ZeroDivisionError
    assert list((store.root / "models").iterdir()) == []


def test_what_a_dead_process_left_is_removed_and_a_living_ones_is_not(store, mine):
    models = store.root / "models"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = models / f".adding-{dead.pid}-00ff"
    living = models / f".adding-{os.getpid()}-00ff"
    for folder in (left, living):
        folder.mkdir(parents=True)
        (folder / "half").write_text("made")
    store.add_folder(mine, name="tiny")
    assert not left.exists()
    assert living.exists()
    assert store.names() == ("tiny",)


def test_a_store_that_cannot_be_written_says_so(mine, tmp_path):
    (tmp_path / "home").write_text("a file in the way")
    with pytest.raises(StorageError):
        ModelStore(tmp_path / "home").add_folder(mine)


def test_a_full_disk_leaves_nothing_half_made(store, mine, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        store.add_folder(mine)
    assert list((store.root / "models").iterdir()) == []


def test_the_root_is_the_platforms_folder_unless_it_is_told(monkeypatch, tmp_path):
    monkeypatch.delenv("IDLEPOOL_HOME", raising=False)
    assert default_root().name == "idlepool"
    monkeypatch.setenv("IDLEPOOL_HOME", str(tmp_path))
    assert default_root() == tmp_path


def test_manifests_in_the_store_are_those_of_peers(store, mine):
    added = store.add_folder(mine, name="tiny")
    stored = (store.root / "models" / "tiny" / "manifest.json").read_bytes()
    assert decode_manifest(stored).model == added.model
    with pytest.raises(MessageError):
        decode_manifest(stored[:-1])
