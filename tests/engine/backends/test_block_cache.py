"""How many positions a paged shard's cache holds: as many as asked, or as the memory that is lent has room for."""

from __future__ import annotations

from pathlib import Path

import openvino as ov
import pytest

from idlepool.engine.backends import load
from idlepool.engine.backends.block_cache import CACHE_SHARE, LEAST_CACHE_TOKENS
from idlepool.engine.backends.load import ShardRequest, load_paged
from idlepool.engine.backends.paged import DEFAULT_CACHE_TOKENS
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
POSITION_BYTES = 2 * 2 * 64 * 4
"""Of two layers of the tiny model: keys and values of 64 numbers in f32."""


@pytest.mark.parametrize(
    ("usable", "held"),
    [
        (1e12, DEFAULT_CACHE_TOKENS),
        (POSITION_BYTES * 4096 / CACHE_SHARE, 4096),
        (POSITION_BYTES * 4100 / CACHE_SHARE, 4096),
        (0, LEAST_CACHE_TOKENS),
    ],
)
def test_the_cache_has_the_size_that_memory_allows(tiny_model: Path, monkeypatch, usable: float, held: int) -> None:
    monkeypatch.setattr(load, "usable_bytes", lambda *_: int(usable))
    shard = load_paged(CORE, ShardRequest(tiny_model, Span(1, 3), "CPU", ElementType.F32, threads=1))
    assert (shard.capacity.tokens, shard.capacity.block_tokens) == (held, 32)
