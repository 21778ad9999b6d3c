"""The families: what sets each apart from a plain dense decoder, in its own configuration's words.

Names are those of transformers' model types, with a suffix where one type has several forms.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

LAYERS = 4
VOCABULARY = 300
WINDOW = 8
"""Sliding windows are this short, so that a prompt of a few dozen tokens leaves them."""

TOKEN_IDS = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}

DENSE = {
    "vocab_size": VOCABULARY,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    **TOKEN_IDS,
}
UNGROUPED = {name: value for name, value in DENSE.items() if name != "num_key_value_heads"}
GPT = {"vocab_size": VOCABULARY, "n_embd": 64, "n_layer": LAYERS, "n_head": 4, "n_positions": 256, **TOKEN_IDS}
ALTERNATING = ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention", "full_attention"]
SLIDING = {"num_hidden_layers": len(ALTERNATING), "layer_types": ALTERNATING, "sliding_window": WINDOW}


@dataclass(frozen=True, slots=True)
class Family:
    """One tiny model: `values` over `base` are the arguments of its configuration."""

    kind: str
    """The model type."""
    values: dict[str, Any] = field(default_factory=dict)
    base: dict[str, Any] = field(default_factory=lambda: DENSE)
    weights: str = "fp16"
    """How the weights are stored: fp16, int8 (a scale a row) or int4 (a scale for each group of 32)."""


FAMILIES = {
    "llama": Family("llama", {"head_dim": 16, "tie_word_embeddings": False}),
    "llama_tied_int4": Family("llama", {"head_dim": 16, "tie_word_embeddings": True}, weights="int4"),
    "llama_biased": Family("llama", {"head_dim": 16, "attention_bias": True, "mlp_bias": True}),
    "qwen2": Family("qwen2", {"tie_word_embeddings": True}),
    "qwen3_int8": Family("qwen3", {"head_dim": 32, "tie_word_embeddings": False}, weights="int8"),
    "mistral": Family("mistral", {"head_dim": 16, "sliding_window": WINDOW}),
    "phi3": Family("phi3"),
    "olmo": Family("olmo", {"clip_qkv": 4.0}),
    "olmo2": Family("olmo2"),
    "smollm3": Family("smollm3", {"no_rope_layer_interval": 2}),
    "granite": Family(
        "granite",
        {"embedding_multiplier": 4.0, "residual_multiplier": 0.5, "attention_multiplier": 0.25, "logits_scaling": 2.0},
    ),
    "glm4": Family("glm4", {"head_dim": 16}),
    "glm": Family("glm", {"head_dim": 16}),
    "stablelm": Family("stablelm", {"use_qkv_bias": True, "qk_layernorm": True}),
    "stablelm_parallel": Family("stablelm", {"use_parallel_residual": True}),
    "starcoder2": Family("starcoder2", {"sliding_window": WINDOW}),
    "arcee": Family("arcee", {"head_dim": 16}),
    "hunyuan": Family("hunyuan_v1_dense", {"head_dim": 16}),
    "persimmon": Family("persimmon", base=UNGROUPED),
    "gemma": Family("gemma", {"head_dim": 16}),
    "gemma2": Family(
        "gemma2",
        {"head_dim": 16, "attn_logit_softcapping": 20.0, "final_logit_softcapping": 10.0, "query_pre_attn_scalar": 16}
        | SLIDING,
    ),
    "gemma3": Family("gemma3_text", {"head_dim": 16, "query_pre_attn_scalar": 16} | SLIDING),
    "qwen2_moe": Family(
        "qwen2_moe",
        {
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 32,
            "shared_expert_intermediate_size": 48,
        },
    ),
    "qwen3_moe": Family(
        "qwen3_moe", {"head_dim": 16, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
    ),
    "mixtral": Family("mixtral", {"head_dim": 16, "num_local_experts": 4, "intermediate_size": 32}),
    "phimoe": Family("phimoe", {"num_local_experts": 4, "intermediate_size": 32}),
    "granitemoe": Family("granitemoe", {"num_local_experts": 4, "num_experts_per_tok": 2, "intermediate_size": 32}),
    "gpt_oss": Family(
        "gpt_oss",
        {"head_dim": 16, "num_local_experts": 4, "num_experts_per_tok": 2, "intermediate_size": 32} | SLIDING,
    ),
    "cohere": Family("cohere", {"logit_scale": 0.25}),
    "cohere2": Family("cohere2", {"logit_scale": 0.25} | SLIDING),
    "falcon": Family("falcon", {"parallel_attn": True, "multi_query": True, "bias": False}, UNGROUPED),
    "falcon_alibi": Family(
        "falcon", {"alibi": True, "parallel_attn": False, "multi_query": False, "bias": True}, UNGROUPED
    ),
    "falcon_grouped": Family("falcon", {"new_decoder_architecture": True, "num_kv_heads": 2}, UNGROUPED),
    "gpt_neox": Family("gpt_neox", {"use_parallel_residual": True}, UNGROUPED),
    "phi": Family("phi", base=UNGROUPED),
    "gptj": Family("gptj", {"rotary_dim": 8, "n_inner": 96}, GPT),
    "codegen": Family("codegen", {"rotary_dim": 8, "n_inner": 96}, GPT),
    "gpt2": Family("gpt2", {"n_inner": 96}, GPT),
    "gpt_bigcode": Family("gpt_bigcode", {"multi_query": True, "n_inner": 96}, GPT),
    "gpt_neo": Family(
        "gpt_neo",
        {
            "num_layers": LAYERS,
            "num_heads": 4,
            "attention_types": [[["global", "local"], LAYERS // 2]],
            "window_size": WINDOW,
            "intermediate_size": 96,
        },
        UNGROUPED,
    ),
    "opt": Family("opt", {"ffn_dim": 96, "word_embed_proj_dim": 64}, UNGROUPED),
    "xglm": Family("xglm", {"d_model": 64, "ffn_dim": 96, "num_layers": LAYERS, "attention_heads": 4}, UNGROUPED),
    "biogpt": Family("biogpt", base=UNGROUPED),
    "bloom": Family("bloom", {"n_layer": LAYERS, "n_head": 4}, UNGROUPED),
    "mpt": Family("mpt", {"d_model": 64, "n_layers": LAYERS, "n_heads": 4, "expansion_ratio": 2}, UNGROUPED),
    # Layers that share caches, and an embedding for each layer beside the residual stream.
    "gemma3n": Family(
        "gemma3n_text",
        {
            "head_dim": 16,
            "vocab_size_per_layer_input": VOCABULARY,
            "hidden_size_per_layer_input": 16,
            "num_kv_shared_layers": 2,
            "laurel_rank": 8,
            "altup_num_inputs": 2,
            "activation_sparsity_pattern": [0.0] * len(ALTERNATING),
            "intermediate_size": 96,
        }
        | SLIDING,
    ),
    # Convolutions with a state of their own between the attentions.
    "lfm2": Family("lfm2", {"layer_types": ["conv", "full_attention", "conv", "full_attention"], "block_ff_dim": 96}),
    "exaone4": Family("exaone4", SLIDING),
    "llama4": Family("llama4_text", {"num_local_experts": 4}),
    "qwen3_next": Family("qwen3_next", {"num_experts": 4}),
    "deepseek_v3": Family("deepseek_v3", {"n_routed_experts": 4}),
    "gemma4": Family("gemma4_text", SLIDING),
    "internlm2": Family("internlm2"),
    "minicpm3": Family("minicpm3"),
    "baichuan": Family("baichuan"),
}
