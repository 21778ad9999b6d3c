"""Import modules of `idlepool` with everything hidden from them that only POSIX has; to be run as a process of its own.

Only imports that our own modules make are watched: the standard library of a POSIX system needs its own. Names of
modules come as a JSON list on standard input; what failed goes to standard output as a JSON object, name to reason.
"""

from __future__ import annotations

import builtins
import importlib
import json
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any

ABSENT_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}

ABSENT_NAMES = {
    "os": """
        O_CLOEXEC O_NOFOLLOW WNOHANG chown chroot fchmod fchown fork forkpty getegid geteuid getgid getpgid getuid
        killpg mkfifo nice openpty posix_fadvise posix_fallocate posix_spawn sched_getaffinity sched_setaffinity
        setpgid setsid setuid statvfs uname wait
    """,
    "signal": """
        SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 alarm pause
        pthread_kill pthread_sigmask setitimer sigwait
    """,
    "socket": "AF_UNIX SO_REUSEPORT recv_fds send_fds",
    "time": "CLOCK_MONOTONIC clock_gettime tzset",
}
"""Blank-separated, by module."""

_import = builtins.__import__


class AsOnWindows(types.ModuleType):
    """A standard module without the names that Windows lacks."""

    def __init__(self, module: types.ModuleType) -> None:
        super().__init__(module.__name__)
        self._whole = module

    def __getattr__(self, name: str) -> Any:
        if name in ABSENT_NAMES[self.__name__].split():
            raise AttributeError(f"{self.__name__}.{name} is not there on Windows")
        return getattr(self._whole, name)


def import_as_on_windows(
    name: str,
    globals: Mapping[str, Any] | None = None,  # noqa: A002 - the name that Python's own hook gives it
    locals: Mapping[str, Any] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> types.ModuleType:
    ours = str((globals or {}).get("__name__")).startswith("idlepool.")
    if ours and level == 0 and name.partition(".")[0] in ABSENT_MODULES:
        raise ImportError(f"{name} is not there on Windows")
    module = _import(name, globals, locals, fromlist or (), level)
    return AsOnWindows(module) if ours and module.__name__ in ABSENT_NAMES else module


def main() -> None:
    builtins.__import__ = import_as_on_windows
    failed: dict[str, str] = {}
    for name in json.load(sys.stdin):
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - whatever a module raises is its failure, and the next one's turn
            failed[name] = f"{type(error).__name__}: {error}"
    json.dump(failed, sys.stdout)


if __name__ == "__main__":
    main()
