"""A tiny random Gemma 3 through the whole export, against the same model in NumPy. Needs the extra `convert`."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from gguf import GGMLQuantizationType, GGUFWriter
from gguf.quants import quantize

from idlepool.engine.models.conversion import Way, run_conversion
from idlepool.engine.models.manifest import GRAPH_FILE
from idlepool.engine.models.manifest_builder import build_manifest
from idlepool.engine.models.tokenizer import Tokenizer

pytest.importorskip("optimum.intel", reason="the extra convert is not installed")
pytestmark = pytest.mark.convert

REFERENCE = runpy.run_path(str(Path(__file__).parents[2] / "data" / "make_gemma_loss.py"))
LAYERS, HIDDEN, HEADS, FEED, WINDOW = 6, 64, 2, 128, 16
HEAD = 256
"""transformers takes 1 / 16 as the scale of the attention scores, whatever the head's size."""
SPECIAL = ["<pad>", "<eos>", "<bos>", "<unk>"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
LETTERS = ["▁", *"abcdefghijklmnopqrstuvwxyz"]
WORDS = ["in", "he", "the", "▁the"]
DEFINED = ["\n", "  "]
TOKENS = [*SPECIAL, *BYTES, *DEFINED, *WORDS, *LETTERS]
KINDS = [3] * len(SPECIAL) + [6] * len(BYTES) + [4] * len(DEFINED) + [1] * len(WORDS + LETTERS)
IDS = [2, *np.random.default_rng(3).integers(260, len(TOKENS), 40).tolist()]


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scratch") / "tiny.gguf"
    writer = GGUFWriter(path, "gemma3")
    writer.add_context_length(128)
    writer.add_embedding_length(HIDDEN)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(1)
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(1e6)
    writer.add_sliding_window(WINDOW)
    add_tokenizer(writer)
    add_tensors(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def add_tokenizer(writer: GGUFWriter) -> None:
    writer.add_tokenizer_model("llama")
    writer.add_token_list(TOKENS)
    writer.add_token_scores([-float(index) for index in range(len(TOKENS))])
    writer.add_token_types(KINDS)
    writer.add_pad_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_bos_token_id(2)
    writer.add_unk_token_id(3)
    writer.add_add_space_prefix(False)


def add_tensors(writer: GGUFWriter) -> None:
    random = np.random.default_rng(7)
    weights = {"attn_q": (HEADS * HEAD, HIDDEN), "attn_k": (HEAD, HIDDEN), "attn_v": (HEAD, HIDDEN)}
    weights |= {"attn_output": (HIDDEN, HEADS * HEAD), "ffn_gate": (FEED, HIDDEN), "ffn_up": (FEED, HIDDEN)}
    weights |= {"ffn_down": (HIDDEN, FEED)}
    norms = dict.fromkeys(("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"), HIDDEN)
    norms |= {"attn_q_norm": HEAD, "attn_k_norm": HEAD}
    shapes: dict[str, object] = {"token_embd": (len(TOKENS), HIDDEN), "output_norm": HIDDEN}
    for layer in range(LAYERS):
        shapes |= {f"blk.{layer}.{name}": shape for name, shape in (weights | norms).items()}
    for name, shape in shapes.items():
        values = random.standard_normal(shape).astype(np.float32) / 8
        if isinstance(shape, int):
            writer.add_tensor(f"{name}.weight", 1 + values)
        else:
            packed = quantize(values, GGMLQuantizationType.Q8_0)
            writer.add_tensor(f"{name}.weight", packed, raw_dtype=GGMLQuantizationType.Q8_0)


@pytest.fixture(scope="module")
def exported(gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    run_conversion(gguf, folder, way=Way.EXPORT)
    return folder


def test_it_computes_what_the_file_says_within_its_window_and_beyond(gguf: Path, exported: Path) -> None:
    settings = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32"}
    request = ov.Core().compile_model(exported / GRAPH_FILE, "CPU", settings).create_infer_request()
    request.infer(
        {
            "input_ids": np.array([IDS]),
            "attention_mask": np.ones((1, len(IDS)), np.int64),
            "position_ids": np.arange(len(IDS))[None],
            "beam_idx": np.zeros(1, np.int32),
        }
    )
    expected = REFERENCE["logits"](REFERENCE["read_gemma"](gguf), IDS)
    found = request.get_output_tensor(0).data[0]
    assert np.linalg.norm(found - expected) < 0.03 * np.linalg.norm(expected)


def test_it_is_a_model_that_can_be_spread(exported: Path) -> None:
    manifest = build_manifest(exported)
    assert (manifest.layers, manifest.hidden, manifest.vocabulary) == (LAYERS, HIDDEN, len(TOKENS))
    assert manifest.context == 128


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("in the", ["in", "▁the"]),
        ("a  the\n", ["a", "  ", "the", "\n"]),
        ("é", ["<0xC3>", "<0xA9>"]),
    ],
)
def test_its_tokens_are_merged_by_score(exported: Path, text: str, tokens: list[str]) -> None:
    tokenizer = Tokenizer(exported)
    assert [TOKENS[token] for token in tokenizer.encode(text)] == tokens
    assert tokenizer.decode(tokenizer.encode(text)) == text
