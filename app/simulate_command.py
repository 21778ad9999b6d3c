"""`idlepool simulate`: an office is played for a day. Would a model of 70 billion parameters be there when it is asked?

The planner, the policy of lending and the recovery are the real ones; the PCs, the people and the time are made up.
"""

from __future__ import annotations

import argparse
import json
from functools import partial

from idlepool.app.plot_file import check_plot, write_plot
from idlepool.app.terminal_chat import say, write
from idlepool.engine.simulation.figures import Report
from idlepool.engine.simulation.simulate import Scenario, simulate


def run(arguments: argparse.Namespace) -> int:
    """Play and print; returns the exit code, which is 1 where a token was lost."""
    check_plot(arguments.plot)
    scenario = Scenario(arguments.pcs, arguments.hours, arguments.seed)
    say(f"Playing {scenario.pcs} PCs for {scenario.hours:g} hours …")
    found = simulate(scenario)
    write(json.dumps(found) + "\n" if arguments.json else table(found))
    if arguments.plot is not None:
        from idlepool.app.simulate_plot import draw  # Qt is imported only where a picture is wanted

        write_plot(arguments.plot, partial(draw, found))
    return 1 if found["lost_tokens"] else 0


def table(found: Report) -> str:
    """The report for a person."""
    rows = (
        ("Model", _model(found)),
        ("PCs that lend", "{mean:g} on the average, {least} to {most}".format(**found["lending"])),
        ("A plan was possible", f"{found['availability']:.2%} of the time"),
        ("Its layers were loaded", f"{found['ready']:.2%} of the time"),
        ("Questions", _counts(found["questions"])),
        ("Tokens given", f"{found['tokens']:,}"),
        ("Tokens lost", f"{found['lost_tokens']:,}"),
        ("Planned again", f"{found['replans']} times"),
        ("Why", _counts(found["breaks"])),
        ("Stages", "{loaded} loaded, {taken_over} taken over from the pipeline before".format(**found["stages"])),
        ("Model bytes moved", _bytes(found["bytes"])),
        ("Activations moved", f"{found['bytes']['activations'] / 1e9:,.1f} GB"),
        ("First token after", _spread(found["first_token_s"], "s")),
        ("Pauses when it broke", _spread(found["pauses_s"], "s")),
        ("Pauses for want of PCs", _spread(found["waits_for_pcs_s"], "s")),
        ("A token every", _spread(found["token_ms"], "ms")),
    )
    return "".join(f"{name:24}{value}\n" for name, value in rows)


def _model(found: Report) -> str:
    model = found["model"]
    return (
        f"{model['layers']} layers, {model['weights_bytes'] / 1e9:.1f} GB,"
        f" {model['cache_bytes_per_token'] / 1e6:.2f} MB a token in the caches"
    )


def _bytes(moved: Report) -> str:
    return f"{moved['fetched'] / 1e9:,.1f} GB when needed, {moved['fetched_ahead'] / 1e9:,.1f} GB ahead"


def _counts(counts: Report) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "-"


def _spread(spread: Report, unit: str) -> str:
    if not spread["count"]:
        return "-"
    figures = (
        f"{spread['p50']:g} {unit} (median), {spread['p95']:g} {unit} (95 of 100), {spread['most']:g} {unit} at most"
    )
    return f"{figures}; {spread['count']:,} of them"
