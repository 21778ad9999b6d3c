"""A WebSocket that does not answer pings without end: who sends them and reads no answer would fill this PC's memory.

websockets answers each ping at once, whether or not the answers before it could be sent.
"""

from __future__ import annotations

import asyncio

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.connection import Connection
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import Event

from idlepool.engine.net.allowance import Allowance

PINGS_PER_S = 2.0
PINGS_BURST = 60


class PingLimit(Connection):
    """Before ServerConnection or ClientConnection among the bases of a connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self._pings = Allowance(PINGS_PER_S, burst=PINGS_BURST)

    def process_event(self, event: Event) -> None:
        """See websockets: something came."""
        if isinstance(event, Frame) and event.opcode is Opcode.PING and not self._pings.take():
            self.protocol.fail(CloseCode.POLICY_VIOLATION, "It sent too many pings.")
            self.send_data()
            return
        super().process_event(event)


class Caller(PingLimit, ClientConnection):
    """The end that dialled."""
