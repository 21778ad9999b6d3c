"""Brings the translations of the window in step with the sources, and says what is not translated yet.

    python -m tests.tools.translations [--check]

The window's own texts are found by lupdate, the engine's sentences by engine_sentences.py; lrelease makes of them what
the window loads. With --check nothing is written; the exit code is 1 where a file is not in step or not complete.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # tests are no package: what they share is imported by its plain name

from engine_sentences import ROOT, engine_sentences

UI = ROOT / "ui"
FOLDER = UI / "translations"
TRANSLATED = ("de",)
LANGUAGES = ("en", *TRANSLATED)
"""English is the language of the sources; its file has only what depends on a number."""
CONTEXT = "Engine"


def bring_in_step(folder: Path) -> None:
    """Write all files anew; what is translated already stays."""
    _write_sentences(folder)
    for language in LANGUAGES:
        window = folder / f"window_{language}.ts"
        _update(window, language)
        parts = [window, folder / f"engine_{language}.ts"] if language in TRANSLATED else [window]
        fresh = folder / f"idlepool_{language}.new"
        _run("pyside6-lrelease", "-silent", "-removeidentical", *map(str, parts), "-qm", str(fresh))
        fresh.replace(fresh.with_suffix(".qm"))  # a window that runs has the file before it mapped into its memory


def _update(file: Path, language: str) -> None:
    """Bring the window's own texts in step."""
    plurals = () if language in TRANSLATED else ("-pluralonly",)
    with tempfile.TemporaryDirectory() as copies:
        sources = [str(_with_contexts(path, Path(copies))) for path in sorted(UI.rglob("*.py"))]
        _run("pyside6-lupdate", *sources, "-ts", str(file), *_HOW, *plurals, "-target-language", language)


def _with_contexts(source: Path, folder: Path) -> Path:
    """A copy of a module in which its `_tr("text")` are spelt out, which lupdate does not know, and what depends on a
    number stands in a class of its context: elsewhere lupdate does not see that it does."""
    text = source.read_text("utf-8")
    plurals = _PLURAL.findall(text)
    text = _PLURAL.sub("None", text)
    for context in _OWN_TR.findall(text):
        text = re.sub(r"\b_tr\((?=\s*[\"'])", f'QCoreApplication.translate("{context}", ', text)
    text += "".join(_IN_CLASS.format(context=context, text=plural) for context, plural in plurals)
    copy = folder / source.relative_to(UI)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text, "utf-8")
    return copy


_OWN_TR = re.compile(r'def _tr\(text: str\) -> str:\n(?:    """.*"""\n)?    return .*translate\("(\w+)", text\)')
_PLURAL = re.compile(r'QCoreApplication\.translate\(\s*"(\w+)",\s*("[^"\n]*%L?n[^"\n]*"),\s*"",\s*[^()]+\)')
_IN_CLASS = '\n\nclass {context}:\n    def counted(self, count):\n        return self.tr({text}, "", count)\n'
_HOW = ("-no-obsolete", "-locations", "none", "-silent", "-sort-messages", "-source-language", "en")


def unfinished(folder: Path) -> list[str]:
    """`language: context: text` of each text that has no translation."""
    missing = []
    for path in sorted(folder.glob("*.ts")):
        for context in ElementTree.parse(path).getroot().iter("context"):
            for message in context.iter("message"):
                if not _is_finished(message):
                    missing.append(f"{path.name}: {context.findtext('name')}: {message.findtext('source')}")
    return missing


def out_of_step() -> list[str]:
    """The files that are not what would be made of the sources now."""
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name) / "translations"
        shutil.copytree(FOLDER, fresh)
        bring_in_step(fresh)
        files = {path.name for folder in (FOLDER, fresh) for path in folder.iterdir() if path.is_file()}
        return [file for file in sorted(files) if _bytes(FOLDER / file) != _bytes(fresh / file)]


def _write_sentences(folder: Path) -> None:
    sentences = engine_sentences()
    rows = ",\n".join(json.dumps(asdict(sentence), ensure_ascii=False) for sentence in sentences)
    (folder / "sentences.json").write_text(f"[\n{rows}\n]\n", "utf-8", newline="\n")
    for language in TRANSLATED:
        path = folder / f"engine_{language}.ts"
        _write_engine(path, [sentence.text for sentence in sentences], language)


def _write_engine(path: Path, texts: Sequence[str], language: str) -> None:
    """A file of Linguist with these texts; those that are translated keep their translation."""
    known = _translations(path)
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = CONTEXT
    for text in texts:
        message = ElementTree.SubElement(context, "message")
        ElementTree.SubElement(message, "source").text = text
        translation = ElementTree.SubElement(message, "translation")
        if known.get(text):
            translation.text = known[text]
        else:
            translation.set("type", "unfinished")
    ElementTree.indent(root, "    ")
    text = ElementTree.tostring(root, "unicode", short_empty_elements=False)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    path.write_text(f"{head}{text}\n", "utf-8", newline="\n")


def _translations(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    messages = ElementTree.parse(path).getroot().iter("message")
    return {message.findtext("source", ""): message.findtext("translation", "") for message in messages}


def _is_finished(message: ElementTree.Element) -> bool:
    translation = message.find("translation")
    if translation is None or translation.get("type") == "unfinished":
        return False
    forms = translation.findall("numerusform") or [translation]
    return all(form.text for form in forms)


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _run(*command: str) -> None:
    tool = Path(sys.executable).parent / command[0]
    subprocess.run([str(tool), *command[1:]], check=True, cwd=ROOT)


def main() -> int:
    """Bring the files in step, or look whether they are; list what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    stale = out_of_step() if parser.parse_args().check else []
    if not stale and "--check" not in sys.argv:
        FOLDER.mkdir(exist_ok=True)
        bring_in_step(FOLDER)
    missing = unfinished(FOLDER)
    sys.stdout.write("".join(f"not in step: {name}\n" for name in stale))
    sys.stdout.write("".join(f"{text}\n" for text in missing))
    sys.stdout.write(f"{len(missing)} texts are not translated.\n")
    return 1 if missing or stale else 0


if __name__ == "__main__":
    sys.exit(main())
