"""Rules that no linter knows: sizes of files and functions, nothing that runs what was received, no machine."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "engine", "ui")
CHECKED = (*PACKAGES, "tests", "assets", "installer", ".ci")
SINGLE = ("README.md", "pyproject.toml")

LONGEST_FILE = 300
MEDIAN_FILE = 120
LONG_FUNCTION = 30
"""Lines that nine functions of ten stay within."""

UNSAFE_MODULES = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}
UNSAFE_SETTINGS = {"allow_pickle", "trust_remote_code"}
MACHINE_PATH = re.compile(r"(?<![\w.~}])/(?:home|root|work|Users)/[\w.]|\b[A-Z]:\\{1,2}Users\\{1,2}\w")

SOURCES = {
    file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
    for folder in PACKAGES
    for file in sorted((ROOT / folder).rglob("*.py"))
}
TREES = {name: ast.parse(text) for name, text in SOURCES.items()}


def nodes(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    """Each syntax node of the modules in `folders`, with its place."""
    for name, tree in TREES.items():
        if name.startswith(tuple(f"{folder}/" for folder in folders)):
            yield from ((f"{name}:{getattr(node, 'lineno', 1)}", node) for node in ast.walk(tree))


def unsafe(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(name.name.partition(".")[0] in UNSAFE_MODULES for name in names)
        case ast.ImportFrom(module=str(module)):
            return module.partition(".")[0] in UNSAFE_MODULES
        case ast.keyword(arg=str(name), value=value):
            return name in UNSAFE_SETTINGS and not (isinstance(value, ast.Constant) and value.value is False)
        case ast.Call(func=ast.Name(id=name)):
            return name in {"eval", "exec"}
    return False


def test_files_are_pages() -> None:
    lengths = {name: len(text.splitlines()) for name, text in SOURCES.items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}
    assert statistics.median(length for length in lengths.values() if length > 1) <= MEDIAN_FILE


def test_nine_functions_of_ten_are_short() -> None:
    functions = [node for _, node in nodes(*PACKAGES) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= LONG_FUNCTION]
    assert len(long) <= len(functions) / 10, long


def test_every_module_says_what_it_is_for() -> None:
    assert [name for name, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_nothing_runs_what_was_received() -> None:
    assert [place for place, node in nodes(*PACKAGES) if unsafe(node)] == []


def test_errors_are_caught_by_name() -> None:
    handlers = ((place, node) for place, node in nodes(*PACKAGES) if isinstance(node, ast.ExceptHandler))
    assert [place for place, node in handlers if node.type is None] == []


def test_libraries_do_not_print() -> None:
    calls = ((place, node.func) for place, node in nodes("engine", "ui") if isinstance(node, ast.Call))
    assert [place for place, called in calls if isinstance(called, ast.Name) and called.id == "print"] == []


def test_no_file_names_a_place_on_one_machine() -> None:
    files = [file for folder in CHECKED for file in (ROOT / folder).rglob("*")] + [ROOT / name for name in SINGLE]
    texts = {
        file: file.read_bytes().decode(errors="replace") for file in files if file.suffix != ".pyc" and file.is_file()
    }
    found = {str(file.relative_to(ROOT)): MACHINE_PATH.findall(text) for file, text in texts.items()}
    assert {name: places for name, places in found.items() if places} == {}


def test_nothing_is_a_link() -> None:
    assert [str(file) for folder in CHECKED for file in (ROOT / folder).rglob("*") if file.is_symlink()] == []


@pytest.mark.parametrize(
    "code",
    ["import pickle", "from pickle import loads", "load(x, allow_pickle=True)", "f(trust_remote_code=flag)", "eval(x)"],
)
def test_unsafe_code_is_seen(code: str) -> None:
    assert any(unsafe(node) for node in ast.walk(ast.parse(code)))


@pytest.mark.parametrize("path", ["/" + "home/somebody/x", "'/" + "root/.cache'", "C:\\" + "Users\\somebody"])
def test_a_path_of_a_machine_is_seen(path: str) -> None:
    assert MACHINE_PATH.search(path)
