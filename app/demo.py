"""`idlepool demo`: several PCs played on this one, each a process with a data folder of its own, share one model.

The first node is the head that the window or the terminal talks to; it reads the model from this user's models, but
like the others it holds only the layers it was given. They meet over the loopback network and nobody else can join.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import psutil

from idlepool.app.answer_options import AnswerOptions, options_of
from idlepool.app.arguments import DEMO_MODEL
from idlepool.app.launch import launch, window_problem
from idlepool.app.models_command import ensure_model
from idlepool.app.node_client import NodeClient, end_process
from idlepool.app.signals import INTERRUPTED
from idlepool.app.terminal_chat import Notices, answer, closing_line, converse, say, write
from idlepool.engine.errors import IdlepoolError
from idlepool.engine.events import AnswerDone, Ask, ChatMessage, StageInfo
from idlepool.engine.models.store import ModelStore, cache_folder, default_root
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pool.child_process import isolation, python_module
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.types import Backend


def run(arguments: argparse.Namespace) -> int:
    """Run the demo; returns the exit code."""
    if arguments.prompt is None and (arguments.verify or arguments.json):
        raise IdlepoolError("--verify and --json need a question.", 'Add --prompt "…".')
    options = options_of(arguments)
    model = ensure_model(ModelStore(default_root()), DEMO_MODEL)
    with played_pcs(arguments.nodes) as head:
        if arguments.prompt is not None:
            return _answer_once(head, arguments, options, model)
        problem = window_problem()
        if not problem:
            return launch(head, title="Idlepool demo")
        say(f"{problem} Chatting in the terminal instead.")
        with NodeClient(head) as client:
            converse(client, DEMO_MODEL, options)
    return 0


@contextmanager
def played_pcs(count: int) -> Iterator[list[str]]:
    """All nodes but the head, running; gives the command that starts the head."""
    with ExitStack() as stack:
        folder = stack.enter_context(_demo_folder(default_root() / "demo"))
        pair_homes({folder / name: name for name in map(_name, range(1, count + 1))})
        port = free_port()
        for number in range(2, count + 1):
            command = _node_command(folder, number, "--port", "0", "--fallback-peer", f"127.0.0.1:{port}")
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, **isolation())
            stack.callback(end_process, process)
        library = ["--library", str(default_root()), "--port", str(port)]
        yield _node_command(folder, 1, *library, "--open", DEMO_MODEL, "--stages", str(count))


def _name(number: int) -> str:
    return f"pc-{number}"


def _node_command(folder: Path, number: int, *more: str) -> list[str]:
    name = _name(number)
    options = ["node", "--control", "--name", name, "--home", str(folder / name), "--key-file"]
    options += ["--listen", "127.0.0.1", "--lend", "always"]
    options += ["--cache", str(cache_folder(default_root()))]  # what is known of this PC need not be found out again
    return python_module("idlepool.app", *options, *more)


def _answer_once(head: Sequence[str], arguments: argparse.Namespace, options: AnswerOptions, model: StoredModel) -> int:
    notices = Notices()
    ask = options.ask("demo", DEMO_MODEL, (ChatMessage("user", arguments.prompt),))
    if arguments.verify:
        ask = msgspec.structs.replace(ask, reproducible=True)  # nothing else can be compared token by token
    with NodeClient(head) as client:
        done, text = answer(client, notices, ask, on_text=(lambda _: None) if arguments.json else write)
    verifying = arguments.verify and done.finish != "failed"
    equal = _equals_unsplit(model, ask, done, _stages(notices)[0].backend) if verifying else None
    if arguments.json:
        write(json.dumps(_report(notices, done, text, equal), ensure_ascii=False) + "\n")
    else:
        write("\n")
    say(closing_line(done))
    if equal is not None:
        say("The unsplit model gives the same tokens." if equal else "The unsplit model gives OTHER tokens.")
    if done.finish == "cancelled":
        return INTERRUPTED
    return 0 if done.finish != "failed" and equal is not False else 1


def _equals_unsplit(model: StoredModel, ask: Ask, done: AnswerDone, backend: str) -> bool:
    """Whether the published model, whole and in the same form, gives the same tokens and ends where this answer did.

    It knows no stop texts: with those, only the tokens up to there are compared.
    """
    from idlepool.engine.decode.unsplit import unsplit_ids  # brings the engine, needed only here
    from idlepool.engine.models.tokenizer import Tokenizer

    tokenizer = Tokenizer(model.folder)
    prompt = tokenizer.encode_chat(ask.messages)
    ids = unsplit_ids(
        model.folder,
        prompt,
        sampling=ask.sampling,
        end_ids=tokenizer.end_ids,
        max_tokens=min(ask.max_tokens, model.manifest.context - len(prompt)),
        backend=Backend(backend),
        reproducible=bool(ask.reproducible),
    )
    return tuple(ids[: len(done.token_ids)]) == done.token_ids and (
        done.finish == "cancelled" or ask.stop != () or len(ids) == len(done.token_ids)
    )


def _report(notices: Notices, done: AnswerDone, text: str, equal: bool | None) -> dict[str, object]:
    keys = (
        "pid",
        "first",
        "last",
        "device",
        "backend",
        "reproducible",
        "notice",
        "bytes_on_disk",
        "bytes_needed",
        "bytes_of_model",
    )
    return {
        "text": text,
        "token_ids": list(done.token_ids),
        "finish": done.finish,
        **({"detail": done.detail} if done.detail else {}),
        **({"logprobs": done.logprobs, "top": done.top} if done.logprobs else {}),
        **({} if equal is None else {"equal_to_unsplit": equal}),
        "stages": [{"node": stage.name} | {key: getattr(stage, key) for key in keys} for stage in _stages(notices)],
        "tokens_per_second": round(done.tokens_per_second, 2),
        "time_to_first_token_ms": round(done.time_to_first_token_ms, 1),
        "drafted": done.drafted,
        "accepted": done.accepted,
    }


def _stages(notices: Notices) -> tuple[StageInfo, ...]:
    return notices.pipeline.stages if notices.pipeline else ()


@contextmanager
def _demo_folder(parent: Path) -> Iterator[Path]:
    """A folder for the played PCs that is gone afterwards; what a killed demo left is removed first."""
    if parent.is_dir():
        for old in parent.iterdir():
            if old.name == str(os.getpid()) or not (old.name.isdecimal() and psutil.pid_exists(int(old.name))):
                shutil.rmtree(old, ignore_errors=True)
    folder = parent / str(os.getpid())
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
