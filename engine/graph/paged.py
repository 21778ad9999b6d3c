"""From a cut shard to its paged form: one KV cache of blocks that all sequences share, in one inference.

The transformation is OpenVINO's own (SDPAToPagedAttention). It is applied in memory, to the shard: what it notes about
heads in rt_info does not survive saving. Tokens then lie along the batch axis, one after another for all sequences.
"""

from __future__ import annotations

import openvino as ov
from openvino._offline_transformations import paged_attention_transformation

from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.cut import ENTRY, EXIT
from idlepool.engine.graph.sampled_rows import add_best, pick_sampled_rows

PAGED_ATTENTION = "PagedAttentionExtension"
"""Operation type that replaces each ScaledDotProductAttention."""


def to_paged(shard: ov.Model) -> ov.Model:
    """The paged form of a cut shard, in place.

    Inputs: `input_ids [tokens]` or `inputs_embeds [tokens, hidden]`, `position_ids [tokens]`, `past_lens [sequences]`,
    `subsequence_begins`, `block_indices_begins [sequences + 1]`, `block_indices`, `max_context_len []`, in the last
    stage `sampled_rows [rows]`, and a key and a value cache for each layer. Outputs: `hidden_states [tokens, 1,
    hidden]`, or `logits [rows, 1, vocabulary]` and the best of them.

    Raises:
        ModelCannotBeCut: the transformation does not know this attention.
    """
    entry = _port(shard, ENTRY)
    hidden = entry.get_partial_shape()[2] if entry is not None else None
    attentions = sum(op.get_type_name() == "ScaledDotProductAttention" for op in shard.get_ops())
    try:
        paged_attention_transformation(shard)
    except RuntimeError as error:
        raise ModelCannotBeCut(f"its attention has no paged form ({str(error).strip().splitlines()[-1]})") from error
    changed = sum(op.get_type_name() == PAGED_ATTENTION for op in shard.get_ops())
    if changed != attentions:
        raise ModelCannotBeCut(f"{attentions - changed} of its {attentions} attentions have no paged form")
    if hidden is not None:
        # The transformation forgets the width, and without it the stage's first norm is not fused.
        for parameter in shard.get_parameters():
            if ENTRY in parameter.output(0).get_names():
                parameter.set_partial_shape(ov.PartialShape([-1, hidden]))
        shard.validate_nodes_and_infer_types()
    if EXIT not in shard.outputs[0].get_names():
        pick_sampled_rows(shard, axis=0)
        add_best(shard)
    return shard


def _port(model: ov.Model, name: str) -> ov.Output | None:
    return next((port for port in model.inputs if name in port.get_names()), None)
