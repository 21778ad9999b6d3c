"""What is installed is what lies in the folders, and each dependency says why it is there."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app", "engine", "ui")
TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(TEXT)
SETUPTOOLS = PROJECT["tool"]["setuptools"]


def test_every_package_is_installed() -> None:
    found = [file.parent for folder in FOLDERS for file in (ROOT / folder).rglob("__init__.py")]
    names = [".".join(("idlepool", *folder.relative_to(ROOT).parts)) for folder in found]
    assert sorted(SETUPTOOLS["packages"]) == sorted(names)


def test_every_module_lies_in_a_package() -> None:
    modules = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    assert [str(file) for file in modules if not (file.parent / "__init__.py").exists()] == []


def test_every_other_file_is_installed_too() -> None:
    packages = [ROOT.joinpath(*name.split(".")[1:]) for name in SETUPTOOLS["packages"]]
    patterns = SETUPTOOLS["package-data"]["*"]
    installed = {file for package in packages for pattern in patterns for file in package.glob(pattern)}
    others = {file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()}
    # Of the .ts files are made the .qm files beside them.
    missing = {file for file in others - installed if file.suffix not in {".py", ".pyc", ".ts"}}
    assert sorted(map(str, missing)) == []


def test_every_dependency_has_its_reason_above_it() -> None:
    lines = TEXT.splitlines()
    requirement = re.compile(r'^  "[A-Za-z][\w.-]*(\[[\w,]+\])?\s*([<>=~!].*)?",$')
    found = [number for number, line in enumerate(lines) if requirement.match(line)]
    extras = PROJECT["project"]["optional-dependencies"].values()
    listed = PROJECT["project"]["dependencies"] + [each for extra in extras for each in extra]
    written = [lines[number].strip().strip('",') for number in found]
    assert [each for each in listed if each not in written] == []
    unexplained = [lines[number] for number in found if lines[number].strip().strip('",') in listed]
    unexplained = [line for line in unexplained if not lines[lines.index(line) - 1].lstrip().startswith("#")]
    assert unexplained == []


@pytest.mark.parametrize("group", ["console_scripts", "gui_scripts"])
def test_commands_start_something(group: str) -> None:
    ours = [command for command in entry_points(group=group) if command.value.startswith("idlepool.")]
    assert ours
    assert all(callable(command.load()) for command in ours)
