"""The tiny models themselves: none is missing, the refused ones are listed, and the script makes the same ones anew."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

import openvino as ov
import pytest
from families import DATA, EXPORTED, FAMILIES, LISTING, REFUSED, SHORT, UNCUT, family_folder

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.boundaries import find_layers

MOST_BYTES = 8 << 20


def test_every_configured_family_is_listed() -> None:
    spec = importlib.util.spec_from_file_location("configurations", DATA / "configurations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["configurations"] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    assert sorted(LISTING) == sorted(module.FAMILIES)


def test_the_models_are_here_and_small() -> None:
    packed = {file.name.removesuffix(".tar.xz"): file.stat().st_size for file in DATA.glob("*.tar.xz")}
    assert sorted(packed) == sorted(EXPORTED)
    assert sum(packed.values()) < MOST_BYTES
    assert len(FAMILIES) >= 24
    assert len(SHORT) >= 22
    assert set(SHORT) < set(FAMILIES)


@pytest.mark.parametrize("name", REFUSED)
def test_a_family_that_the_exporter_refuses_is_listed_with_its_message(name: str) -> None:
    assert REFUSED[name]
    assert all(message for message in REFUSED[name].values())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gemma3n", r"at least 2 tensors would have to cross \(.*ScatterNDUpdate, .*Multiply_1\)"),
        ("lfm2", r"its state cache_params\.past\.conv\.\d.* does not grow with the tokens"),
    ],
)
def test_a_family_that_cannot_be_cut_is_refused_with_the_reason(name: str, reason: str, family_cache: Path) -> None:
    assert name in UNCUT
    with pytest.raises(ModelCannotBeCut, match=reason):
        find_layers(ov.Core().read_model(family_folder(name, family_cache) / "openvino_model.xml"))


def test_no_family_says_where_it_was_made(family_cache: Path) -> None:
    for name in EXPORTED:
        text = (family_folder(name, family_cache) / "openvino_model.xml").read_text(encoding="utf-8")
        assert str(Path.home()) not in text
        assert "/tmp/" not in text


FEW = ("llama", "gpt2", "bloom", "gemma3", "qwen3_moe", "internlm2")
"""One of each sort, and one that is refused."""


@pytest.mark.convert
@pytest.mark.timeout(2400)
@pytest.mark.parametrize("names", [FEW, pytest.param(tuple(LISTING), marks=pytest.mark.long)], ids=["few", "all"])
def test_the_script_makes_the_same_models_anew(names: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("optimum.intel")
    command = [sys.executable, str(DATA / "make_families.py"), "--to", str(tmp_path), *names]
    subprocess.run(command, check=True, timeout=2400)
    made = json.loads((tmp_path / "families.json").read_text(encoding="utf-8"))
    assert sorted(made) == sorted(names)
    installed = version("transformers")
    same_exporter = [name for name in names if LISTING[name]["exported_with"] == installed]
    assert [name for name in same_exporter if not made[name]["exported_with"]] == []
    assert [name for name in same_exporter if _weights(tmp_path, name) != _weights(DATA, name)] == []
    for name in names:
        if installed in LISTING[name]["refused_by"]:
            assert made[name]["refused_by"] == {installed: LISTING[name]["refused_by"][installed]}


def _weights(folder: Path, name: str) -> bytes:
    with tarfile.open(folder / f"{name}.tar.xz") as packed:
        member = packed.extractfile("openvino_model.bin")
        assert member is not None
        return member.read()
