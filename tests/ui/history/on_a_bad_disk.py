"""Plays with a disk that fails: `unshare -m python on_a_bad_disk.py full|read-only DIR`.

Prints one JSON object of what the history said and what was found in the end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from idlepool.ui.history.history import History


def mount(*options: str) -> None:
    subprocess.run(["mount", *options], check=True)


def main() -> None:
    how, folder = sys.argv[1], Path(sys.argv[2])
    mount("-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder))
    told: list[str] = []
    history = History(folder, on_problem=told.append)
    conversation = history.create()
    last = history.add_message(conversation.id, None, "user", "before")
    if how == "full":
        ballast = folder / "ballast"
        with ballast.open("wb") as file:
            free = os.statvfs(folder)
            file.write(b"\0" * (free.f_bavail * free.f_bsize))
    else:
        history.close()
        mount("-o", "remount,ro", str(folder))
        history = History(folder, on_problem=told.append)
    for number in range(40):
        last = history.add_message(conversation.id, last.id, "user", f"during {number} " + "x" * 4000)
    reason, waiting = history.reason, history.waiting
    shown = len(history.path(conversation.id))
    if how == "full":
        ballast.unlink()
    else:
        mount("-o", "remount,rw", str(folder))
    history.retry()
    history.close()
    again = History(folder, on_problem=told.append)
    found = [message.text.split("x")[0].strip() for message in again.path(conversation.id)]
    out = {"told": told, "reason": reason, "waiting": waiting, "shown": shown, "found": found, "after": again.waiting}
    sys.stdout.write(json.dumps(out))


if __name__ == "__main__":
    main()
