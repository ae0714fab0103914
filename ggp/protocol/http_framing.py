"""HttpFraming of a game manager's message to a player: head of a request, and end of a reply."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class HttpFraming:
    """The HTTP of one kind of game manager.

    Attributes:
        head: The lines before the body; `{path}`, `{host}`, `{receiver}` and `{length}` stand for
            what differs.
        heeds_length: Whether Content-Length says where a reply ends; otherwise, and where there is
            none, the end of the stream does.
    """

    head: tuple[str, ...]
    heeds_length: bool = True

    def request(self, message: str, *, host: str, path: str = "/", receiver: str = "") -> bytes:
        """The whole request that carries a message.

        Content-Length counts bytes, which for the ASCII of real messages is what GGP-Base counts
        too.
        """
        body = message.encode()
        told = {"path": path, "host": host, "receiver": receiver, "length": len(body)}
        # No name begins a line of its own, whatever a player reads as the end of one.
        lines = [_CONTROL.sub("", line.format_map(told)) for line in self.head]
        return "\r\n".join([*lines, "", ""]).encode() + body


GGP_BASE: Final = HttpFraming(
    (
        "POST {path} HTTP/1.0",
        "Accept: text/delim",
        "Host: {host}",
        "Sender: GAMESERVER",
        "Receiver: {receiver}",
        "Content-Type: text/acl",
        "Content-Length: {length}",
    )
)
DRESDEN: Final = HttpFraming(
    (
        "POST {path} HTTP/1.0",
        "Accept: text/delim",
        "Sender: Gamecontroller",
        "Receiver: {host}",
        "Content-type: text/acl",
        "Content-length: {length}",
    ),
    heeds_length=False,
)
GAMEMASTER: Final = HttpFraming(
    (
        "POST {path} HTTP/1.0",
        "Accept: text/plain",
        "Host: {host}",
        "Content-Type: text/plain",
        "Content-Length: {length}",
    )
)
