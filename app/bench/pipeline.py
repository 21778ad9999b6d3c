"""`idlepool bench pipeline`: a pool of real nodes on this PC, each on a core of its own, beside OpenVINO GenAI on one.

Rows are measured in turn, round after round. Each round starts every pool anew, measures GenAI right before it, and
compares within that: a noisy machine is noisy for both. A figure is the median over the rounds.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from functools import partial

from idlepool.app.arguments import DEMO_MODEL
from idlepool.app.bench.cores import cores
from idlepool.app.bench.measure import Pool
from idlepool.app.bench.pool import LOOKUP, Setup, played_pool
from idlepool.app.bench.reference import reference
from idlepool.app.bench.report import Findings, report, table
from idlepool.app.bench.rows import QUICK, Row, Scale, rows
from idlepool.app.models_command import ensure_model
from idlepool.app.plot_file import check_plot, write_plot
from idlepool.app.terminal_chat import Notices, say
from idlepool.engine.models.store import ModelStore, default_root
from idlepool.engine.models.stored import StoredModel


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    store = ModelStore(default_root())
    model = ensure_model(store, arguments.model) if arguments.model == DEMO_MODEL else store.get(arguments.model)
    _check(arguments, model)
    scale = _scale(arguments)
    drafter = LOOKUP if arguments.draft is None else str(arguments.draft.absolute())
    pool = Setup(arguments.stages, cores(), speculation=drafter)
    findings, notices = Findings(), Notices()
    for number in range(scale.rounds):
        say(f"Round {number + 1} of {scale.rounds} …")
        _round(findings, notices, scale, pool, model, number=number)
    found = report(findings, scale, pool, model.name)
    sys.stdout.write(json.dumps(found) + "\n" if arguments.json else table(found))
    if arguments.plot is not None:
        from idlepool.app.bench.plot import draw  # Qt is imported only where a picture is wanted

        write_plot(arguments.plot, partial(draw, found))
    return 0


def _check(arguments: argparse.Namespace, model: StoredModel) -> None:
    """Say at once what would show only after minutes."""
    check_plot(arguments.plot)
    if arguments.draft is not None:
        from idlepool.engine.decode.draft_model import load_draft  # brings the engine, needed only here

        load_draft(arguments.draft, model.folder, threads=1)


def _scale(arguments: argparse.Namespace) -> Scale:
    scale = QUICK if arguments.quick else Scale()
    given = {"rounds": arguments.rounds, "tokens": arguments.tokens, "delays_ms": arguments.delay_ms}
    return replace(scale, **{name: value for name, value in given.items() if value is not None})


def _round(findings: Findings, notices: Notices, scale: Scale, pool: Setup, model: StoredModel, *, number: int) -> None:
    with reference(model.folder, core=pool.core_of(0)) as genai:
        for (everything, delay_ms), measured in rows(scale).items():
            speed = genai.tokens_per_second(scale.tokens)
            findings.reference.append(speed)
            setup = pool.of(everything=everything, delay_ms=delay_ms)
            with played_pool(setup) as client:
                users = Pool(client, notices, model=model.name)
                users.warm_up()
                for row in measured:
                    say(f"  {row} …")
                    predicted = users.predicted()
                    seen = users.measure(row, tokens=scale.tokens_of(row), reference=speed)
                    findings.rows.setdefault(row, []).append(seen)
                    if row == Row(1):
                        findings.predictions.append(predicted / seen.tokens_per_second)
                if setup == pool.of(everything=True, delay_ms=0):
                    say("  a second turn …")
                    findings.turns.append(users.second_turn(number, lines=scale.history_lines))
                    say("  where texts part …")
                    findings.parting.append(users.parting(answers=scale.parting, tokens=scale.tokens))
