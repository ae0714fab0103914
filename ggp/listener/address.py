"""Listen on an address, write it as a URL, and find the one that other machines can reach."""

from __future__ import annotations

import errno
import socket
from typing import TYPE_CHECKING, Final

from ggp.errors import GgpError

if TYPE_CHECKING:
    from aiohttp import web

ANY: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104  # these only name hosts
"""Hosts that mean all addresses of a machine, each with an unused address on another network."""


def reached_host(host: str) -> str:
    """Return the host name or address at which other machines reach a listener on `host`."""
    if host not in ANY:
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((ANY[host], 9))  # this sends nothing
            return str(way.getsockname()[0])
    except OSError:  # the machine is not in a network
        return socket.gethostname()


def http_address(host: str, port: int | str) -> str:
    """Return the URL of a port.

    >>> http_address("127.0.0.1", 80), http_address("::1", 80)
    ('http://127.0.0.1:80', 'http://[::1]:80')
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class ListenError(GgpError):
    """A program cannot listen on an address, for example because the port is in use."""

    def __init__(self, error: OSError, place: str, option: str = "--port") -> None:
        """Describe an error. `option` is the command-line option that sets the port."""
        super().__init__(f"cannot listen on {place}: {_reason(error, option)}")


async def listen(site: web.TCPSite, host: str, port: int) -> None:
    """Start to listen.

    Raises:
        ListenError: The system does not allow to listen on this address.
    """
    try:
        await site.start()
    except OSError as error:
        raise ListenError(error, f"{host}:{port}") from error


def _reason(error: OSError, option: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"the port is in use; choose another with {option}"
    if isinstance(error, socket.gaierror):
        return "no machine of that name is known"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address; expected one of its own, or 0.0.0.0 for all"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return "permission denied; ports below 1024 are often reserved"
    return error.strerror or str(error)
