"""Make reference_loss.json: the starter model's mean next-token loss on paragraph.txt, from the GGUF file's own values.

    python tests/data/make_reference_loss.py GGUF MODEL_FOLDER

The forward pass is a llama in NumPy, float32 throughout, and knows nothing of OpenVINO; only the token ids come from
the tokenizer graphs in MODEL_FOLDER. Root-mean-square norms, rotary embedding of neighbouring pairs (the order of GGUF
files), grouped-query attention, SwiGLU, and the embedding as the head.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import openvino_genai
from gguf import GGUFReader
from gguf.quants import dequantize
from numpy.typing import NDArray

HERE = Path(__file__).parent
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Llama:
    """Weights by GGUF name, and the hyperparameters of the file."""

    weights: dict[str, Floats]
    layers: int
    heads: int
    kv_heads: int
    rope_base: float
    epsilon: float


def read_llama(path: Path) -> Llama:
    reader = GGUFReader(path)
    weights = {t.name: np.asarray(dequantize(t.data, t.tensor_type), np.float32) for t in reader.tensors}

    def setting(key: str) -> float:
        return reader.fields[f"llama.{key}"].contents()

    return Llama(
        weights=weights,
        layers=int(setting("block_count")),
        heads=int(setting("attention.head_count")),
        kv_heads=int(setting("attention.head_count_kv")),
        rope_base=setting("rope.freq_base"),
        epsilon=setting("attention.layer_norm_rms_epsilon"),
    )


def logits(model: Llama, ids: list[int]) -> Floats:
    """`[tokens, vocabulary]` for `ids` from position 0."""
    weights = model.weights
    hidden = weights["token_embd.weight"][ids]
    for layer in range(model.layers):
        block = f"blk.{layer}"
        normed = norm(hidden, weights[f"{block}.attn_norm.weight"], model.epsilon)
        hidden = hidden + attention(model, block, normed)
        normed = norm(hidden, weights[f"{block}.ffn_norm.weight"], model.epsilon)
        gate = normed @ weights[f"{block}.ffn_gate.weight"].T
        up = normed @ weights[f"{block}.ffn_up.weight"].T
        hidden = hidden + (gate / (1 + np.exp(-gate)) * up) @ weights[f"{block}.ffn_down.weight"].T
    return norm(hidden, weights["output_norm.weight"], model.epsilon) @ weights["token_embd.weight"].T


def attention(model: Llama, block: str, normed: Floats) -> Floats:
    """`[tokens, hidden]`; each key and value head serves heads / kv_heads query heads."""
    tokens = len(normed)
    parts = ("attn_q", model.heads), ("attn_k", model.kv_heads), ("attn_v", model.kv_heads)
    query, key, value = (
        (normed @ model.weights[f"{block}.{name}.weight"].T).reshape(tokens, heads, -1).swapaxes(0, 1)
        for name, heads in parts
    )
    query, key = rotate(query, model.rope_base), rotate(key, model.rope_base)
    key, value = (np.repeat(part, model.heads // model.kv_heads, axis=0) for part in (key, value))
    scores = query @ key.swapaxes(1, 2) / np.sqrt(np.float32(query.shape[2]))
    scores = np.where(np.tri(tokens, dtype=bool), scores, np.float32(-np.inf))
    shares = np.exp(scores - scores.max(axis=2, keepdims=True))
    mixed = (shares / shares.sum(axis=2, keepdims=True)) @ value
    return mixed.swapaxes(0, 1).reshape(tokens, -1) @ model.weights[f"{block}.attn_output.weight"].T


def rotate(heads: Floats, base: float) -> Floats:
    """Turn each neighbouring pair of `[heads, tokens, size]` by its position times its frequency."""
    size = heads.shape[2]
    frequencies = base ** (-np.arange(0, size, 2) / size)
    angles = (np.arange(heads.shape[1])[:, None] * frequencies).astype(np.float32)
    cosine, sine = np.cos(angles), np.sin(angles)
    even, odd = heads[:, :, 0::2], heads[:, :, 1::2]
    return np.stack([even * cosine - odd * sine, even * sine + odd * cosine], axis=3).reshape(heads.shape)


def norm(values: Floats, gain: Floats, epsilon: float) -> Floats:
    return values / np.sqrt((values**2).mean(axis=1, keepdims=True) + np.float32(epsilon)) * gain


def mean_loss(scores: Floats, ids: list[int]) -> float:
    """Mean of -log p(next token) in nats; `scores` `[tokens, vocabulary]`."""
    predicted = scores[:-1].astype(np.float64)
    highest = predicted.max(axis=1, keepdims=True)
    totals = np.log(np.exp(predicted - highest).sum(axis=1)) + highest[:, 0]
    return float((totals - predicted[np.arange(len(predicted)), ids[1:]]).mean())


def main(gguf: str, folder: str) -> None:
    text = (HERE / "paragraph.txt").read_text(encoding="utf-8").strip()
    ids = openvino_genai.Tokenizer(folder).encode(text, add_special_tokens=False).input_ids.data[0].tolist()
    reference = {"mean_loss": round(mean_loss(logits(read_llama(Path(gguf)), ids), ids), 5), "ids": ids}
    (HERE / "reference_loss.json").write_text(json.dumps(reference) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
