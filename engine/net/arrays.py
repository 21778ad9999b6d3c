"""Frames as NumPy arrays and back, without a copy. NumPy has no bf16: it is moved as raw 16-bit words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from idlepool.engine.errors import FrameError
from idlepool.engine.net.frames import Frame, FrameKind, Segment
from idlepool.engine.types import ElementType, SessionId

_DTYPES: dict[ElementType, np.dtype[Any]] = {
    ElementType.F32: np.dtype("<f4"),
    ElementType.F16: np.dtype("<f2"),
    ElementType.BF16: np.dtype("<u2"),
    ElementType.I32: np.dtype("<i4"),
    ElementType.U8: np.dtype("u1"),
}
_INFINITIES: dict[ElementType, tuple[str, int, int]] = {
    ElementType.F32: ("4", 0x7F80_0000, 0xFF80_0000),
    ElementType.F16: ("2", 0x7C00, 0xFC00),
    ElementType.BF16: ("2", 0x7F80, 0xFF80),
}
"""Bytes of a word and the words of +infinity and -infinity. IEEE 754, section 3.4: what lies above is NaN."""

_ELEMENTS = {dtype: element for element, dtype in _DTYPES.items()}


def rows_of(frame: Frame) -> npt.NDArray[Any]:
    """The payload `[rows, width]`: a view, read-only as the payload is; bf16 comes as uint16 words."""
    return np.ndarray((frame.rows, frame.width), _DTYPES[frame.dtype], buffer=frame.payload)


def all_finite(frame: Frame) -> bool:
    """Whether no number in a HIDDEN frame is NaN or infinite.

    Compared as whole numbers, which costs no copy: the signed maximum is the largest of the positive ones, the unsigned
    maximum the most negative of the negative ones.
    """
    size, positive, negative = _INFINITIES[frame.dtype]
    words = np.frombuffer(frame.payload, f"<i{size}")
    return not len(words) or bool(words.max() < positive and words.view(f"<u{size}").max() < negative)


def frame_of(
    kind: FrameKind, array: npt.NDArray[Any], *, session: SessionId, step: int, segments: tuple[Segment, ...] = ()
) -> Frame:
    """A frame whose payload is `array`, `[rows, width]` or `[rows]` for width 1; uint16 is taken for bf16.

    The payload is a view of the array where its rows lie one after another: do not change it before it is sent.

    Raises:
        FrameError: an element type or a shape that no frame has.
    """
    element = _ELEMENTS.get(array.dtype)
    if element is None or array.ndim not in (1, 2):
        raise FrameError(f"No frame holds {array.dtype} of shape {list(array.shape)}.")
    rows, width = array.shape if array.ndim == 2 else (len(array), 1)
    payload = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
    return Frame(kind, session, step, segments, element, rows, width, payload)
