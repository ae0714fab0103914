"""Addresses of running players, told from the names of players that are started here."""

from __future__ import annotations

import re
from typing import Final

EXAMPLE: Final = "http://HOST:PORT"

_ADDRESS = re.compile(r"[a-z]+://.*|https?:.*|(\[.*\]|[^\s/:=,]+):\d+(/.*)?", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Whether a text is meant as the address of a running player, and not as a player's name."""
    return _ADDRESS.fullmatch(text) is not None
