"""Making the manifest of a model folder: survey the graph, cut the weights into chunks, hash everything."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from idlepool.engine.errors import ModelDamaged, NotAModel
from idlepool.engine.graph.survey import survey
from idlepool.engine.graph.weight_ranges import ByteRange, constants_in_file
from idlepool.engine.models.chunking import cut_into_chunks
from idlepool.engine.models.files import Progress, sha256_of, unseen
from idlepool.engine.models.manifest import (
    GRAPH_FILE,
    MOST_CONTEXT,
    NEEDED_FILES,
    SETTINGS_FILE,
    SMALL_FILES,
    WEIGHTS_FILE,
    Chunk,
    FileEntry,
    Manifest,
)

UNTOLD_CONTEXT = 4096
"""Where neither our settings nor config.json tell how many tokens the model was trained for: all in use can do that."""


def build_manifest(folder: Path, *, progress: Progress = unseen) -> Manifest:
    """Survey and hash the model in `folder`; `progress` counts the bytes hashed as step "checking".

    Raises:
        NotAModel: a file is missing (each is named), or the graph is no language model.
        ModelCannotBeCut: no boundary between two of its layers.
        ModelDamaged: the weights file is shorter than the graph says.
    """
    check_files(folder)
    graph = survey(folder / GRAPH_FILE)
    places, layer_chunks = cut_into_chunks(graph.ranges)
    names = [name for name in SMALL_FILES if (folder / name).is_file()]
    total = sum((folder / name).stat().st_size for name in names) + sum(place.length for place in places)
    done = 0

    def hashed(count: int) -> None:
        nonlocal done
        done += count
        progress("checking", done, total)

    return Manifest(
        layers=graph.layers,
        hidden=graph.hidden,
        vocabulary=graph.vocabulary,
        context=context_of(folder),
        files=tuple(_file_entry(folder / name, hashed) for name in names),
        weights_bytes=(folder / WEIGHTS_FILE).stat().st_size,
        chunks=_hash_chunks(folder / WEIGHTS_FILE, places, hashed),
        layer_chunks=layer_chunks,
        layer_costs=graph.costs,
    )


def check_files(folder: Path) -> None:
    """Raise NotAModel naming all that is missing, or ModelDamaged where the weights file is too short."""
    if not folder.is_dir():
        raise NotAModel(str(folder), "there is no such folder")
    missing = [name for name in (GRAPH_FILE, WEIGHTS_FILE, *NEEDED_FILES[1:]) if not (folder / name).is_file()]
    if missing:
        raise NotAModel(
            str(folder), f"{' and '.join([', '.join(missing[:-1]), missing[-1]][len(missing) == 1 :])} missing"
        )
    try:
        needed = max((place.end for place in constants_in_file(folder / GRAPH_FILE).values()), default=0)
    except (ElementTree.ParseError, ValueError) as error:
        raise NotAModel(str(folder), f"{GRAPH_FILE} is no graph ({error})") from error
    size = (folder / WEIGHTS_FILE).stat().st_size
    if size < needed:
        raise ModelDamaged(str(folder / WEIGHTS_FILE), f"it has {size:,} bytes and the graph reads {needed:,}")


def _file_entry(path: Path, hashed: Callable[[int], None]) -> FileEntry:
    return FileEntry(name=path.name, size=path.stat().st_size, sha256=sha256_of(path, on_bytes=hashed))


def _hash_chunks(weights: Path, places: Sequence[ByteRange], hashed: Callable[[int], None]) -> tuple[Chunk, ...]:
    chunks = []
    with weights.open("rb") as file:
        for place in places:
            file.seek(place.offset)
            digest = hashlib.sha256(file.read(place.length)).hexdigest()
            chunks.append(Chunk(place.offset, place.length, digest))
            hashed(place.length)
    return tuple(chunks)


def context_of(folder: Path) -> int:
    """Most tokens of a sequence: what our conversion noted, else what the model was trained for."""
    for name, key in ((SETTINGS_FILE, "context"), ("config.json", "max_position_embeddings")):
        value = _settings(folder / name).get(key)
        if isinstance(value, int) and 1 <= value <= MOST_CONTEXT:
            return value
    return UNTOLD_CONTEXT


def _settings(path: Path) -> dict[str, object]:
    """A JSON object beside the model; empty where there is none. A broken one is no reason to refuse the model."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
