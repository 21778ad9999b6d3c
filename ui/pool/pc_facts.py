"""What a PC has and holds, in words: its devices, the layers on its disk, how far it is, and what it lends to whom."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from idlepool.engine.figures_events import HeldLayers, PcFigures
from idlepool.ui.engine_words import say
from idlepool.ui.lending_words import lent_in_full, reason
from idlepool.ui.node_state import NodeState
from idlepool.ui.pool.chain_words import gigabytes, milliseconds

MOST_MODELS = 4
"""Of which it is said what a PC holds."""


def facts_of(state: NodeState, node: str) -> tuple[str, ...]:
    """Lines about a PC of the pool, by its id; what is not known is left out, or said to be unknown."""
    figures = state.figures.pcs if state.figures is not None else ()
    known = next((pc for pc in figures if pc.node == node), None)
    lines = []
    here = state.here is not None and state.here.node == node
    if here:
        lines.append(reason(state.lending) if state.lending is not None else "")
        lines += [lent_in_full(one, datetime.now().astimezone()) for one in state.hosted]
    if known is not None:
        lines += [_devices(known, here=here), _holds(known.held)]
    return tuple(filter(None, lines))


def _devices(pc: PcFigures, *, here: bool) -> str:
    each = [
        _tr("{device} with {memory} GB").format(
            device=_device(device.name, device.kind), memory=gigabytes(device.bytes)
        )
        for device in pc.devices
    ]
    has = _tr("Has {devices} for models") if here else _tr("Lends {devices}")
    way = _tr("{ms} ms away").format(ms=milliseconds(pc.link_ms)) if pc.link_ms else ""
    return " · ".join(filter(None, (has.format(devices=", ".join(each)) if each else "", way)))


def _device(name: str, kind: str) -> str:
    return name if name == kind else _tr("{name} ({kind})").format(name=name, kind=say(kind))


def _holds(held: Sequence[HeldLayers]) -> str:
    """By model; models that are not here have no name that could be said."""
    by_model: dict[str, list[HeldLayers]] = {}
    for span in held:
        by_model.setdefault(span.model, []).append(span)
    named = [_of_model(model, spans) for model, spans in by_model.items() if model]
    words = named[:MOST_MODELS]
    if len(named) > MOST_MODELS:
        words.append(_tr("layers of more models"))
    if "" in by_model:
        words.append(_tr("layers of models from other PCs"))
    return _tr("Holds {what}").format(what=", ".join(words)) if words else ""


def _of_model(model: str, spans: Sequence[HeldLayers]) -> str:
    if any(span.layers and span.last - span.first == span.layers for span in spans):
        return _tr("all of {model}").format(model=model)
    parts = ", ".join(f"{span.first}–{span.last - 1}" for span in spans)
    return _tr("layers {parts} of {model}").format(parts=parts, model=model)


def _tr(text: str) -> str:
    return QCoreApplication.translate("PcFacts", text)
