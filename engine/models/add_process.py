"""Adding a model in a process of its own, for a node that must go on meanwhile.

`python -m idlepool.engine.models.add_process ROOT SOURCE` prints the events of engine/events.py, one a line:
ModelProgress often, then ModelAdded, or Trouble where it failed. Between them it asks for what it fetches, see
allowance.py. The licence is told by what offers the model, beside the button that gets it.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

from idlepool.engine.errors import IdlepoolError
from idlepool.engine.events import Event, ModelProgress, Trouble, encode_line
from idlepool.engine.model_events import ModelAdded
from idlepool.engine.models.add import add_model
from idlepool.engine.models.allowance import Allowance
from idlepool.engine.models.child import end_with_parent
from idlepool.engine.models.store import ModelStore

PAUSE_S = 0.1
"""Between two progress lines of the same step."""


def main() -> int:
    """Add the model; see the module."""
    _, root, source = sys.argv
    allowance = Allowance(_write)
    threading.Thread(target=end_with_parent, args=(allowance.hear,), daemon=True).start()
    store = ModelStore(Path(root))
    try:
        before = {model.name for model in store.list() if model.complete}
        name = add_model(store, source, progress=_Reporter(source), take=allowance.take).name
    except IdlepoolError as error:
        _say(Trouble(error.sentence, error.hint))
        return 1
    _say(ModelAdded(source, name, was_here=name in before))
    return 0


class _Reporter:
    def __init__(self, source: str) -> None:
        self._source = source
        self._step = ""
        self._said = 0.0

    def __call__(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if step != self._step or now - self._said >= PAUSE_S or done == total:
            self._step, self._said = step, now
            _say(ModelProgress(self._source, step, done, total))


def _say(event: Event) -> None:
    _write(encode_line(event))


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)  # a whole line at once: two threads write
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
