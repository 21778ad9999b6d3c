"""The chain in words: for its cards, and for who hears it instead of seeing it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from idlepool.engine.plan_events import PlanTold
from idlepool.ui.pool.chain import ChainPc, ChainPicture

GB = 1e9
FEW_MS = 10.0
"""Milliseconds below which a tenth is worth saying."""


def name_words(pc: ChainPc) -> str:
    """Which PC it is."""
    return _tr("{name} (this PC)").format(name=pc.name) if pc.here else pc.name


def layer_words(pc: ChainPc) -> str:
    """Which layers it has."""
    return span_words(pc.first, pc.last)


def span_words(first: int, last: int) -> str:
    """The layers `[first, last)`."""
    if last - first == 1:
        return _tr("layer {number}").format(number=first)
    return _tr("layers {first}–{last}").format(first=first, last=last - 1)


def brief_span(first: int, last: int) -> str:
    """The same where there is little room."""
    return str(first) if last - first == 1 else f"{first}–{last - 1}"


def doing_words(pc: ChainPc) -> str:
    """Its device, or what it does before it can compute."""
    words = {
        "waiting": _tr("waiting"),
        "fetching": _tr("fetching layers, {percent} %").format(percent=int(100 * pc.fetched)),
        "loading": _tr("loading"),
        "compiling": _tr("getting ready"),
        "lost": _tr("gone"),
    }
    if pc.phase not in words:
        return pc.device or _tr("device not known yet")
    seconds = _tr(", {seconds} s").format(seconds=pc.phase_s) if pc.phase_s else ""
    return words[pc.phase] + seconds


def memory_words(pc: ChainPc) -> str:
    """What the layers take of what is lent, and whether that was measured."""
    if not pc.memory_bytes:
        return _tr("memory not known yet")
    words = _tr("takes {used} of {lent} GB") if pc.measured else _tr("{used} of {lent} GB planned")
    if not pc.lent_bytes:
        words = _tr("takes {used} GB") if pc.measured else _tr("{used} GB planned")
    return words.format(used=gigabytes(pc.memory_bytes), lent=gigabytes(pc.lent_bytes))


def step_words(pc: ChainPc) -> str:
    """How long a step takes there."""
    if not pc.step_ms:
        return _tr("speed not known yet")
    return _tr("{ms} ms a step").format(ms=milliseconds(pc.step_ms))


def link_words(ms: float) -> str:
    """How far the next PC is; empty where nobody knows."""
    return _tr("{ms} ms").format(ms=milliseconds(ms)) if ms else ""


def back_words(pc: ChainPc, first: str) -> str:
    """How far the last PC is from the `first` one, to which its results go."""
    return _tr("{ms} ms back to {name}").format(ms=milliseconds(pc.link_ms), name=first) if pc.link_ms else ""


def described(pc: ChainPc, following: str, first: str = "") -> str:
    """All of it, for a screen reader; `following`: the name of the next PC, empty for the last one, for which `first`
    is that of the first PC."""
    facts = [layer_words(pc), doing_words(pc), memory_words(pc), step_words(pc)]
    if following and pc.link_ms:
        facts.append(_tr("{ms} ms to {name}").format(ms=milliseconds(pc.link_ms), name=following))
    elif following:
        facts.append(_tr("then {name}").format(name=following))
    elif first and (back := back_words(pc, first)):
        facts.append(back)
    return ", ".join(facts)


def summary(picture: ChainPicture) -> str:
    """What happens now, in a sentence or two."""
    match picture.state:
        case "planned":
            return _tr("Not loaded: this is how it would run. The layers are loaded with the next question.")
        case "preparing":
            return _tr("Being prepared. {detail}").format(detail=picture.detail).strip()
        case "broken":
            return picture.detail or _tr("The chain is broken; it is made anew with the next question.")
        case "ready" if picture.round_ms:
            now = _tr("Answering: {speed} tokens/s, {ms} ms a step through all PCs.")
            told = now.format(speed=speed(picture.tokens_per_second), ms=milliseconds(picture.round_ms))
            return f"{told} {_tokens(picture)}".strip()
        case "ready":
            return " ".join(
                filter(None, (_tr("Loaded, and nobody is being answered."), _way(picture), _tokens(picture)))
            )
    return picture.detail or _tr("Working out how this model would run …")


def prediction(plan: PlanTold | None, running: ChainPicture | None = None) -> str:
    """How fast it would be, and how many more fit; why it cannot be; empty where nothing is known. `running`: what is
    loaded now, which may be another plan."""
    if plan is None or (plan.possible and not plan.tokens_per_second):
        return ""
    if not plan.possible:
        return f"{plan.sentence} {plan.hint}".strip()
    words = _tr("This plan: about {speed} tokens/s for one person; {room}.")
    if running is not None and _is_other(plan, running):
        words = _tr("Planned anew it would run on {names}: about {speed} tokens/s for one person; {room}.")
    users = plan.spare_users
    more = QCoreApplication.translate("Chain", "room for %n more user(s)", "", users)
    room = more if users else _tr("no room for a second user at the same time")
    names = ", ".join(stage.name for stage in plan.stages)
    return words.format(names=names, speed=speed(plan.tokens_per_second), room=room)


def _is_other(plan: PlanTold, running: ChainPicture) -> bool:
    now = [(pc.node, pc.first, pc.last) for pc in running.pcs]
    return bool(now) and now != [(stage.node, stage.first, stage.last) for stage in plan.stages]


def guess(plan: PlanTold | None) -> str:
    """That the prediction is one, where not all of these PCs were measured."""
    if plan is None or plan.measured or not plan.tokens_per_second:
        return ""
    if len(plan.stages) > 1 and not all(stage.link_ms for stage in plan.stages):
        return _tr("The speed is a guess: not all links between these PCs are measured yet.")
    return _tr("The speed is a guess from the size of the layers: not all of these PCs ran this model yet.")


def _tokens(picture: ChainPicture) -> str:
    count = picture.tokens
    return QCoreApplication.translate("Chain", "%Ln token(s) written since it was loaded.", "", count) if count else ""


def _way(picture: ChainPicture) -> str:
    if len(picture.pcs) < 2 or not all(pc.step_ms for pc in picture.pcs):
        return ""
    computing, links = sum(pc.step_ms for pc in picture.pcs), sum(pc.link_ms for pc in picture.pcs)
    if not all(pc.link_ms for pc in picture.pcs):
        return _tr("A step takes {ms} ms of computing; the links are not measured yet.").format(
            ms=milliseconds(computing)
        )
    both = _tr("A step takes {computing} ms of computing and {links} ms on the way.")
    return both.format(computing=milliseconds(computing), links=milliseconds(links))


def gigabytes(count: int) -> str:
    """With one decimal, as the user writes numbers."""
    return QLocale().toString(count / GB, "f", 1)


def milliseconds(ms: float) -> str:
    """Rounded so that it says no more than is known."""
    return QLocale().toString(ms, "f", 1 if ms < FEW_MS else 0)


def speed(tokens_per_second: float) -> str:
    """Rounded as well."""
    return QLocale().toString(tokens_per_second, "f", 1 if tokens_per_second < FEW_MS else 0)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Chain", text)
