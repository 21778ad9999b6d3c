"""From a GGUF file to a model folder through transformers and optimum-intel, for what openvino-genai's reader lacks.

    python -m idlepool.engine.models.export GGUF FOLDER REPORTS

runs in a process of its own (see conversion.py), needs the extra `convert` and several GB of memory. The exporter gives
the graph only: each weight is found by its bytes, which must be the file's own values, and becomes int8.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import openvino as ov

from idlepool.engine.errors import ConversionFailed, ConverterMissing
from idlepool.engine.models.conversion import Advanced, Report
from idlepool.engine.models.convert import run, write_settings
from idlepool.engine.models.gguf_tokenizer import write_tokenizer
from idlepool.engine.models.gguf_weights import GgufWeights
from idlepool.engine.models.manifest import GRAPH_FILE
from idlepool.engine.models.requantise import compare_weights, replace_equal_weights

_STEPS = 100
_EXPORTED, _REPLACED, _SAVED, _TOKENIZER = 45, 65, 70, 90
"""Where the bar stands after each part; about their shares of the time."""


def export(gguf: Path, folder: Path, *, report: Callable[[Report], None]) -> float:
    """Export; return the largest relative Frobenius error of a tensor, measured on the model read back from disk.

    Raises:
        ConversionFailed, ConversionUnfaithful, ConverterMissing
    """
    report(Advanced(0, _STEPS))
    exported = gguf.parent / "exported"
    _export_by_optimum(gguf, exported)
    report(Advanced(_EXPORTED, _STEPS))

    def part(begin: int, end: int) -> Callable[[int, int], None]:
        return lambda done, total: report(Advanced(begin + (end - begin) * done // total, _STEPS))

    core, source = ov.Core(), GgufWeights(gguf)
    model = core.read_model(exported / GRAPH_FILE)
    used = replace_equal_weights(model, source, on_tensor=part(_EXPORTED, _REPLACED))
    # Compressing to f16 would round the norms.
    ov.save_model(model, folder / GRAPH_FILE, compress_to_fp16=False)
    report(Advanced(_SAVED, _STEPS))
    write_tokenizer(gguf, folder)
    report(Advanced(_TOKENIZER, _STEPS))
    write_settings(folder, source, gguf.name)
    return compare_weights(core.read_model(folder / GRAPH_FILE), source, used, on_tensor=part(_TOKENIZER, _STEPS))


def _export_by_optimum(gguf: Path, folder: Path) -> None:
    """Leave optimum-intel's graph in `folder`, with the file's values as f32: only those can be told by their bytes."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # all that is needed is in the file
    try:
        from optimum.exporters.openvino import export_from_model
        from optimum.intel import OVConfig
        from transformers import AutoModelForCausalLM
    except ImportError as error:
        raise ConverterMissing(gguf.name) from error
    try:
        model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype="float32")
        export_from_model(
            model, folder, task="text-generation-with-past", stateful=True, ov_config=OVConfig(dtype="fp32")
        )
    except (ImportError, RuntimeError, ValueError) as error:
        reason = str(error).strip().splitlines()[-1].rstrip(".")
        raise ConversionFailed(gguf.name, f"optimum-intel cannot export it ({reason})") from error


if __name__ == "__main__":
    sys.exit(run(export, sys.argv[1:]))
