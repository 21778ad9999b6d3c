"""A model whose next token depends on all tokens before it, and pools of real nodes to run it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from hub_server import HubServer, hub_with
from played_pool import PlayedPool
from tiny_model import TinyShape, build_tiny_model

from idlepool.engine.decode import unsplit as unsplit_module
from idlepool.engine.models.hub import Hub
from idlepool.engine.types import ElementType, Sampling


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a model of 4 layers. Not to be written to."""
    return build_tiny_model(tmp_path_factory.mktemp("models") / "tiny", TinyShape(gain=2.0))


@pytest.fixture
def unsplit(model: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """What the model says unsplit, in the device's precision or another: `unsplit(prompt, count=..., sampling=...)`."""

    def ids(prompt: list[int], *, count: int, sampling: Sampling, precision: ElementType | None = None) -> list[int]:
        if precision is not None:
            monkeypatch.setattr(unsplit_module, "inference_precision", lambda *_: precision)
        options = {"sampling": sampling, "end_ids": frozenset(), "max_tokens": count, "threads": 1}
        return unsplit_module.unsplit_ids(model, prompt, **options)

    return ids


@pytest.fixture
def server(model: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """The Hub, with the model of 4 layers, for this process and those that it starts."""
    with hub_with(model, monkeypatch) as server:
        monkeypatch.setattr(Hub.__init__, "__defaults__", (server.url,))  # where it is was read when it was imported
        yield server


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was found out about this PC's devices; found out once."""
    return tmp_path_factory.mktemp("cache")


@pytest_asyncio.fixture
async def pool(tmp_path: Path, cache: Path) -> AsyncIterator[PlayedPool]:
    """A pool without PCs yet."""
    async with PlayedPool(tmp_path, cache=cache) as played:
        yield played
