"""Which models the head of the window offers."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from idlepool.engine.events import ModelInfo, PeerInfo
from idlepool.ui.header import Header


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
