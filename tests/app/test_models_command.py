"""What `idlepool models` says of licences and of fetched layers, and how it removes these."""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest

from idlepool.app import models_command
from idlepool.app.arguments import make_parser
from idlepool.app.node_client import NodeClient
from idlepool.engine.errors import ConverterMissing
from idlepool.engine.events import NodeReady
from idlepool.engine.models.store import HOME_VARIABLE, ModelStore
from idlepool.engine.pool.child_process import python_module
from idlepool.engine.types import Span


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


def run(*arguments: str) -> int:
    return models_command.run(make_parser().parse_args(["models", *arguments]))


def test_the_licence_is_shown_before_anything_is_fetched(home, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "accelerate", None)  # as where the extra is not installed: it ends before fetching
    with pytest.raises(ConverterMissing, match=r'pip install "idlepool\[convert\]"'):
        run("add", "gemma")
    licence = capsys.readouterr().err
    assert "Gemma Terms of Use" in licence
    assert "https://ai.google.dev/gemma/terms" in licence
    assert list(home.iterdir()) == []


def test_the_list_names_the_licence_of_what_was_made_here(home, tiny_model, capsys):
    store = ModelStore(home)
    with store.staging() as staged:
        shutil.copytree(tiny_model, staged, dirs_exist_ok=True)
        store.publish(staged, name="tiny", licence="Tiny Terms")
    assert run("list") == 0
    assert "Tiny Terms" in capsys.readouterr().out


@pytest.fixture
def fetched(home, tiny_model, tmp_path_factory):
    """Some layers of a model that another PC has."""
    whole = ModelStore(tmp_path_factory.mktemp("other")).add_folder(tiny_model, name="tiny")
    partial = ModelStore(home).partial(whole.manifest)
    for file in partial.missing_files():
        partial.write_file(file.name, whole.read_file(file.name))
    for index in partial.missing(Span(1, 3)):
        partial.write_chunk(index, whole.read_chunk(index))
    partial.flush()
    partial.last_used.note(Span(1, 3), 1.8e9)
    return partial


def test_fetched_layers_are_listed_with_what_they_take_and_when_they_were_used(fetched, capsys):
    assert run("list") == 0
    listed = capsys.readouterr().out
    assert f"{fetched.model[:12]}  layers 1-2 of 4, 1 MB, last used 2027-01-1" in listed
    assert "idlepool models clean" in listed
    assert run("list", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["id"], row["held"], row["complete"]) == (fetched.model, [[1, 3]], False)
    assert row["bytes"] == fetched.bytes_on_disk > 0
    assert row["last_used"].startswith("2027-01-1")


def test_cleaning_removes_what_was_fetched_and_no_model(fetched, home, tiny_model, capsys):
    ModelStore(home).add_folder(tiny_model, name="mine")
    assert run("clean") == 0
    assert re.search(r"\d MB of fetched layers were removed\.$", capsys.readouterr().err.strip())
    assert not fetched.folder.exists()
    assert ModelStore(home).names() == ("mine",)
    assert (tiny_model / "openvino_model.bin").exists()


def test_cleaning_goes_through_the_node_that_runs_with_the_folder(fetched, home, capsys):
    options = ["--control", "--home", str(home), "--port", "0", "--key-file", "--listen", "127.0.0.1"]
    with NodeClient(python_module("idlepool.app", "node", *options)) as client:
        while not isinstance(client.next_event(), NodeReady):
            pass
        assert run("clean") == 0
    assert "were removed" in capsys.readouterr().err
    assert not fetched.folder.exists()
