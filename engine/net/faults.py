"""What a stage answers instead of a result: it holds less than a step needs, or it could not compute it."""

from __future__ import annotations

import msgspec

from idlepool.engine.errors import FrameError
from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.types import ElementType


class Fault(msgspec.Struct, frozen=True):
    """The payload of a FAULT frame. `held` >= 0: that many positions of `sequence` are held; send again from there."""

    sequence: int
    held: int
    sentence: str = ""


_decoder = msgspec.msgpack.Decoder(Fault)
_encoder = msgspec.msgpack.Encoder()


def fault_frame(step: Frame, fault: Fault) -> Frame:
    """The refusal of `step`."""
    payload = _encoder.encode(fault)
    return Frame(FrameKind.FAULT, step.session, step.step, (), ElementType.U8, len(payload), 1, payload)


def fault_of(frame: Frame) -> Fault:
    """What a FAULT frame says.

    Raises:
        FrameError: its payload does not decode.
    """
    try:
        return _decoder.decode(frame.payload)
    except msgspec.DecodeError as error:
        raise FrameError(f"A FAULT frame does not decode: {error}.") from error
