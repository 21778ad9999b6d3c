"""What was found, from the rounds to one object of numbers, and that object as a table for a person."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from idlepool.app.bench.measure import Measured, SecondTurn
from idlepool.app.bench.parting import Parting
from idlepool.app.bench.pool import LOOKUP, Setup
from idlepool.app.bench.rows import Row, Scale

Report = dict[str, Any]
"""What `--json` prints."""


@dataclass(slots=True)
class Findings:
    """Everything that was measured, round by round."""

    rows: dict[Row, list[Measured]] = field(default_factory=dict)
    turns: list[SecondTurn] = field(default_factory=list)
    parting: list[Parting] = field(default_factory=list)
    reference: list[float] = field(default_factory=list)
    predictions: list[float] = field(default_factory=list)
    """What the plan said of one user's tokens/s, as a share of what was measured."""

    def ratio(self, row: Row, other: Row) -> float | None:
        """How much faster the one is than the other, as a median over the rounds."""
        pairs = zip(self.rows.get(row, []), self.rows.get(other, []), strict=False)
        speeds = [(one.tokens_per_second, two.tokens_per_second) for one, two in pairs]
        return _median([one / two for one, two in speeds if two])

    def head_ms_per_step(self, row: Row) -> float | None:
        """The head's own work on a micro-batch."""
        return _median([measured.head_ms_per_step for measured in self.rows.get(row, [])])


def report(findings: Findings, scale: Scale, pool: Setup, model: str) -> Report:
    """Medians over the rounds. Ratios are taken within a round."""
    return {
        "model": model,
        "stages": pool.stages,
        "cores": [pool.core_of(number) for number in range(pool.stages)],
        "rounds": scale.rounds,
        "tokens": scale.tokens,
        "draft": pool.speculation,
        "genai_tokens_per_second": _median(findings.reference, 1),
        "rows": [_row(row, measured) for row, measured in findings.rows.items()],
        "prediction": _median(findings.predictions),
        "delays": [_delay(findings, delay_ms) for delay_ms in scale.delays_ms],
        "second_turn": _second_turn(findings.turns),
        "parting": _parting(findings.parting),
        "reproducible_price": {
            str(users): findings.ratio(Row(users, reproducible=True), Row(users)) for users in scale.reproducible
        },
        "head_ms_per_step": {str(users): findings.head_ms_per_step(Row(users)) for users in scale.users},
    }


def _row(row: Row, measured: Sequence[Measured]) -> Report:
    def median(value: Callable[[Measured], float | None], digits: int = 3) -> float | None:
        return _median([found for m in measured if (found := value(m)) is not None], digits)

    return {
        "row": str(row),
        "users": row.users,
        "everything": row.everything,
        "delay_ms": row.delay_ms,
        "reproducible": row.reproducible,
        "kind": row.kind,
        "tokens_per_second": median(lambda m: m.tokens_per_second, 1),
        "to_genai": median(lambda m: m.to_reference),
        "steady": all(m.steady for m in measured),
        "acceptance": median(lambda m: m.acceptance),
        "tokens_per_step": median(lambda m: m.tokens_per_step),
        "head_ms_per_step": median(lambda m: m.head_ms_per_step),
        "tokens_per_frame": median(lambda m: m.tokens / m.frames),
        "round_trip_ms": median(lambda m: m.round_trip_ms, 2),
        "head_processor_ms_per_token": median(lambda m: m.head_processor_ms_per_token),
        "busy": [_median([m.busy[n] for m in measured], 2) for n in range(min(len(m.busy) for m in measured))],
    }


def _delay(findings: Findings, delay_ms: float) -> Report:
    """One user and two with everything on against the plain loop, which gets one token a round trip.

    With segments in flight the drafts that are right cost no round trip; where each is right with probability p, the
    expected number of tokens up to the first wrong one is 1 / (1 - p).
    """
    plain, one = Row(1, delay_ms=delay_ms), Row(1, everything=True, delay_ms=delay_ms)
    two = Row(2, everything=True, delay_ms=delay_ms)
    a_trip = findings.ratio(one, plain)
    accepted = _median([m.acceptance for m in findings.rows.get(one, []) if m.acceptance is not None])
    bound = None if accepted is None or accepted == 1 else round(1 / (1 - accepted), 3)
    return {
        "delay_ms": delay_ms,
        "two_users_to_plain_loop": findings.ratio(two, plain),
        "tokens_per_round_trip": a_trip,
        "bound": bound,
        "to_bound": None if bound is None or a_trip is None else round(a_trip / bound, 3),
    }


def _second_turn(turns: Sequence[SecondTurn]) -> Report:
    return {
        "prompt_tokens": _median([turn.prompt_tokens for turn in turns], 0),
        "cold_ms": _median([turn.cold_ms for turn in turns], 1),
        "second_ms": _median([turn.second_ms for turn in turns], 1),
        "ratio": _median([turn.second_ms / turn.cold_ms for turn in turns]),
    }


def _parting(partings: Sequence[Parting]) -> Report:
    """Of all rounds together: each round's company is another."""
    leads = [lead for parting in partings for lead in parting.leads]
    answers = sum(parting.answers for parting in partings)
    return {
        "answers": answers,
        "share": round(len(leads) / answers, 3) if answers else None,
        "median_lead": _median(leads),
        "largest_lead": round(max(leads), 3) if leads else None,
    }


def _median(values: Sequence[float], digits: int = 3) -> float | None:
    return round(statistics.median(values), digits) if values else None


def table(found: Report) -> str:
    """The report for a person."""
    head = ("", "tokens/s", "to GenAI", "accepted", "a step", "head ms", "stages busy")
    lines = ["{:46}{:>10}{:>10}{:>10}{:>8}{:>9}  {}".format(*head)]
    lines += [_line(row) for row in found["rows"]]
    lines += [f"OpenVINO GenAI, one user on one core: {_shown(found['genai_tokens_per_second'])} tokens/s"]
    lines += [f"The plan's prediction for one user: {_shown(found['prediction'])} of what was measured"]
    lines += [f"Drafts: {'prompt look-up' if found['draft'] == LOOKUP else found['draft']}"]
    for delay in found["delays"]:
        lines.append(
            f"{delay['delay_ms']:g} ms a hop: two users with everything on {_shown(delay['two_users_to_plain_loop'])}"
            f" x the plain loop; {_shown(delay['tokens_per_round_trip'])} tokens a round trip,"
            f" {_shown(delay['to_bound'])} of the bound"
        )
    turn = found["second_turn"]
    lines.append(
        f"Second turn after {_shown(turn['prompt_tokens'])} tokens: first token after {_shown(turn['second_ms'])} ms,"
        f" {_shown(turn['ratio'])} of a cold prefill ({_shown(turn['cold_ms'])} ms)"
    )
    parted = found["parting"]
    lines.append(
        f"Not reproducible: {_shown(parted['share'])} of {parted['answers']} answers part in company, where the best"
        f" token led by {_shown(parted['median_lead'])} logits (median; at most {_shown(parted['largest_lead'])})"
    )
    lines.append(f"Reproducible against not, by users: {_by_users(found['reproducible_price'])}")
    lines.append(f"The head's own work in ms a step, by users: {_by_users(found['head_ms_per_step'])}")
    if not all(row["steady"] for row in found["rows"]):
        lines.append("* Some users had to wait until others were done: tokens of all in all that time.")
    if None in found["cores"]:
        lines.append("This system does not pin processes: the PCs share its cores.")
    return "\n".join(lines) + "\n"


def _line(row: Report) -> str:
    steady = "" if row["steady"] else " *"
    figures = (row["tokens_per_second"], row["to_genai"], row["acceptance"], row["tokens_per_step"])
    columns = "{:>10}{:>10}{:>10}{:>8}".format(*map(_shown, figures))
    busy = " ".join(map(_shown, row["busy"]))
    return f"{row['row'] + steady:46}{columns}{_shown(row['head_ms_per_step']):>9}  {busy}"


def _by_users(figures: dict[str, float | None]) -> str:
    return ", ".join(f"{users}: {_shown(figure)}" for users, figure in figures.items())


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
