"""Starting with the system: as text for each of them, and on Linux for real."""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from idlepool.app import autostart_windows
from idlepool.app.autostart import HIDDEN, Autostart, AutostartFailed, autostart, mend, start_command
from idlepool.app.autostart_linux import AutostartEntry, autostart_folder, entry_text, exec_value
from idlepool.app.autostart_linux import program_of as program_of_entry
from idlepool.app.autostart_macos import LABEL, LaunchAgent, agent_plist
from idlepool.app.autostart_windows import RunKey, is_approved, run_value
from idlepool.app.autostart_windows import program_of as program_of_value

AWKWARD = ['/opt/My Apps/100% "mine"/$HOME\\idle`pool', HIDDEN, "", "a;b&c"]


def exec_of(text: str) -> list[str]:
    """What a desktop runs: the string's escapes first, then the quotes, then the field codes."""
    (line,) = [line for line in text.splitlines() if line.startswith("Exec=")]
    unescaped = line.removeprefix("Exec=").replace("\\\\", "\\")
    words = re.findall(r'"((?:\\.|[^"\\])*)"|([^ ]+)', unescaped)
    return [(re.sub(r"\\(.)", r"\1", quoted) or plain).replace("%%", "%") for quoted, plain in words]


def test_what_is_started_is_this_installation_without_a_window():
    command = start_command()
    assert command[-1] == HIDDEN
    assert Path(command[0]).is_file()
    done = subprocess.run([*command[:-1], "--help"], capture_output=True, text=True, check=True)
    assert HIDDEN in done.stdout


def test_linux_any_path_survives_the_entry():
    assert exec_of(entry_text(AWKWARD)) == AWKWARD


def test_linux_the_program_of_an_entry_is_read_back():
    assert program_of_entry(exec_value(AWKWARD)) == AWKWARD[0]
    assert program_of_entry("/usr/bin/idlepool --hidden") == "/usr/bin/idlepool"
    assert program_of_entry("") == ""


def test_linux_it_is_off_until_it_is_chosen_and_can_be_taken_back(tmp_path: Path):
    switch = AutostartEntry([sys.executable, HIDDEN], tmp_path / "autostart")
    assert not switch.enabled()
    switch.set_enabled(True)
    assert switch.enabled()
    switch.set_enabled(True)
    switch.set_enabled(False)
    assert not switch.enabled()
    assert list((tmp_path / "autostart").iterdir()) == []
    switch.set_enabled(False)


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_linux_what_the_desktop_switched_off_is_off(tmp_path: Path, line: str):
    switch = AutostartEntry([sys.executable], tmp_path)
    switch.set_enabled(True)
    entry = tmp_path / "idlepool.desktop"
    entry.write_text(entry.read_text().replace("X-GNOME-Autostart-enabled=true", line))
    assert not switch.enabled()
    switch.set_enabled(True)
    assert switch.enabled()


@pytest.mark.parametrize("damaged", ["", "no entry at all", "[Desktop Entry]\nName=Idlepool\n", "\x00\xff"])
def test_linux_an_entry_that_is_none_is_off(tmp_path: Path, damaged: str):
    (tmp_path / "idlepool.desktop").write_text(damaged, "latin-1")
    assert not AutostartEntry(["idlepool"], tmp_path).enabled()


def test_linux_a_folder_that_cannot_be_made_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AutostartFailed, match="could not be changed"):
        AutostartEntry(["idlepool"], tmp_path / "file").set_enabled(True)


@pytest.mark.skipif(sys.platform != "linux", reason="the folder of freedesktop.org")
def test_linux_the_folder_is_the_one_that_was_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert autostart_folder() == tmp_path / "autostart"
    autostart().set_enabled(True)
    assert (tmp_path / "autostart" / "idlepool.desktop").is_file()
    monkeypatch.setenv("XDG_CONFIG_HOME", "not/absolute")
    assert autostart_folder() == Path.home() / ".config" / "autostart"


@pytest.mark.skipif(sys.platform != "linux", reason="an entry of freedesktop.org")
def test_linux_the_entry_is_valid_and_starts_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    script = tmp_path / "a folder" / "idle$pool"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/started"\n')
    script.chmod(0o755)
    AutostartEntry([str(script), HIDDEN], tmp_path).set_enabled(True)
    entry = tmp_path / "idlepool.desktop"
    if validator := shutil.which("desktop-file-validate"):
        done = subprocess.run([validator, str(entry)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")
    launcher = shutil.which("gio")
    command = [launcher, "launch", str(entry)] if launcher else exec_of(entry.read_text())
    subprocess.run(command, check=True, env=os.environ, timeout=30)
    for _ in range(1000):
        if (tmp_path / "started").exists() and (tmp_path / "started").read_text():
            break
        subprocess.run(["sleep", "0.01"], check=True)
    assert (tmp_path / "started").read_text() == f"{HIDDEN}\n"


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What Windows keeps, where there is none."""
    values: dict[str, object] = {}
    monkeypatch.setattr(autostart_windows, "_read", values.get)
    monkeypatch.setattr(autostart_windows, "_write", lambda key, value: values.update({key: value}))
    return values


@pytest.fixture(params=["linux", "macos", "windows"])
def make_switch(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Path], Autostart]:
    """The switch of each system, for a program that it is to start."""
    match request.param:
        case "linux":
            return lambda program: AutostartEntry([str(program), HIDDEN], tmp_path)
        case "macos":
            return lambda program: LaunchAgent([str(program), HIDDEN], tmp_path)
    request.getfixturevalue("registry")
    return lambda program: RunKey([str(program), HIDDEN])


@pytest.fixture
def programs(tmp_path: Path) -> list[Path]:
    """Two installations."""
    made = [tmp_path / "an old folder" / "idlepool.exe", tmp_path / "new" / "idlepool.exe"]
    for program in made:
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return made


def test_a_program_that_moved_is_started_from_its_new_place(make_switch, programs: list[Path]):
    old, new = programs
    make_switch(old).set_enabled(True)
    old.unlink()
    moved = make_switch(new)
    assert not moved.enabled(), "nothing would be started"
    mend(moved)
    assert moved.enabled()
    assert moved.program() == str(new)


def test_another_installation_that_is_there_stays_the_one_that_is_started(make_switch, programs: list[Path]):
    old, new = programs
    make_switch(old).set_enabled(True)
    mend(make_switch(new))
    assert make_switch(new).program() == str(old)
    assert make_switch(new).enabled()


def test_what_was_never_switched_on_is_not_by_a_start(make_switch, programs: list[Path]):
    switch = make_switch(programs[1])
    mend(switch)
    assert not switch.enabled()
    assert switch.program() == ""


def test_windows_what_was_switched_off_there_stays_off_when_the_program_moves(
    registry: dict[str, object], programs: list[Path]
):
    old, new = programs
    RunKey([str(old)]).set_enabled(True)
    registry[autostart_windows.APPROVED] = b"\x03" + bytes(11)
    old.unlink()
    mend(RunKey([str(new)]))
    assert registry[autostart_windows.RUN] == f'"{old}"'


class Locked:
    """A system that was told to start a program that is gone, and can be told nothing more."""

    def enabled(self) -> bool:
        return False

    def program(self) -> str:
        return "/gone/idlepool"

    def set_enabled(self, enabled: bool, /) -> None:
        raise AutostartFailed("/etc/locked", "Permission denied")


def test_a_system_that_cannot_be_told_does_not_keep_it_from_starting(caplog: pytest.LogCaptureFixture):
    mend(Locked())
    assert "could not be changed: /etc/locked" in caplog.text


@pytest.mark.parametrize(
    ("value", "program"),
    [
        ('"C:\\My Apps\\idlepoolw.exe" --hidden', "C:\\My Apps\\idlepoolw.exe"),
        ("C:\\idlepoolw.exe --hidden", "C:\\idlepoolw.exe"),
        ("", ""),
    ],
)
def test_windows_the_program_of_a_value_is_read_back(value: str, program: str):
    assert program_of_value(value) == program


def test_windows_the_value_is_quoted_as_windows_parses_it():
    assert run_value(["C:\\Program Files\\Idlepool\\idlepoolw.exe", HIDDEN]) == (
        '"C:\\Program Files\\Idlepool\\idlepoolw.exe" --hidden'
    )


@pytest.mark.parametrize(
    ("kept", "approved"), [(None, True), (b"\x02" + bytes(11), True), (b"\x03" + bytes(11), False), (b"", True)]
)
def test_windows_what_the_task_manager_switched_off_is_off(kept: object, approved: bool):
    assert is_approved(kept) is approved


def test_macos_the_agent_starts_the_command_once_at_login():
    agent = plistlib.loads(agent_plist(AWKWARD))
    assert agent["Label"] == LABEL
    assert agent["ProgramArguments"] == AWKWARD
    assert agent["RunAtLoad"] is True
    assert agent["KeepAlive"] is False


def test_macos_it_is_off_until_it_is_chosen_and_can_be_taken_back(tmp_path: Path):
    switch = LaunchAgent([sys.executable, HIDDEN], tmp_path / "LaunchAgents")
    assert not switch.enabled()
    switch.set_enabled(True)
    assert switch.enabled()
    switch.set_enabled(False)
    assert not switch.enabled()
    (tmp_path / "LaunchAgents" / f"{LABEL}.plist").write_bytes(b"no list")
    assert not switch.enabled()
