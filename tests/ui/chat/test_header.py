"""Which models the head of the window offers."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from idlepool.engine.events import ModelInfo, PeerInfo
from idlepool.ui.chat.header import Header


def model(name: str) -> ModelInfo:
    return ModelInfo(name, layers=30, context=8192, bytes=141_000_000)


def test_models_that_another_pc_has_are_offered_as_long_as_it_lends(qtbot: QtBot):
    header = Header()
    qtbot.addWidget(header)
    header.show_models((ModelInfo("starter", 30, 8192, 141_000_000),))
    large, own = ModelInfo("large", 80, 8192, 40_000_000_000), ModelInfo("starter", 30, 8192, 141_000_000)

    def offered(*, lends: bool, running: tuple[str, ...] = ()) -> list[str]:
        attic = PeerInfo("a" * 64, "attic", False, True, whole=(large, own), lends=lends, running=running)
        header.show_pool((attic,))
        return [header.models.itemText(index) for index in range(header.models.count())]

    assert offered(lends=True) == ["starter", "large (on attic)"]
    assert offered(lends=False) == ["starter"]
    assert offered(lends=False, running=("large",)) == ["starter", "large (on attic)"]


def test_the_model_of_a_conversation_is_chosen_as_soon_as_it_is_offered(qtbot: QtBot):
    header = Header()
    qtbot.addWidget(header)
    header.prefer("second")
    header.show_models((model("first"),))
    assert header.model == "first"
    header.show_models((model("first"), model("second")))
    assert header.model == "second"
    header.prefer("unknown")
    assert header.model == "second"
    header.models.setCurrentIndex(0)
    header.show_models((model("first"), model("second"), model("third")))
    assert header.model == "first"
