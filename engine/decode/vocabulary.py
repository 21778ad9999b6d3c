"""Whether a draft model's token ids mean what the target's mean: compared by content, since sizes agree by chance.

Where both folders have a tokenizer its words are compared, one by one. A draft without one (it needs none to run) is
compared by its token embeddings: a draft made for a target has the target's table, and a table says which id is which.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.device import reason_of
from idlepool.engine.errors import DraftRefused
from idlepool.engine.graph.snapshot import Snapshot
from idlepool.engine.models.manifest import GRAPH_FILE, TOKENIZER_FILES
from idlepool.engine.models.tokenizer import vocabulary_of

SAMPLED_ROWS = 2048
"""Embeddings that are compared, spread evenly: a shift or another order shows in any of them."""

LEAST_COSINE = 0.9
"""Of an embedding to the target's own. Measured on the starter model: above 0.9998 with weights in 8 and in 4 bits;
for another word's 0.47 on average, and 0.70 is reached by one in a hundred."""

LEAST_ALIKE = 0.99
"""Share of the embeddings that must be so close: rows of words that never occur may be anything."""

Rows = npt.NDArray[np.float32]


def check_same_vocabulary(target: Path, draft: Path) -> int:
    """Compare the models in two folders; returns how many ids, from 0 on, both of them have logits for.

    The widths may differ where the words do not: models of one family are padded to different sizes.

    Raises:
        DraftRefused: says what differs, or that there is nothing to compare.
    """
    core = ov.Core()
    ours, theirs = (_graph(core, folder, draft.name) for folder in (target, draft))
    widths = (_width(ours, draft.name), _width(theirs, draft.name))
    if all((folder / TOKENIZER_FILES[0]).is_file() for folder in (target, draft)):
        fault = _other_words(_words(target, draft.name), _words(draft, draft.name))
    elif widths[0] != widths[1]:
        fault = f"it knows {widths[1]:,} tokens and the model {widths[0]:,}"
    else:
        ids = np.linspace(0, widths[0] - 1, min(SAMPLED_ROWS, widths[0])).astype(np.int64)
        fault = _other_embeddings(_embeddings(core, ours, ids), _embeddings(core, theirs, ids), ids)
    if fault:
        raise DraftRefused(draft.name, fault)
    return min(widths)


def _graph(core: ov.Core, folder: Path, draft: str) -> ov.Model:
    try:
        return core.read_model(folder / GRAPH_FILE)
    except RuntimeError as error:
        raise DraftRefused(
            draft, f"OpenVINO cannot read {GRAPH_FILE} in “{folder.name}”: {reason_of(error)}"
        ) from error


def _width(model: ov.Model, draft: str) -> int:
    """Logits a row."""
    shape = model.outputs[0].get_partial_shape()
    if shape.rank.is_dynamic or shape[-1].is_dynamic:
        raise DraftRefused(draft, f"an output of shape {shape} does not tell the size of its vocabulary")
    return int(shape[-1].get_length())


def _words(folder: Path, draft: str) -> dict[bytes, int]:
    try:
        return vocabulary_of(folder)
    except RuntimeError as error:
        raise DraftRefused(draft, f"the tokenizer of “{folder.name}” cannot be read: {reason_of(error)}") from error


def _other_words(ours: dict[bytes, int], theirs: dict[bytes, int]) -> str:
    """What differs, in words; empty where nothing does."""
    differing = [word for word, token in ours.items() if theirs.get(word) != token]
    differing = differing or [word for word in theirs if word not in ours]
    if not differing:
        return ""
    word = min(differing, key=lambda each: (ours.get(each, len(ours)), each))
    here, there = (str(words[word]) if word in words else "missing" for words in (ours, theirs))
    shown = word.decode("utf-8", "backslashreplace")
    share = f"{len(differing):,} of {len(ours):,} words differ"
    return f"its vocabulary is another one, {share} (“{shown}” is {there}, in the model {here})"


def _embeddings(core: ov.Core, model: ov.Model, ids: npt.NDArray[np.int64]) -> Rows | None:
    """Rows `[ids, hidden]` of the embedding table; None where no table is looked up by the ids alone."""
    snapshot = Snapshot(model)
    tokens = snapshot.parameter("input_ids")
    if tokens is None:
        return None
    lookup = next((i for i in sorted(snapshot.fed_by(tokens)) if snapshot.kinds[i] == "Gather"), None)
    if lookup is None or snapshot.ancestors([lookup]) & set(snapshot.of_kind("Parameter")) != {tokens}:
        return None
    table = ov.Model([snapshot.nodes[lookup].output(0)], [snapshot.nodes[tokens]], "embeddings")
    compiled = core.compile_model(table, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    rows: Rows = compiled(ids[None])[0][0].astype(np.float32)
    return rows


def _other_embeddings(ours: Rows | None, theirs: Rows | None, ids: npt.NDArray[np.int64]) -> str:
    """What differs, in words; empty where nothing does."""
    if ours is None or theirs is None or ours.shape != theirs.shape:
        return "it has no tokenizer to compare, and its embeddings are not those of the model"
    if not ours.any():
        return "it has no tokenizer to compare, and the model's embeddings are not on this PC"
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    cosines = np.sum(ours * theirs, axis=1) / np.maximum(lengths, np.finfo(np.float32).tiny)
    far = np.flatnonzero(~(cosines >= LEAST_COSINE))
    if len(far) <= (1 - LEAST_ALIKE) * len(ids):
        return ""
    first = f"the first is token {ids[far[0]]:,}, with a cosine of {cosines[far[0]]:.2f}"
    return f"it has no tokenizer to compare, and {len(far):,} of {len(ids):,} embeddings are not the model's ({first})"
