"""The line below the chat, in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from idlepool.engine.events import PipelineChanged, StageInfo
from idlepool.ui.chat.pipeline_line import PipelineLine, describe


def stage(number: int, first: int, last: int, phase: str = "ready", done: int = 0, needed: int = 0) -> StageInfo:
    return StageInfo(
        f"{number:064x}", f"idle-{number}", first, last, phase, device="CPU", bytes_on_disk=done, bytes_needed=needed
    )


@pytest.mark.parametrize(
    ("pipeline", "words"),
    [
        (None, "The layers are spread over the PCs with your first message."),
        (
            PipelineChanged("m", "ready", (stage(1, 0, 13), stage(2, 13, 14))),
            "idle-1: layers 0–12 (CPU) → idle-2: layer 13 (CPU)",
        ),
        (
            PipelineChanged("m", "preparing", (stage(1, 0, 2, "loading"), stage(2, 2, 4, "fetching", 39, 100))),
            "Preparing: idle-1: layers 0–1 (loading) → idle-2: layers 2–3 (fetching 39 %)",
        ),
        (
            PipelineChanged("m", "preparing", (stage(1, 0, 2, "fetching"),)),
            "Preparing: idle-1: layers 0–1 (fetching 0 %)",
        ),
        (
            PipelineChanged("m", "preparing", (replace(stage(1, 0, 4, "compiling"), phase_s=94),)),
            "Preparing: idle-1: layers 0–3 (getting ready, 94 s)",
        ),
        (PipelineChanged("m", "preparing", detail="Looking for PCs."), "Looking for PCs."),
        (PipelineChanged("m", "broken", detail="idle-2 is gone."), "idle-2 is gone."),
        (PipelineChanged("m", "broken"), "The chain of PCs is broken."),
    ],
)
def test_a_pipeline_in_words(pipeline: PipelineChanged | None, words: str):
    assert describe(pipeline) == words


def test_a_narrow_line_gives_way_in_the_middle_and_keeps_the_speed(qtbot: QtBot):
    line = PipelineLine()
    qtbot.addWidget(line)
    line.show_pipeline(PipelineChanged("m", "ready", (stage(1, 0, 10), stage(2, 10, 20), stage(3, 20, 30))))
    line.show_speed(23.44)
    line.resize(330, 30)
    line.show()
    shown = line._chain.seen
    assert "…" in shown
    assert shown.startswith("idle-1")
    assert shown.endswith("(CPU)")
    assert "idle-2: layers 10–19 (CPU)" in line._chain.toolTip()
    assert line._speed.text() == "23.4 tokens/s"


def test_a_broken_pipeline_has_no_speed(qtbot: QtBot):
    line = PipelineLine()
    qtbot.addWidget(line)
    line.show_speed(20)
    line.show_pipeline(PipelineChanged("m", "broken", detail="idle-2 is gone."))
    assert line.text == "idle-2 is gone."
