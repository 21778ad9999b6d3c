"""What `idlepool models` says of licences."""

from __future__ import annotations

import shutil
import sys

import pytest

from idlepool.app import models_command
from idlepool.app.arguments import make_parser
from idlepool.engine.errors import ConverterMissing
from idlepool.engine.models.store import HOME_VARIABLE, ModelStore


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
