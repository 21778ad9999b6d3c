"""Running a Python module in a process of its own that ends with ours: its memory, prints and crashes stay there.

The child is this same module: it watches its standard input, whose other end only we hold, and ends when it closes,
so that a download or a conversion never outlives the program that wanted it, however that one ended. What it reads from
the network it asks us for, see allowance.py.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from idlepool.engine.models.allowance import Allowance, Take, asked_for, limit_sockets, unlimited

_POLL_SECONDS = 0.1
_OUTPUT_FILE = "output.txt"
if sys.platform == "win32":
    _FLAGS = subprocess.CREATE_NO_WINDOW
else:
    _FLAGS = 0


def run_module(
    module: str,
    arguments: Sequence[str],
    *,
    scratch: Path,
    poll: Callable[[], None] = lambda: None,
    take: Take = unlimited,
) -> tuple[int, str]:
    """Run `python -m module arguments` with all temporary files in `scratch`; return its exit code and its output.

    `poll` is called ten times a second; whatever it raises ends the child and is passed on. `take` is asked for
    what the child reads from the network, in a thread of its own.
    """
    command = [sys.executable, "-P", "-m", __spec__.name if __spec__ else __name__, module, *arguments]
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    environment = os.environ | places | {"PYTHONUTF8": "1"}
    with (scratch / _OUTPUT_FILE).open("w+b") as output:
        child = subprocess.Popen(
            command,
            cwd=scratch,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            creationflags=_FLAGS,
        )
        assert child.stdin is not None and child.stdout is not None
        allowing = threading.Thread(target=_allow, args=(child.stdout, child.stdin, take), daemon=True)
        with child:
            allowing.start()
            try:
                while child.poll() is None:
                    poll()
                    time.sleep(_POLL_SECONDS)
            finally:
                child.kill()
                allowing.join()
        output.seek(0)
        return child.returncode, output.read().decode("utf-8", "replace")


def end_with_parent(hear: Callable[[bytes], None] = lambda words: None) -> None:
    """Watch standard input, and end this process when it closes; for a thread of its own. `hear`: what comes there."""
    while words := os.read(0, 1 << 10):  # not sys.stdin: its lock, held here, would abort the child when it ends
        hear(words)
    os._exit(1)  # the only way out of a thread that ends the process at once


def _allow(asks: IO[bytes], answers: IO[bytes], take: Take) -> None:
    for line in asks:
        take(asked_for(line))
        with suppress(OSError, ValueError):  # it has ended meanwhile
            answers.write(b"\n")
            answers.flush()


def main() -> None:
    """In the child: run the module named by the first argument."""
    asks = os.dup(1)
    os.dup2(2, 1)  # what the module prints goes where its errors go
    allowance = Allowance(lambda line: os.write(asks, line))
    threading.Thread(target=end_with_parent, args=(allowance.hear,), daemon=True).start()
    limit_sockets(allowance.take)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
