"""What every use of mDNS here needs: reading an announcement, saying goodbye, and why it does not work."""

from __future__ import annotations

import asyncio
import logging

from zeroconf import Error as ZeroconfError
from zeroconf import Zeroconf
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

_log = logging.getLogger("idlepool.discovery")

_LOOKUP_MS = 3000
_CLOSE_SECONDS = 1.0


async def looked_up(zeroconf: Zeroconf, service_type: str, name: str) -> AsyncServiceInfo | None:
    """What is announced under a name; None where it does not come in time, or is no announcement."""
    try:
        info = AsyncServiceInfo(service_type, name)
        return info if await info.async_request(zeroconf, _LOOKUP_MS) else None
    except (OSError, ZeroconfError) as error:
        _log.info("an announcement could not be read: %r", error)
        return None


async def say_goodbye(zeroconf: AsyncZeroconf) -> None:
    """Take announcements back and close; at most a second, and never an error."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await zeroconf.async_close()
    except (TimeoutError, OSError, ZeroconfError) as error:
        _log.info("mDNS did not say goodbye: %r", error)


def reason_of(error: Exception) -> str:
    """Why mDNS does not work here, in a few words."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
