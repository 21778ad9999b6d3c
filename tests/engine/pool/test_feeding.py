"""Steps of any length reach a stage from the PC before it, and from nobody else."""

from __future__ import annotations

from played_pool import answer

from idlepool.engine.decode.scheduler import PREFILL_CHUNK
from idlepool.engine.net.link_limits import intake_of
from idlepool.engine.types import Sampling

ROWS = PREFILL_CHUNK
HIDDEN = 64


async def test_a_long_prompt_crosses_the_link_that_only_the_stage_before_may_use_so(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    assert intake_of("activation", dialled=False).max_bytes < ROWS * HIDDEN * 2
    prompt = [number % 50 for number in range(2 * ROWS)]
    assert len(await answer(pipeline, "chat", prompt, count=3, sampling=Sampling())) == 3
    link = await pool.visit("pc-2", "activation", pipeline.session)
    await link.send_frame(bytes(ROWS * HIDDEN * 2))
    assert [item async for item in link] == []
    assert "A message on the activation link to pc-2 was too large" in await link.wait_closed()
    assert len(await answer(pipeline, "other", prompt, count=3, sampling=Sampling())) == 3
