"""The published model, uncut, driven by hand: what every split is compared with. Shares nothing with the cutting.

A model that lacks the Gathers of its caches gets them, as its shards do: unfused attention rounds otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import openvino as ov

from idlepool.engine.graph.kv_gather import inject_gathers


class Published:
    """One sequence of the stateful model in `folder`, compiled with `options`."""

    def __init__(self, core: ov.Core, folder: Path, device: str, options: Mapping[str, str | int]) -> None:
        model = core.read_model(folder / "openvino_model.xml")
        inject_gathers(model)
        compiled = core.compile_model(model, device, dict(options))
        self._inputs = [port.get_names() for port in compiled.inputs]
        self._request = compiled.create_infer_request()

    def logits(self, ids: npt.NDArray[np.int32], start: int) -> npt.NDArray[np.float32]:
        """`[ids, vocabulary]` of the next ids, of which the first stands at `start`."""
        end = start + len(ids)
        feeds = {
            "input_ids": ids[None].astype(np.int64),
            "attention_mask": np.ones((1, end), np.int64),
            "position_ids": np.arange(start, end, dtype=np.int64)[None],
            "beam_idx": np.zeros(1, np.int32),
        }
        for names in self._inputs:
            name = next(name for name in feeds if name in names)
            self._request.set_tensor(name, ov.Tensor(feeds[name]))
        self._request.infer()
        logits: npt.NDArray[np.float32] = self._request.get_output_tensor(0).data[0].astype(np.float32)
        return logits
