"""How much a PC may say over its control link, so that none keeps another busy with listening.

The limits are far above what a PC says that does what it should: a status when something changed, a step for each
token of those whom it answers, and a heartbeat each second.
"""

from __future__ import annotations

from idlepool.engine.errors import MessageError
from idlepool.engine.net.allowance import Allowance
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.messages import EndSequence, Message, NodeStatus, StageProgress
from idlepool.engine.net.presence_messages import Heartbeat, LinkPing, LinkPong
from idlepool.engine.net.question_messages import PeerAnswer

NEWS_PER_S = 20.0
NEWS_BURST = 300
STEPS_PER_S = 5_000.0
STEPS_BURST = 20_000

_STEPS = (Frame, PeerAnswer, EndSequence, Heartbeat, LinkPing, LinkPong, StageProgress)
"""What comes with each step; everything else is news, which costs this PC more."""


class Patience:
    """That of this PC with one other."""

    def __init__(self) -> None:
        self._news = Allowance(NEWS_PER_S, burst=NEWS_BURST)
        self._steps = Allowance(STEPS_PER_S, burst=STEPS_BURST)

    def hear(self, item: Message | Frame) -> None:
        """Something came.

        Raises:
            MessageError: that is too much within too short a time.
        """
        if not (self._steps if isinstance(item, _STEPS) else self._news).take():
            what = "changes of its status" if isinstance(item, NodeStatus) else "messages"
            raise MessageError(f"It sent too many {what} in a short time. Start Idlepool there again.")
