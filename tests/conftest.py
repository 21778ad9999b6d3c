"""Models for all tests: a tiny random one built on the spot, and the real starter model."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The tests' own modules (tiny_model) are imported by their plain names.
sys.path.insert(0, str(Path(__file__).parent))

from tiny_model import build_tiny_model


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny random model: 4 layers, hidden 64, vocabulary 300, no tokenizer. Not to be written to."""
    return build_tiny_model(tmp_path_factory.mktemp("models") / "tiny")
