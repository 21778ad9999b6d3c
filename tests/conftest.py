"""Models for all tests: a tiny random one built on the spot, tiny ones of many families, and the real starter model."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The tests' own modules (families, tiny_model) are imported by their plain names.
sys.path.insert(0, str(Path(__file__).parent))

from families import FAMILIES, SHORT, family_folder
from tiny_model import build_tiny_model

from idlepool.engine.models.add import add_model
from idlepool.engine.models.store import ModelStore, default_root


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a tiny random model: 4 layers, hidden 64, vocabulary 300, empty tokenizers. Not to be written to."""
    return build_tiny_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="session")
def family_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where family_folder() unpacks to."""
    return tmp_path_factory.mktemp("families")


@pytest.fixture(
    scope="session", params=[pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in FAMILIES]
)
def family(request: pytest.FixtureRequest, family_cache: Path) -> Path:
    """Folder of a tiny random model, one for each family; the folder's name is the family's. Not to be written to."""
    return family_folder(request.param, family_cache)


@pytest.fixture(scope="session")
def starter_store() -> ModelStore:
    """This PC's store with the model `starter` in it, fetched and converted if it is missing. Not to be changed."""
    store = ModelStore(default_root())
    add_model(store, "starter")
    return store
