"""Whether anything listens at an address, without loading a client for it."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit


def listens(url: str, seconds: float) -> bool:
    """Whether a connection to the URL's host and port can be had in time; without a port,
    to the scheme's own."""
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "127.0.0.1", port), seconds).close()
    except (OSError, ValueError):
        return False
    return True
