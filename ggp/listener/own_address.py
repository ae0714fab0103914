"""The address of this machine, as others reach it."""

from __future__ import annotations

import socket
from typing import Final

ANY: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104  # nobody listens here
"""Hosts that stand for all addresses of a machine, each with a place outside, of nobody."""


def reached_host(host: str) -> str:
    """The host under which others reach who listens there: not all addresses, but one."""
    if host not in ANY:
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((ANY[host], 9))  # sends nothing
            return str(way.getsockname()[0])
    except OSError:  # it is in no network
        return socket.gethostname()
