"""From a GGUF file to a model folder: openvino-genai's graph and tokenizer with the file's own values as weights.

    python -m idlepool.engine.models.convert GGUF FOLDER REPORTS

runs in a process of its own (see conversion.py) and appends what happens to the file REPORTS, one JSON object a line.
openvino-genai writes its own model beside the GGUF file, whose folder is therefore not FOLDER.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import openvino as ov

from idlepool.engine.errors import ConversionFailed, ConversionUnfaithful
from idlepool.engine.models.conversion import Advanced, Converted, Failed, Report, Unfaithful, Unwritten
from idlepool.engine.models.gguf_weights import GgufWeights
from idlepool.engine.models.manifest import GRAPH_FILE, SETTINGS_FILE
from idlepool.engine.models.requantise import compare_weights, replace_weights

_STEPS = 100
_READ, _REPLACED, _SAVED = 40, 70, 75
"""Where the bar stands after each part; about their shares of the time."""


def convert(gguf: Path, folder: Path, *, report: Callable[[Report], None]) -> float:
    """Convert; return the largest relative Frobenius error of a tensor, measured on the model read back from disk.

    Raises:
        ConversionFailed, ConversionUnfaithful
    """
    report(Advanced(0, _STEPS))
    _read_by_genai(gguf)
    report(Advanced(_READ, _STEPS))

    def part(begin: int, end: int) -> Callable[[int, int], None]:
        return lambda done, total: report(Advanced(begin + (end - begin) * done // total, _STEPS))

    core, source = ov.Core(), GgufWeights(gguf)
    model = core.read_model(gguf.parent / GRAPH_FILE)
    used = replace_weights(model, source, on_tensor=part(_READ, _REPLACED))
    # Compressing to f16 would round the norms.
    ov.save_model(model, folder / GRAPH_FILE, compress_to_fp16=False)
    report(Advanced(_SAVED, _STEPS))
    for path in gguf.parent.glob("openvino_*tokenizer.*"):
        shutil.copyfile(path, folder / path.name)
    write_settings(folder, source, gguf.name)
    return compare_weights(core.read_model(folder / GRAPH_FILE), source, used, on_tensor=part(_SAVED, _STEPS))


def write_settings(folder: Path, source: GgufWeights, name: str) -> None:
    """Write what the graph itself does not tell: family, the context it was trained for, and where it is from."""
    context = int(source.setting("{arch}.context_length"))
    settings = {"family": source.architecture, "context": context, "source": name}
    (folder / SETTINGS_FILE).write_text(json.dumps(settings, indent=2), encoding="utf-8")


def _read_by_genai(gguf: Path) -> None:
    """Leave openvino-genai's own model and tokenizer graphs beside the file."""
    import openvino_genai  # only here: a model that is compared again needs none of it

    try:
        openvino_genai.LLMPipeline(str(gguf), "CPU", enable_save_ov_model=True)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1].rstrip(".")
        raise ConversionFailed(gguf.name, f"OpenVINO GenAI cannot read it ({reason})") from error


def run(work: Callable[..., float], arguments: Sequence[str]) -> int:
    """Convert by `work`, which has the form of convert(); the exit code is 0 where the last report is Converted.

    `arguments`: the paths GGUF, FOLDER, REPORTS.
    """
    gguf, folder, reports = arguments
    with Path(reports).open("ab", buffering=0) as file:

        def report(item: Report) -> None:
            file.write(msgspec.json.encode(item) + b"\n")

        try:
            report(Converted(work(Path(gguf), Path(folder), report=report)))
        except ConversionUnfaithful as error:
            report(Unfaithful(error.tensor, error.error, error.limit))
            return 1
        except ConversionFailed as error:
            report(Failed(error.source, error.reason))
            return 1
        except OSError as error:
            report(Unwritten(folder, error.strerror or str(error)))
            return 1
        return 0


if __name__ == "__main__":
    sys.exit(run(convert, sys.argv[1:]))
