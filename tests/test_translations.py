"""The translations are in step with the sources, complete, and would not surprise whoever fills their fields."""

from __future__ import annotations

import ast
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "tools"))  # the tool is imported by its plain name

from engine_sentences import ROOT
from translations import FOLDER, out_of_step, unfinished

FILES = sorted(FOLDER.glob("*.ts"))
FIELD = re.compile(r"{\w+}|%L?n")


def test_nothing_is_left_to_translate() -> None:
    assert unfinished(FOLDER) == []


def test_they_are_in_step_with_the_sources() -> None:
    assert out_of_step() == [], "bring them in step with: python -m tests.tools.translations"


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_translation_has_the_fields_of_its_source(file: Path) -> None:
    for message in ElementTree.parse(file).getroot().iter("message"):
        source, translation = message.findtext("source", ""), message.find("translation")
        assert translation is not None
        for form in translation.findall("numerusform") or [translation]:
            fields = set(FIELD.findall(form.text or ""))
            assert fields <= set(FIELD.findall(source)) | {"%n", "%Ln"}, source


def test_each_text_is_looked_up_where_it_is_found() -> None:
    """Qt looks for a text of `self.tr` under the name of its class: another receiver than `self` hides it."""
    known = {"Engine"}
    for path in (ROOT / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.ClassDef(name=name):
                    known.add(name)
                case ast.Call(func=ast.Attribute(attr="translate") | ast.Name(id="translate")):
                    known.update(str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant))
    for file in FILES:
        for context in ElementTree.parse(file).getroot().iter("context"):
            assert context.findtext("name") in known, file.name


def test_every_text_of_the_sources_is_found() -> None:
    """lupdate passes over calls that it does not understand: a number must be a plain name, the text a literal."""
    found = {
        message.findtext("source") for message in ElementTree.parse(FOLDER / "window_de.ts").getroot().iter("message")
    }
    for path in (ROOT / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="tr") | ast.Name(id="_tr"), args=[ast.Constant(value=str(text)), *_]
                ):
                    assert text in found, path.name
                case ast.Call(
                    func=ast.Attribute(attr="translate"), args=[ast.Constant(), ast.Constant(value=str(text)), *_]
                ):
                    assert text in found, path.name
