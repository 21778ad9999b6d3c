"""Run `mypy --strict` on the whole of `idlepool`, as it is on each of the three systems.

mypy finds a package by its folder's name, but `idlepool.engine` lies in `engine/`: a temporary folder gets the tree
that mypy expects, of links (of copies on Windows, where links need a privilege). Looking at the code with the eyes of
each system finds calls that only one of them has, such as os.fork or os.startfile.

Usage: python tests/tools/check_types.py [mypy options]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("app", "engine", "ui")
PLATFORMS = ("linux", "win32", "darwin")


def build_tree(tree: Path) -> None:
    """Make `tree/idlepool/{app,engine,ui}`."""
    (tree / "idlepool").mkdir()
    for folder in FOLDERS:
        place = tree / "idlepool" / folder
        if sys.platform == "win32":
            shutil.copytree(ROOT / folder, place)
        else:
            place.symlink_to(ROOT / folder, target_is_directory=True)


def run_mypy(tree: Path, *, platform: str, options: list[str]) -> int:
    """Check the tree as `platform`; return mypy's exit code."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["--platform", platform, "--package", "idlepool", *options]
    if platform != sys.platform:
        command.append("--no-warn-unreachable")  # what follows `if sys.platform == ...: return` is meant for another
    sys.stdout.write(f"{platform}: ")
    sys.stdout.flush()
    return subprocess.run(command, cwd=tree, env={**os.environ, "MYPYPATH": str(tree)}, check=False).returncode


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve()
        build_tree(tree)
        return max(run_mypy(tree, platform=platform, options=sys.argv[1:]) for platform in PLATFORMS)


if __name__ == "__main__":
    sys.exit(main())
