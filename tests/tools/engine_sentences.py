"""Finds the sentences of the engine that a window may show, in its sources: whoever translates them needs them all.

An f-string becomes a pattern: `f"Port {port} is used."` is "Port {port} is used.". Fields that are formatted as numbers
are told apart, since a number is written in another way in another language.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

SOURCES = (
    "engine/**/*.py",
    "app/node_*.py",
    "app/plan_session.py",
    "app/machine_facts.py",
    "app/preference_service.py",
)
_NOT_SHOWN = (
    *("engine/simulation/", "engine/graph/", "engine/models/convert.py", "engine/models/requantise.py"),
    *("engine/models/gguf_tokenizer.py", "engine/backends/check.py", "app/node_callers.py", "app/node_client.py"),
    *("engine/net/arrays.py", "engine/net/frames.py", "engine/net/mdns.py", "engine/net/pairing_words.py"),
    *("engine/net/segments.py", "engine/machine/idle_wayland.py", "engine/pool/feeding.py", "engine/decode/chosen.py"),
)
"""What no window shows: only commands do, or the log, where a PC broke the protocol."""

_FEWEST_LETTERS = 6
"""Beside the fields; less is no sentence, and would be found in others."""

OF_SYSTEMS = (
    "Address already in use",
    "Bad address",
    "Broken pipe",
    "Cannot assign requested address",
    "Connection refused",
    "Connection reset by peer",
    "Connection timed out",
    "Device or resource busy",
    "Disk quota exceeded",
    "File exists",
    "File name too long",
    "File too large",
    "Input/output error",
    "Invalid argument",
    "Is a directory",
    "Network is unreachable",
    "No route to host",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Operation timed out",
    "Permission denied",
    "Read-only file system",
    "Too many open files",
)
"""What the C libraries of the three systems call the errors of files and networks that a sentence may give as its
reason; they know no other language."""

_OTHER_CALLS = frozenset(
    {
        "ValueError",
        "TypeError",
        "RuntimeError",
        "AssertionError",
        "KeyError",
        "compile",
        "getLogger",
        "write",
        "TypeVar",
    }
)
_LOGS = frozenset({"log", "_log"})
_SENTENCE = re.compile(r"[a-z“”]\W* \W*[A-Za-z{]|[}] [a-z]|[a-z] \W*[{]")
"""Two words, or a word beside a field."""
_NO_SENTENCE = re.compile(r"[*|\\]|\?(?=\S)|%\(|Retry\(|{token_hex}|{role} link")
_FIELD = re.compile(r"{(\w+)(:[^}]*)?}")
_NUMBER = re.compile(r"[,%f]$|^,")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A pattern with the fields in it that are numbers."""

    text: str
    numbers: tuple[str, ...] = ()


def engine_sentences() -> list[Sentence]:
    """All of them, each once, in the order of the alphabet."""
    found = {text: Sentence(text) for text in OF_SYSTEMS}
    for path in sorted({path for pattern in SOURCES for path in ROOT.glob(pattern)}):
        if not str(path.relative_to(ROOT).as_posix()).startswith(_NOT_SHOWN):
            for sentence in _sentences(ast.parse(path.read_text("utf-8"))):
                found.setdefault(sentence.text, sentence)
    return [found[text] for text in sorted(found)]


def _sentences(tree: ast.Module) -> Iterator[Sentence]:
    passed_over = _passed_over(tree)
    for node in ast.walk(tree):
        sentence = _sentence(node) if id(node) not in passed_over else None
        if sentence is not None and _is_telling(sentence.text):
            yield sentence


def _is_telling(text: str) -> bool:
    """Whether it is a sentence or a part of one, and no format or expression."""
    letters = re.findall(r"[A-Za-z]", _FIELD.sub("", text))
    return _SENTENCE.search(text) is not None and len(letters) >= _FEWEST_LETTERS and not _NO_SENTENCE.search(text)


def _passed_over(tree: ast.Module) -> set[int]:
    """Docstrings, what is logged, annotations, and parts of f-strings, which count as a whole."""
    inner: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                inner.add(id(docstring))
            case ast.Call(func=func) if _is_other(func):
                inner.update(id(part) for part in ast.walk(node))
            case ast.JoinedStr(values=values):
                inner.update(id(part) for part in values)
            case ast.arg(annotation=annotation) | ast.AnnAssign(annotation=annotation) if annotation is not None:
                inner.update(id(part) for part in ast.walk(annotation))
    return inner


def _is_other(func: ast.expr) -> bool:
    match func:
        case ast.Name(id=name):
            return name in _OTHER_CALLS
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            return name in _LOGS or attribute in _OTHER_CALLS
    return False


def _sentence(node: ast.AST) -> Sentence | None:
    match node:
        case ast.Constant(value=str(text)):
            return _of_template(text.strip())
        case ast.JoinedStr(values=values):
            names: dict[str, str] = {}
            text = "".join(_part(value, names) for value in values).strip()
            return Sentence(text, tuple(name for name in names.values() if _is_number(values, names, name)))
    return None


def _of_template(text: str) -> Sentence:
    """What str.format fills."""
    fields = dict(_FIELD.findall(text))
    return Sentence(_FIELD.sub(r"{\1}", text), tuple(name for name, spec in fields.items() if _NUMBER.search(spec)))


def _part(value: ast.expr, names: dict[str, str]) -> str:
    match value:
        case ast.Constant(value=str(text)):
            return text.replace("{", "{{").replace("}", "}}")
        case ast.FormattedValue(value=inner):
            return f"{{{_name(inner, names)}}}"
    return ""


def _name(value: ast.expr, names: dict[str, str]) -> str:
    """A short name for what stands there; the same for the same."""
    source = ast.unparse(value)
    if source not in names:
        word = re.findall(r"[a-z][a-z_]*", source.rpartition(".")[2] or source) or ["value"]
        name = word[0]
        while name in names.values():
            name += "_"
        names[source] = name
    return names[source]


def _is_number(values: list[ast.expr], names: dict[str, str], name: str) -> bool:
    return any(
        isinstance(value, ast.FormattedValue)
        and names[ast.unparse(value.value)] == name
        and value.format_spec is not None
        and _NUMBER.search(ast.literal_eval(ast.unparse(value.format_spec)[1:]) if _is_plain(value.format_spec) else "")
        for value in values
    )


def _is_plain(spec: ast.expr) -> bool:
    return isinstance(spec, ast.JoinedStr) and all(isinstance(part, ast.Constant) for part in spec.values)
