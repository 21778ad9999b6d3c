"""Make gemma_loss.json: Gemma 3 270M's mean next-token losses, from the GGUF file's own values.

    python tests/data/make_gemma_loss.py GGUF MODEL_FOLDER

The forward pass is a Gemma 3 in NumPy, float32 throughout, and knows nothing of PyTorch or OpenVINO; only the token ids
come from the tokenizer graphs in MODEL_FOLDER. Two sequences: paragraph.txt, and its tokens in random order, longer
than the window of the local layers (Gemma 3 Technical Report, 2025, section 2: five local layers to a global one).
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import openvino_genai
from gguf import GGUFReader
from gguf.quants import dequantize
from numpy.typing import NDArray

HERE = Path(__file__).parent
LOCAL_ROPE_BASE = 10_000.0
GLOBAL_EVERY = 6
LONG = 700
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Gemma:
    """Weights by GGUF name (norms with their 1 added, as the file has them), and the hyperparameters of the file."""

    weights: dict[str, Floats]
    layers: int
    heads: int
    window: int
    rope_base: float
    epsilon: np.float32


def read_gemma(path: Path) -> Gemma:
    reader = GGUFReader(path)
    weights = {t.name: np.asarray(dequantize(np.asarray(t.data), t.tensor_type), np.float32) for t in reader.tensors}

    def setting(key: str) -> float:
        return reader.fields[f"gemma3.{key}"].contents()

    return Gemma(
        weights=weights,
        layers=int(setting("block_count")),
        heads=int(setting("attention.head_count")),
        window=int(setting("attention.sliding_window")),
        rope_base=setting("rope.freq_base"),
        epsilon=np.float32(setting("attention.layer_norm_rms_epsilon")),
    )


def logits(model: Gemma, ids: list[int]) -> Floats:
    """`[tokens, vocabulary]` for `ids` from position 0."""
    weights = model.weights
    table = weights["token_embd.weight"]
    hidden = table[ids] * np.sqrt(np.float32(table.shape[1]))
    for layer in range(model.layers):
        block = f"blk.{layer}"
        mixed = attention(model, layer, norm(model, hidden, f"{block}.attn_norm"))
        hidden = hidden + norm(model, mixed, f"{block}.post_attention_norm")
        normed = norm(model, hidden, f"{block}.ffn_norm")
        gate = gelu(normed @ weights[f"{block}.ffn_gate.weight"].T)
        up = normed @ weights[f"{block}.ffn_up.weight"].T
        hidden = hidden + norm(model, (gate * up) @ weights[f"{block}.ffn_down.weight"].T, f"{block}.post_ffw_norm")
    return norm(model, hidden, "output_norm") @ table.T


def attention(model: Gemma, layer: int, normed: Floats) -> Floats:
    """`[tokens, hidden]`; one key and value head serves all query heads; a local layer sees only its window."""
    block, tokens = f"blk.{layer}", len(normed)
    is_global = (layer + 1) % GLOBAL_EVERY == 0
    base = model.rope_base if is_global else LOCAL_ROPE_BASE
    query, key, value = (normed @ model.weights[f"{block}.attn_{name}.weight"].T for name in "qkv")
    query = norm(model, query.reshape(tokens, model.heads, -1).swapaxes(0, 1), f"{block}.attn_q_norm")
    query, key = rotate(query, base), rotate(norm(model, key[None], f"{block}.attn_k_norm"), base)
    scores = query @ key.swapaxes(1, 2) / np.sqrt(np.float32(query.shape[2]))
    distance = np.arange(tokens)[:, None] - np.arange(tokens)
    visible = (distance >= 0) & (is_global | (distance < model.window))
    scores = np.where(visible, scores, np.float32(-np.inf))
    shares = np.exp(scores - scores.max(axis=2, keepdims=True))
    mixed = (shares / shares.sum(axis=2, keepdims=True)) @ value
    return mixed.swapaxes(0, 1).reshape(tokens, -1) @ model.weights[f"{block}.attn_output.weight"].T


def rotate(heads: Floats, base: float) -> Floats:
    """Turn each pair (i, i + size / 2) of `[heads, tokens, size]` by its position times its frequency."""
    size = heads.shape[2]
    frequencies = base ** (-np.arange(0, size, 2) / size)
    angles = (np.arange(heads.shape[1])[:, None] * frequencies).astype(np.float32)
    cosine, sine = np.cos(angles), np.sin(angles)
    first, second = np.split(heads, 2, axis=2)
    return np.concatenate([first * cosine - second * sine, second * cosine + first * sine], axis=2)


def norm(model: Gemma, values: Floats, name: str) -> Floats:
    scale = np.sqrt((values**2).mean(axis=-1, keepdims=True) + model.epsilon)
    return values / scale * model.weights[f"{name}.weight"]


def gelu(values: Floats) -> Floats:
    return values / 2 * (1 + np.tanh(np.sqrt(np.float32(2 / np.pi)) * (values + np.float32(0.044715) * values**3)))


def mean_loss(scores: Floats, ids: list[int]) -> float:
    """Mean of -log p(next token) in nats; `scores` `[tokens, vocabulary]`."""
    losses = []
    for row, target in zip(scores[:-1].astype(np.float64), ids[1:], strict=True):
        losses.append(np.log(np.exp(row - row.max()).sum()) + row.max() - row[target])
    return float(np.mean(losses))


def main(gguf: str, folder: str) -> None:
    text = (HERE / "paragraph.txt").read_text(encoding="utf-8").strip()
    ids = openvino_genai.Tokenizer(folder).encode(text, add_special_tokens=True).input_ids.data[0].tolist()
    shuffled = [ids[0], *random.Random(0).choices(ids[1:], k=LONG)]
    model = read_gemma(Path(gguf))
    sequences = {"paragraph": ids, "shuffled": shuffled}
    reference = {
        name: {"mean_loss": round(mean_loss(logits(model, each), each), 5), "ids": each}
        for name, each in sequences.items()
    }
    (HERE / "gemma_loss.json").write_text(json.dumps(reference) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
