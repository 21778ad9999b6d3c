"""The static form of a shard: what it reads, what is folded, which shards have none."""

from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest
from families import family_folder
from openvino.op.util import Variable, VariableInfo

from idlepool.engine.errors import NoStaticForm
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.cut import cut
from idlepool.engine.graph.dimensions import Length, Lengths
from idlepool.engine.graph.static import StaticForm
from idlepool.engine.graph.static_lint import check_static
from idlepool.engine.types import ElementType, Span

LENGTHS = Lengths(tokens=4, past=32, rows=2)


def form_of(folder: Path, span: Span, *, wire: ElementType = ElementType.F32) -> StaticForm:
    anatomy = find_layers(ov.Core().read_model(folder / "openvino_model.xml"))
    return StaticForm(cut(anatomy, span, wire=wire), wire=wire)


def names(ports: list[ov.Output]) -> set[str]:
    return {name for port in ports for name in port.get_names()}


def test_positions_come_in_from_the_geometry_and_only_new_cache_rows_go_out(tiny_model: Path) -> None:
    form = form_of(tiny_model, Span(1, 3))
    graph = form.graph(LENGTHS)
    check_static(graph)
    caches = {f"past.{n}" for n in range(4)}
    # Cosine, sine and one mask for both layers.
    assert names(graph.inputs) == {"inputs_embeds", "geometry.0", "geometry.1", "geometry.2"} | caches
    assert [static.is_mask for static in form.inputs] == [False, False, True]
    assert form.inputs[2].shape == (1, 1, Length.TOKENS, Length.TOTAL)
    shapes = [list(port.get_shape()) for port in graph.outputs]
    assert shapes == [[1, 4, 64], *[[1, 2, 4, 32]] * 4]
    assert names(form.geometry.inputs) == {"attention_mask", "position_ids", "tokens", "past"}


def test_graphs_of_two_sizes_come_from_one_form(tiny_model: Path) -> None:
    form = form_of(tiny_model, Span(0, 4))
    rows = [list(form.graph(Lengths(tokens, 64)).outputs[0].get_shape()) for tokens in (4, 16, 4)]
    assert rows == [[1, 4, 300], [1, 16, 300], [1, 4, 300]]


def test_caches_cross_in_the_type_of_the_boundary(tiny_model: Path) -> None:
    graph = form_of(tiny_model, Span(1, 3), wire=ElementType.BF16).graph(LENGTHS)
    check_static(graph)
    kinds = {port.get_any_name(): port.get_element_type().get_type_name() for port in graph.inputs + graph.outputs}
    assert {kinds[name] for name in ("inputs_embeds", "hidden_states", "past.0", "new.3")} == {"bf16"}
    assert kinds["geometry.2"] == "f32"


@pytest.mark.parametrize("name", ["llama_tied_int4", "qwen3_int8"])
def test_compressed_weights_stay_compressed(name: str, family_cache: Path) -> None:
    folder = family_folder(name, family_cache)

    def bytes_of(model: ov.Model) -> int:
        constants = (node for node in model.get_ops() if node.get_type_name() == "Constant")
        return sum(node.get_byte_size() for node in constants)

    shard = cut(find_layers(ov.Core().read_model(folder / "openvino_model.xml")), Span(0, 2), wire=ElementType.F32)
    before = bytes_of(shard)
    assert bytes_of(StaticForm(shard, wire=ElementType.F32).graph(LENGTHS)) <= before


def test_experts_that_take_as_many_rows_as_choose_them_have_no_static_form(family_cache: Path) -> None:
    form = form_of(family_folder("granitemoe", family_cache), Span(0, 2))
    with pytest.raises(NoStaticForm, match=r"block_sparse_moe\S+ depends on its values"):
        check_static(form.graph(LENGTHS))


def test_a_state_that_does_not_grow_by_appending_has_no_static_form(tiny_model: Path) -> None:
    shard = cut(find_layers(ov.Core().read_model(tiny_model / "openvino_model.xml")), Span(0, 2), wire=ElementType.F32)
    assign = shard.get_sinks()[0]
    grown = assign.input(0).get_source_output()
    assign.input(0).replace_source_output(op.relu(grown).output(0))
    with pytest.raises(NoStaticForm, match=r"past_key_values\.\d\.\w+ does not grow by appending"):
        StaticForm(shard, wire=ElementType.F32)


def test_an_attention_without_a_mask_has_no_static_form() -> None:
    """It would see the other sequences beside its own."""
    with pytest.raises(NoStaticForm, match="attention takes no mask"):
        StaticForm(_unmasked_layer(), wire=ElementType.F32)


def _unmasked_layer() -> ov.Model:
    hidden = op.parameter(ov.PartialShape([-1, -1, 8]), ov.Type.f32, name="inputs_embeds")
    hidden.output(0).set_names({"inputs_embeds"})
    new = op.unsqueeze(hidden, op.constant([1]))
    info = VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([-1, 1, -1, 8]), ov.Type.f32, "key"
    variable = Variable(info)
    grown = op.concat([op.read_value(op.constant(np.zeros((1, 1, 0, 8), np.float32)), variable), new], 2)
    attention = op.scaled_dot_product_attention(new, grown, grown, causal=True, name="attention")
    return ov.Model([op.result(attention)], [op.assign(grown, variable)], [hidden], [variable], "unmasked")
