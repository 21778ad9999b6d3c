"""The drafter that a pipeline gets, and what its user hears of one that does not fit."""

from __future__ import annotations

from pathlib import Path

from idlepool.engine.decode.lookup import LookupDrafter
from idlepool.engine.events import Trouble
from idlepool.engine.pool.drafters import LOOKUP, OFF, make_drafter


async def test_prompt_look_up_and_none() -> None:
    told: list[Trouble] = []
    assert isinstance(await make_drafter(LOOKUP, Path("m"), threads=1, trouble=told.append), LookupDrafter)
    assert await make_drafter(OFF, Path("m"), threads=1, trouble=told.append) is None
    assert told == []


async def test_a_draft_that_cannot_be_used_is_told_and_replaced(model: Path, tmp_path: Path) -> None:
    told: list[Trouble] = []
    draft = tmp_path / "no-model"
    draft.mkdir()
    found = await make_drafter(str(draft), model, threads=1, trouble=told.append)
    assert isinstance(found, LookupDrafter)
    assert "no-model" in told[0].sentence
