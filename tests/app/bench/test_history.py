"""A short run of the measurement of the history: its figures belong to what was written."""

from __future__ import annotations

import json

from idlepool.app.main import main


def test_listing_and_searching_are_measured(capsys):
    command = ["bench", "history", "--conversations", "20", "--messages", "4", "--rounds", "2"]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = {row["what"]: row for row in found["rows"]}
    assert rows["read all of the list"]["found"] == 20
    assert rows["open the file and its list"]["found"] == 21
    assert rows["search the most frequent word"]["found"] == 20
    assert rows["search a word that is nowhere"]["found"] == 0
    assert all(0 < row["median_ms"] <= row["worst_ms"] for row in found["rows"])


def test_the_table_names_all_that_was_measured(capsys):
    assert main(["bench", "history", "--conversations", "3", "--messages", "2", "--rounds", "1"]) == 0
    table = capsys.readouterr().out
    assert "3 conversations of 2 messages" in table
    assert table.count(" ms") == 20
