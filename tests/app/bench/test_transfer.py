"""A short run of the whole measurement: two real processes, real links, and figures that belong together."""

from __future__ import annotations

import json

from idlepool.app.bench.transfer import make_model
from idlepool.app.main import main
from idlepool.engine.models.manifest import decode_manifest
from idlepool.engine.models.partial import MANIFEST_FILE
from idlepool.engine.models.stored import StoredModel


def test_the_random_model_is_a_real_one(tmp_path):
    manifest = make_model(tmp_path / "model", size=9_000_000)
    assert decode_manifest((tmp_path / "model" / MANIFEST_FILE).read_bytes()) == manifest
    StoredModel("random", manifest, manifest.model, tmp_path / "model").verify()
    assert [chunk.length for chunk in manifest.chunks] == [4 << 20, 4 << 20, 9_000_000 - (8 << 20)]


def test_both_ways_are_measured_and_nothing_is_left(tmp_path, capsys):
    assert main(["bench", "transfer", "--megabytes", "20", "--rounds", "2", "--folder", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["raw_mb_per_s"]) == len(found["model_mb_per_s"]) == 2
    assert found["ratio"] > 0
    assert all(0 < memory["before"] <= memory["most"] for memory in found["memory_mb"].values())
    assert list(tmp_path.iterdir()) == []
