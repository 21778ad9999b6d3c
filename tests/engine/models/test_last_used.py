from __future__ import annotations

import pytest

from idlepool.engine.models.last_used import LastUsed
from idlepool.engine.types import Span


def test_each_layer_keeps_when_it_was_used_last_over_a_restart(tmp_path):
    used = LastUsed(tmp_path / "used.json", 4)
    assert used.times == (0, 0, 0, 0)
    used.note(Span(0, 3), 20.0)
    used.note(Span(2, 4), 10.0)
    assert used.times == LastUsed(tmp_path / "used.json", 4).times == (20, 20, 20, 10)


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '["a", 1, 2, 3]', "null"])
def test_a_broken_record_means_never(tmp_path, content):
    (tmp_path / "used.json").write_text(content)
    used = LastUsed(tmp_path / "used.json", 4)
    assert used.times == (0, 0, 0, 0)
    used.note(Span(0, 4), 5.0)
    assert LastUsed(tmp_path / "used.json", 4).times == (5, 5, 5, 5)


def test_where_nothing_can_be_written_it_is_known_until_the_end(tmp_path):
    used = LastUsed(tmp_path / "gone" / "used.json", 2)
    used.note(Span(0, 1), 5.0)
    assert used.times == (5, 0)
