"""The address at which other machines reach this one."""

from __future__ import annotations

import socket
from typing import Final

ANY: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104  # nothing listens here
"""Hosts that mean all addresses of a machine, each with an unused address on another network."""


def reached_host(host: str) -> str:
    """Return the host at which other machines reach a listener: one address, even for `ANY`."""
    if host not in ANY:
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((ANY[host], 9))  # this sends nothing
            return str(way.getsockname()[0])
    except OSError:  # the machine is not in a network
        return socket.gethostname()
