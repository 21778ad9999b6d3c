"""Models for all tests: a tiny random one built on the spot, tiny ones of many families, and the real starter model.

Where several processes run the tests (`pytest -n 2`), a file's tests stay together, and all tests with nodes too: nodes
find one another in the network of this PC, and measure how fast it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from filelock import FileLock
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# The tests' own modules (families, tiny_model) are imported by their plain names.
sys.path.insert(0, str(Path(__file__).parent))

from families import FAMILIES, SHORT, family_folder
from tiny_model import build_tiny_model

from idlepool.engine.models.add import add_model
from idlepool.engine.models.store import ModelStore, default_root

NODES = (
    "tests/app/",
    "tests/engine/net/",
    "tests/engine/pool/",
    "tests/namespaces/",
    "tests/ui/models/",
    "tests/ui/pool/",
    "tests/ui/test_real_node.py",
)


class NodesTogether(LoadScopeScheduling):
    """One process gets all tests with nodes; the others are shared out file by file."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return "nodes" if file.startswith(NODES) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> NodesTogether:
    return NodesTogether(config, log)


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
    store.root.mkdir(parents=True, exist_ok=True)
    with FileLock(store.root / "tests.lock"):  # another process of the tests may want it at the same time
        add_model(store, "starter")
    return store
