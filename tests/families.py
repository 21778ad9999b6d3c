"""The tiny models of many families: random weights, the exporter's own graphs (see data/families/make_families.py)."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data" / "families"
LISTING: dict[str, dict[str, Any]] = json.loads((DATA / "families.json").read_text(encoding="utf-8"))

EXPORTED = tuple(name for name, found in LISTING.items() if found["exported_with"])
REFUSED = {name: found["refused_by"] for name, found in LISTING.items() if not found["exported_with"]}
"""Families that no installed version of the exporter takes: for each version of transformers its message."""

UNCUT = ("gemma3n", "lfm2")
"""Exported, and refused by the cut with a reason."""

WITHOUT_FUSED_ATTENTION = ("xglm",)
"""Its attention is MatMul, Softmax, MatMul: no ScaledDotProductAttention to fuse or to page."""

FAMILIES = tuple(name for name in EXPORTED if name not in UNCUT + WITHOUT_FUSED_ATTENTION)

SHORT = (
    *(
        "llama",
        "llama_tied_int4",
        "qwen2",
        "qwen3_int8",
        "qwen3_moe",
        "mixtral",
        "phimoe",
        "gpt_oss",
        "mistral",
        "phi3",
    ),
    *("gemma2", "gemma3", "olmo2", "granite", "cohere2", "glm4", "stablelm", "falcon", "falcon_alibi", "bloom", "gpt2"),
    *("opt", "gpt_neox", "gpt_neo", "mpt", "starcoder2"),
)
"""The families of the short form of the suites, at least one of each sort; the others run with -m long."""

VOCABULARY = 300


def family_folder(name: str, cache: Path) -> Path:
    """The model's folder under `cache`, unpacked at the first call. Its tokenizer graphs are empty."""
    folder = cache / name
    if not folder.exists():
        with tarfile.open(DATA / f"{name}.tar.xz") as packed:
            packed.extractall(folder, filter="data")
        for part in ("openvino_tokenizer", "openvino_detokenizer"):
            (folder / f"{part}.xml").write_text(f'<net name="{part}" version="11"/>', encoding="utf-8")
    return folder
