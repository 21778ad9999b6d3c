"""Layers, boundaries and what each layer needs, on the tiny model."""

from pathlib import Path

import openvino as ov
import openvino.opset13 as op
import pytest

from idlepool.engine.errors import ModelCannotBeCut, NotAModel
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.survey import survey
from idlepool.engine.graph.view import view
from idlepool.engine.graph.weight_ranges import ByteRange, merge
from idlepool.engine.types import Span


def anatomy_of(folder: Path):
    return find_layers(ov.Core().read_model(folder / "openvino_model.xml"))


def test_every_layer_has_its_two_caches_in_layer_order(tiny_model: Path) -> None:
    anatomy = anatomy_of(tiny_model)
    names = [sorted(anatomy.snapshot.variable(read) for read in reads) for reads in anatomy.states]
    assert anatomy.layers == 4
    assert anatomy.hidden == 64
    assert [[f".{layer}." in name for name in pair] for layer, pair in enumerate(names)] == [[True, True]] * 4


def test_layers_are_ordered_by_the_graph_not_by_the_states_names(tmp_path: Path) -> None:
    from tiny_model import TinyShape, build_tiny_model

    folder = build_tiny_model(tmp_path / "twelve", TinyShape(layers=12))
    anatomy = anatomy_of(folder)
    order = [int(anatomy.snapshot.variable(reads[0]).split(".")[1]) for reads in anatomy.states]
    assert order == list(range(12))


def test_spans_share_no_layer_and_miss_none(tiny_model: Path) -> None:
    anatomy = anatomy_of(tiny_model)
    whole = view(anatomy, Span(0, 4))
    parts = [view(anatomy, Span(n, n + 1)) for n in range(4)]
    assert set().union(*(part.variables for part in parts)) == whole.variables
    assert sum(len(part.variables) for part in parts) == len(whole.variables)


def test_a_later_stage_needs_neither_tokens_nor_foreign_caches(tiny_model: Path) -> None:
    anatomy = anatomy_of(tiny_model)
    snapshot = anatomy.snapshot
    stage = view(anatomy, Span(2, 4))
    assert anatomy.tokens not in stage.kept
    reads = {snapshot.variable(i) for i in stage.kept if snapshot.kinds[i] == "ReadValue"}
    assert reads == stage.variables


def test_survey_gives_the_embedding_to_the_first_layer_and_the_head_to_the_last(tiny_model: Path) -> None:
    found = survey(tiny_model / "openvino_model.xml")
    sizes = [sum(r.length for r in ranges) for ranges in found.ranges]
    table = 300 * 64 * 4
    assert found.layers == 4
    assert found.vocabulary == 300
    assert sizes[0] > sizes[1] + table * 0.9
    assert sizes[3] > sizes[2] + table * 0.9
    # The table is looked up at the start but multiplied with only at the end.
    assert found.costs[0] == found.costs[1] == found.costs[2]
    assert found.costs[3] == found.costs[2] + table
    assert found.weights_bytes == (tiny_model / "openvino_model.bin").stat().st_size


def test_a_model_without_attention_is_refused_with_the_reason() -> None:
    ids = op.parameter(ov.PartialShape([-1, -1]), ov.Type.i64, name="input_ids")
    ids.output(0).set_names({"input_ids"})
    with pytest.raises(ModelCannotBeCut, match="keeps 0 states"):
        find_layers(ov.Model([op.result(op.convert(ids, "f32"))], [ids], "none"))


def test_a_model_that_wants_more_than_text_is_refused_by_the_input(tiny_model: Path) -> None:
    model = ov.Core().read_model(tiny_model / "openvino_model.xml")
    images = op.parameter(ov.PartialShape([-1, 64]), ov.Type.f32, name="image_features")
    images.output(0).set_names({"image_features"})
    model.add_parameters([images])
    with pytest.raises(ModelCannotBeCut, match="no part of a text \\(image_features\\)"):
        find_layers(model)


def test_positions_in_several_dimensions_are_refused(tiny_model: Path) -> None:
    model = ov.Core().read_model(tiny_model / "openvino_model.xml")
    positions = op.parameter(ov.PartialShape([3, -1, -1]), ov.Type.i64, name="in_picture")
    positions.output(0).set_names({"position_ids"})
    flat = next(port for port in model.inputs if "position_ids" in port.get_names()).get_node()
    row = op.gather(positions, op.constant(0), op.constant(0))
    for user in list(flat.output(0).get_target_inputs()):
        user.replace_source_output(row.output(0))
    model.remove_parameter(flat)
    model.add_parameters([positions])
    with pytest.raises(ModelCannotBeCut, match="not one number for each token"):
        find_layers(model)


def test_a_model_for_one_sequence_alone_is_cut_as_well(tiny_model: Path) -> None:
    model = ov.Core().read_model(tiny_model / "openvino_model.xml")
    model.reshape({"input_ids": [1, -1], "attention_mask": [1, -1], "position_ids": [1, -1], "beam_idx": [1]})
    assert find_layers(model).layers == 4


def test_a_file_that_is_no_graph_is_refused(tmp_path: Path) -> None:
    xml = tmp_path / "openvino_model.xml"
    xml.write_text("hello")
    with pytest.raises(NotAModel, match=r"cannot read openvino_model\.xml"):
        survey(xml)


def test_merge_joins_what_touches() -> None:
    ranges = [ByteRange(8, 4), ByteRange(0, 4), ByteRange(4, 4), ByteRange(20, 0), ByteRange(30, 2), ByteRange(31, 5)]
    assert merge(ranges) == (ByteRange(0, 12), ByteRange(30, 6))
