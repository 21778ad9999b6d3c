"""The published model itself, whole, driven by hand: what shards are compared with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openvino as ov

EXACT = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
"""Without quantised activations: rounding of 1e-7 then stays rounding, whatever a kernel sums first."""


class Published:
    """One sequence of the model in `folder`, on one thread of the CPU, in f32."""

    def __init__(self, folder: Path) -> None:
        options = EXACT | {"INFERENCE_NUM_THREADS": 1}
        compiled = ov.Core().compile_model(folder / "openvino_model.xml", "CPU", options)
        self._inputs = {port.get_any_name() for port in compiled.inputs}
        self._request = compiled.create_infer_request()
        self._length = 0

    def restart(self) -> None:
        """Forget the sequence."""
        self._request.reset_state()
        self._length = 0

    def logits(self, ids: np.ndarray, seen: np.ndarray | None = None) -> np.ndarray:
        """`[ids, vocabulary]` of the next ids; `seen [length]` says which positions they may see (default: all)."""
        start, self._length = self._length, self._length + len(ids)
        feeds = {
            "input_ids": ids[None].astype(np.int64),
            "attention_mask": (np.ones(self._length) if seen is None else seen)[None].astype(np.int64),
            "position_ids": np.arange(start, self._length)[None],
            "beam_idx": np.zeros(1, np.int32),
        }
        for name in self._inputs:
            self._request.set_tensor(name, ov.Tensor(feeds[name]))
        self._request.infer()
        return self._request.get_output_tensor(0).data[0].copy()

    def all_logits(self, *chunks: np.ndarray) -> np.ndarray:
        """Logits of all ids of the chunks, the sequence from its start."""
        self.restart()
        return np.concatenate([self.logits(ids) for ids in chunks])
