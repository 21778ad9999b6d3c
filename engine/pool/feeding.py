"""Activation links that came in: little is taken of them until the stage is loaded, then what its steps need."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import Intake
from idlepool.engine.types import NodeId, SessionId


class Feeding:
    """The links by their sessions, and what is taken of whom: large frames of one PC, over one link."""

    def __init__(self) -> None:
        self._links: list[Link] = []
        self._intakes: dict[SessionId, tuple[NodeId, Intake]] = {}

    @contextlib.contextmanager
    def linked(self, link: Link) -> Iterator[None]:
        """Keep a link in mind for the length of the block."""
        self._links.append(link)
        self._widen(link.session)
        try:
            yield
        finally:
            self._links.remove(link)

    def begin(self, session: SessionId, feeder: NodeId, intake: Intake) -> None:
        """A stage is loaded, and takes so much of that PC."""
        self._intakes[session] = (feeder, intake)
        self._widen(session)

    def end(self, session: SessionId) -> None:
        """A stage is over; its frames are refused by whoever reads the link. Idempotent."""
        self._intakes.pop(session, None)

    def _widen(self, session: SessionId) -> None:
        feeder, intake = self._intakes.get(session, (None, None))
        for link in self._links:
            if intake is not None and link.session == session and link.peer.node == feeder:
                link.allow(intake)
                return
