"""What can be typed after `idlepool`. Imports nothing of the engine, so that help and mistakes answer at once."""

from __future__ import annotations

import argparse
import platform
from pathlib import Path

from idlepool.app.lend_values import rule, snooze
from idlepool.app.typed_values import delays, names, plan, spans, stop_text, whole
from idlepool.app.typed_values import temperature as read_temperature

DEMO_MODEL = "starter"
MAX_DEMO_NODES = 6
LARGEST_SEED = 2**63 - 1
MAX_LOGPROBS = 20
MAX_SIMULATED_PCS = 2000
MAX_SIMULATED_HOURS = 14 * 24


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="idlepool", description="Pools idle AI PCs: runs language models that no single one of them can hold."
    )
    parser.add_argument("--debug", action="store_true", help="log everything and show tracebacks")
    parser.add_argument("--hidden", action="store_true", help="show no window, only the icon in the tray")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_demo(commands.add_parser("demo", help="several PCs played on this one, set up by itself"))
    _add_chat(commands.add_parser("chat", help="chat in the terminal"))
    _add_node(commands.add_parser("node", help="take part in the pool without a window"))
    _add_pair(commands.add_parser("pair", help="take another PC into the pool, or out of it"))
    _add_peers(commands.add_parser("peers", help="the PCs of the pool: how they are reached, and what stops them"))
    _add_lend(commands.add_parser("lend", help="when this PC lends, what holds at the moment, and why"))
    _add_api(commands.add_parser("api", help="let programs of this PC ask the pool: on or off, address, key"))
    _add_plan(commands.add_parser("plan", help="which PCs would run a model, which layers each, and how fast"))
    _add_devices(commands.add_parser("devices", help="show and test the devices of this PC"))
    _add_models(commands.add_parser("models", help="add, list, check, verify, clean and remove models"))
    _add_bench(commands.add_parser("bench", help="measure this PC"))
    _add_simulate(commands.add_parser("simulate", help="play an office for a day: would a large model be there?"))
    return parser


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--nodes", type=whole(1, MAX_DEMO_NODES), default=3, help=f"PCs to play (1 to {MAX_DEMO_NODES}, default 3)"
    )
    parser.add_argument("--prompt", default=None, metavar="TEXT", help="answer in the terminal instead of a window")
    _add_answer_options(parser, temperature=0.0, top_p=1.0, seed=0, max_tokens=512)
    parser.add_argument("--verify", action="store_true", help="compare with the model unsplit (needs --prompt)")
    parser.add_argument("--json", action="store_true", help="print one JSON object (needs --prompt)")
    parser.add_argument("--logprobs", type=whole(0, MAX_LOGPROBS), default=-1, metavar="N", help="in it: N best tokens")


def _add_bench(parser: argparse.ArgumentParser) -> None:
    benches = parser.add_subparsers(dest="bench", required=True)
    engine = benches.add_parser("engine", help="each form and split beside OpenVINO GenAI, on one core")
    engine.add_argument("--model", default=DEMO_MODEL)
    engine.add_argument("--rounds", type=whole(1), default=7, help="default: 7")
    engine.add_argument("--tokens", type=whole(1), default=64, help="steps in a round (default: 64)")
    engine.add_argument("--json", action="store_true", help="print one JSON object")
    _add_bench_pipeline(
        benches.add_parser("pipeline", help="several PCs played on this one, for one user and for many")
    )
    transfer = benches.add_parser("transfer", help="how fast a model reaches a second PC, beside a plain TLS copy")
    transfer.add_argument("--megabytes", type=whole(1), default=1000, help="of the model (default: 1000)")
    transfer.add_argument("--rounds", type=whole(1), default=5, help="default: 5")
    transfer.add_argument("--folder", type=Path, default=None, metavar="DIR", help="where to put three times that")
    transfer.add_argument("--json", action="store_true", help="print one JSON object")
    history = benches.add_parser("history", help="how soon thousands of conversations are listed and searched")
    history.add_argument("--conversations", type=whole(1), default=10_000, help="default: 10000")
    history.add_argument("--messages", type=whole(1), default=10, help="of each (default: 10)")
    history.add_argument("--rounds", type=whole(1), default=7, help="default: 7")
    history.add_argument("--json", action="store_true", help="print one JSON object")
    window = benches.add_parser("window", help="whether the window stays smooth in a long conversation")
    window.add_argument("--seconds", type=whole(2), default=12, help="of answers (default: 12; 60 says more)")
    window.add_argument("--starts", type=whole(0), default=5, help="of the program, before that (default: 5)")
    window.add_argument(
        "--conversations", type=whole(0), default=10_000, help="that are there at half of the starts (default: 10000)"
    )
    window.add_argument("--messages", type=whole(2), default=200, help="of the conversation (default: 200)")
    window.add_argument("--json", action="store_true", help="print one JSON object")


def _add_bench_pipeline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default=DEMO_MODEL)
    parser.add_argument("--stages", type=whole(1, MAX_DEMO_NODES), default=2, help="PCs to play (default: 2)")
    parser.add_argument("--rounds", type=whole(1), default=None, help="default: 3")
    parser.add_argument("--tokens", type=whole(8), default=None, help="of an answer (default: 128)")
    parser.add_argument(
        "--delay-ms",
        type=delays,
        default=None,
        metavar="LIST",
        help="each way, between two PCs (default: 0,10,100)",
    )
    parser.add_argument("--draft", type=Path, default=None, metavar="DIR", help="draft model (default: prompt look-up)")
    parser.add_argument("--quick", action="store_true", help="show in a minute that it works; its figures mean nothing")
    parser.add_argument("--plot", type=Path, default=None, metavar="FILE", help="draw the curves into a PNG")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_chat(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default=DEMO_MODEL)
    _add_answer_options(parser, temperature=0.3, top_p=0.9, seed=None, max_tokens=1024)
    parser.set_defaults(logprobs=-1)


def _add_answer_options(
    parser: argparse.ArgumentParser, *, temperature: float, top_p: float, seed: int | None, max_tokens: int
) -> None:
    answers = parser.add_argument_group("answers")
    answers.add_argument("--max-tokens", type=whole(1), default=max_tokens, help=f"default: {max_tokens}")
    answers.add_argument(
        "--temperature",
        type=read_temperature,
        default=temperature,
        help=f"0: always the best token (default: {temperature})",
    )
    answers.add_argument("--top-k", type=whole(0), default=0, help="choose among the K best tokens; 0: among all")
    answers.add_argument("--top-p", type=float, default=top_p, help=f"choose among the best that add up to P ({top_p})")
    answers.add_argument("--min-p", type=float, default=0.0, help="and among those of P times the best one's chance")
    answers.add_argument("--repetition-penalty", type=float, default=1.0, metavar="R", help="1: none")
    answers.add_argument("--presence-penalty", type=float, default=0.0, metavar="P", help="0: none")
    answers.add_argument("--frequency-penalty", type=float, default=0.0, metavar="P", help="0: none")
    seed_help = "default: another one for each question" if seed is None else f"default: {seed}"
    answers.add_argument("--seed", type=whole(0, LARGEST_SEED), default=seed, help=seed_help)
    answers.add_argument(
        "--stop", type=stop_text, action="append", default=[], metavar="TEXT", help="end before this; repeatable"
    )
    answers.add_argument(
        "--overflow",
        choices=("reject", "slide"),
        default="slide",
        help="a conversation the model cannot hold is refused, or loses its oldest turns (default)",
    )


def _add_node(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default=None, help="name shown to others (default: by the settings, or the system's)")
    parser.add_argument("--home", type=Path, default=None, help="data folder (default: the platform's)")
    parser.add_argument("--library", type=Path, default=None, help="a second data folder with models, read only")
    parser.add_argument("--listen", default=None, metavar="HOST", help="address to listen on (default: all)")
    parser.add_argument(
        "--port", type=whole(0, 65_535), default=None, help="port to listen on (default: 24753 if it is free)"
    )
    parser.add_argument("--via", default=None, metavar="HOST:PORT", help=argparse.SUPPRESS)
    parser.add_argument(
        "--key-file", action="store_true", help="keep the private key in a file, not in the system's key store"
    )
    parser.add_argument(
        "--speculation",
        default="lookup",
        metavar="HOW",
        help="guess tokens ahead: off, lookup (default), or a draft's folder",
    )
    parser.add_argument("--microbatches", type=whole(0), default=0, metavar="N", help="0: as many as stages (default)")
    parser.add_argument("--peer", action="append", default=[], metavar="HOST:PORT", help="another node; repeatable")
    parser.add_argument("--fallback-peer", action="append", default=[], metavar="HOST:PORT", help=argparse.SUPPRESS)
    parser.add_argument("--device", default="", metavar="NAME", help="device to lend first (default: GPU, else CPU)")
    parser.add_argument("--forbid", action="append", default=[], metavar="NAME", help="never lend this; repeatable")
    parser.add_argument("--cache", type=Path, default=None, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=whole(0), default=0, help="CPU threads (default: what the device chooses)")
    parser.add_argument(
        "--model-rate",
        type=whole(0),
        default=None,
        metavar="MB",
        help="most MB/s of models, each way; 0: no limit (default: by the settings)",
    )
    parser.add_argument(
        "--lend",
        choices=("always", "when-idle", "never"),
        default=None,
        help="for this run: whatever the rules say, or when idle, or never (default: by the rules, see idlepool lend)",
    )
    parser.add_argument("--open", default=None, metavar="MODEL", help="spread this model at once")
    parser.add_argument("--stages", type=whole(1), default=None, help="over so many PCs (default: as few as hold it)")
    parser.add_argument(
        "--plan", type=plan, default=((), ()), metavar="A:0-12,B:12-24", help="or over these, with these layers each"
    )
    parser.add_argument("--attach", action="store_true", help="with --control: speak for a node that runs already")
    parser.add_argument("--control", action="store_true", help="serve a window: events out, commands in, JSON lines")


def _add_pair(parser: argparse.ArgumentParser) -> None:
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "code", nargs="?", default=None, metavar="CODE", help="that another PC shows (default: show one)"
    )
    parser.add_argument("--address", default=None, metavar="HOST[:PORT]", help="where the PC is that shows the code")
    instead.add_argument("--remove", default=None, metavar="NAME", help="take this PC out of the pool")
    instead.add_argument("--leave", action="store_true", help="leave the pool")
    parser.add_argument("--name", default=platform.node() or "this PC", help="name shown to others")
    parser.add_argument("--home", type=Path, default=None, help="data folder (default: the platform's)")
    parser.add_argument("--listen", default="0.0.0.0", metavar="HOST", help="address to show a code at (default: all)")
    parser.add_argument("--port", type=whole(0, 65_535), default=24_754, help="and port, if it is free (24754)")
    parser.add_argument(
        "--key-file", action="store_true", help="the private key is kept in a file, not in the system's key store"
    )


def _add_peers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.add_argument("--peer", action="append", default=[], metavar="HOST:PORT", help="look there too; repeatable")
    parser.add_argument("--seconds", type=whole(1, 60), default=6, help="to look for, at most (default: 6)")
    parser.add_argument("--name", default=platform.node() or "this PC", help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, default=None, help="data folder (default: the platform's)")
    parser.add_argument("--listen", default=None, metavar="HOST", help="address to listen on (default: all)")


def _add_lend(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "mode", nargs="?", choices=("always", "when-idle", "never"), default=None, help="(default: show what holds)"
    )
    until = parser.add_mutually_exclusive_group()
    until.add_argument(
        "--snooze", type=snooze, default=None, metavar="TIME", help="not for 1h (30m, 2d), until-tomorrow; or off"
    )
    until.add_argument("--stop", action="store_true", help="give everything back at once, and lend nothing for an hour")
    parser.add_argument(
        "--set",
        type=rule,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another rule, such as on_battery=yes; repeatable",
    )
    parser.add_argument("--home", type=Path, default=None, help="data folder (default: the platform's)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_api(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("switch", nargs="?", choices=("on", "off"), default=None, help="(default: show what holds)")
    parser.add_argument("--port", type=whole(1024, 65_535), default=None, help="on this one from now on (7419)")
    parser.add_argument("--renew-key", action="store_true", help="make another key; the one before is worth nothing")
    parser.add_argument("--home", type=Path, default=None, help="data folder (default: the platform's)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_plan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="name of a model here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--for",
        dest="goal",
        choices=("latency", "throughput"),
        default="latency",
        help="one user's token soonest (default), or the most tokens of several users",
    )
    parser.add_argument("--users", type=whole(1), default=None, help="default: 1, for throughput 4")
    parser.add_argument("--context", type=whole(1), default=None, help="tokens of each conversation (default: 8192)")
    parser.add_argument("--pcs", type=names, default=(), metavar="A,B", help="use all of these, in this order")
    parser.add_argument("--spans", type=spans, default=(), metavar="0-12,12-30", help="and these layers, from-to")
    parser.add_argument("--peer", action="append", default=[], metavar="HOST:PORT", help="look there too; repeatable")
    parser.add_argument("--seconds", type=whole(1, 60), default=6, help="to look for PCs, at most (default: 6)")
    parser.add_argument("--name", default=platform.node() or "this PC", help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, default=None, help="data folder (default: the platform's)")
    parser.add_argument("--listen", default=None, metavar="HOST", help="address to listen on (default: all)")


def _add_devices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.add_argument("--again", action="store_true", help="run the self-tests anew")


def _add_models(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    add = actions.add_parser("add", help="add a model")
    sources = f"a folder with an OpenVINO LLM, hf:OpenVINO/NAME, {DEMO_MODEL}, or gemma (needs the extra convert)"
    add.add_argument("source", help=sources)
    add.add_argument("--name", default=None, help="name to call it (default: the folder's)")
    listing = actions.add_parser("list", help="show the models here")
    listing.add_argument("--json", action="store_true", help="print a JSON list")
    verify = actions.add_parser("verify", help="check every byte of a model")
    verify.add_argument("name")
    check = actions.add_parser("check", help="is a model safe to spread: each form, split, against the whole")
    check.add_argument("model", help="name of a model here, or a folder")
    check.add_argument("--stages", type=whole(1), default=3, help="parts to split it into (default: 3)")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    actions.add_parser("clean", help="remove the layers that were fetched for other PCs' models")
    remove = actions.add_parser("remove", help="forget a model; a folder that was added stays")
    remove.add_argument("name")


def _add_simulate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pcs", type=whole(1, MAX_SIMULATED_PCS), default=200, help="in the office (default: 200)")
    parser.add_argument(
        "--hours", type=whole(1, MAX_SIMULATED_HOURS), default=24, help="from Monday midnight on (default: 24)"
    )
    parser.add_argument("--seed", type=whole(0, LARGEST_SEED), default=7, help="another one, another office (7)")
    parser.add_argument("--plot", type=Path, default=None, metavar="FILE", help="draw the day into a PNG")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
