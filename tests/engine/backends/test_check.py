"""`models check` tells what fuses, what does not and why, and whether the split forms equal the whole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import openvino as ov
import pytest
from families import family_folder

from idlepool.app import models_command
from idlepool.app.arguments import make_parser
from idlepool.engine.backends.check import ModelCheck, check_model
from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.models.manifest import SETTINGS_FILE


@pytest.fixture(scope="module")
def good(tiny_model: Path) -> ModelCheck:
    return check_model(tiny_model, stages=3)


@pytest.fixture
def without_gathers(tiny_model: Path, tmp_path: Path) -> Path:
    """As an exporter makes it that knows no beams."""
    shutil.copytree(tiny_model, tmp_path / "bare")
    model = ov.Core().read_model(tiny_model / "openvino_model.xml")
    for node in model.get_ordered_ops():
        if node.get_type_name() == "Gather" and node.input_value(0).get_node().get_type_name() == "ReadValue":
            for user in list(node.output(0).get_target_inputs()):
                user.replace_source_output(node.input_value(0))
    ov.save_model(model, tmp_path / "bare" / "openvino_model.xml", compress_to_fp16=False)
    return tmp_path / "bare"


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = models_command.run(make_parser().parse_args(["models", "check", *arguments]))
    return code, capsys.readouterr().out


def test_every_form_of_a_good_model_equals_the_whole(good: ModelCheck) -> None:
    assert (good.family, good.layers, good.boundaries) == ("llama", 4, 3)
    assert good.equal == {"stateful": True, "paged": True, "static": True}
    assert good.max_abs_diff == 0
    assert good.refused == {}


def test_all_attentions_of_a_good_model_fuse(good: ModelCheck) -> None:
    assert good.fused_layers == good.layers
    assert good.gathers_added == 0
    assert good.unfused_states == {}


def test_what_an_export_lacks_is_counted_and_fuses_all_the_same(without_gathers: Path, capsys) -> None:
    code, text = check(capsys, str(without_gathers))
    assert code == 0
    assert "4 attentions fused" in text
    assert "8 states lack what the fusion needs" in text


def test_what_cannot_fuse_is_named_with_its_reason(family_cache: Path, capsys) -> None:
    folder = family_folder("xglm", family_cache)
    code, text = check(capsys, str(folder))
    assert code == 1  # no ScaledDotProductAttention to page
    assert "0 attentions fused" in text
    assert "is not fused: it reaches a " in text
    told = json.loads(check(capsys, str(folder), "--json")[1])
    assert len(told["unfused_states"]) == 2 * told["layers"]
    assert all("before any ScaledDotProductAttention" in reason for reason in told["unfused_states"].values())
    assert "paged" in told["refused"]


def test_json_has_what_scripts_look_for(tiny_model: Path, capsys) -> None:
    told = json.loads(check(capsys, str(tiny_model), "--stages", "2", "--json")[1])
    assert set(told) >= {"family", "layers", "boundaries", "fused_layers", "unfused_states", "equal", "max_abs_diff"}
    assert set(told["equal"]) == {"stateful", "paged", "static"}


def test_a_model_that_cannot_be_parted_is_refused_with_the_reason(family_cache: Path) -> None:
    with pytest.raises(ModelCannotBeCut):
        check_model(family_folder("gemma3n", family_cache), stages=2)


def test_a_model_that_was_converted_here_tells_its_family_too(tiny_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "converted"
    shutil.copytree(tiny_model, folder)
    (folder / "config.json").unlink(missing_ok=True)
    (folder / SETTINGS_FILE).write_text('{"family": "llama", "context": 512}', encoding="utf-8")
    assert check_model(folder, stages=2).family == "llama"
