"""What all is compared with: OpenVINO GenAI's LLMPipeline, whole, in a process and on a core of its own.

As a program it answers each line of standard input, a number of tokens, with the tokens/s of so many decoding steps.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from idlepool.app.bench.cores import pin
from idlepool.app.bench.prompts import crowd
from idlepool.app.node_client import end_process
from idlepool.engine.errors import PoolError
from idlepool.engine.pool.child_process import isolation, python_module
from idlepool.engine.pool.huge_pages import with_huge_pages
from idlepool.engine.pool.standard_streams import take_standard_output


class Reference:
    """The process, waiting to be asked."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def tokens_per_second(self, tokens: int) -> float:
        """Decode so many tokens; prefill is not counted.

        Raises:
            PoolError: the process is gone.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(b"%d\n" % tokens)
            self._process.stdin.flush()
            return float(self._process.stdout.readline())
        except (OSError, ValueError) as error:
            raise PoolError("OpenVINO GenAI could not run this model.", "What it said stands above.") from error


@contextmanager
def reference(folder: Path, *, core: int | None) -> Iterator[Reference]:
    """The reference for the model in `folder`, started as the processes are that host layers."""
    command = python_module("idlepool.app.bench.reference", str(folder))
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=with_huge_pages(os.environ), **isolation())
    try:
        pin(process.pid, core)
        yield Reference(process)
    finally:
        end_process(process)


def main() -> None:
    """Load the model named on the command line and answer until standard input ends."""
    out = take_standard_output()
    import openvino_genai

    pipeline = openvino_genai.LLMPipeline(Path(sys.argv[1]), "CPU", INFERENCE_NUM_THREADS=1)
    for line in sys.stdin:
        settings = openvino_genai.GenerationConfig(max_new_tokens=int(line) + 1, do_sample=False, ignore_eos=True)
        step_ms = pipeline.generate(crowd(1), settings).perf_metrics.get_tpot().mean
        os.write(out, b"%.3f\n" % (1e3 / step_ms))


if __name__ == "__main__":
    main()
