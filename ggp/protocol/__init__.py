"""Messages between game managers and players, in every known dialect.

`messages` defines them as data, `codec` parses and writes them, and `client` sends them.
`docs/protocol.md` shows each message with its reply.
"""

from ggp.protocol.codec import decode, encode, info_reply, reply, start_header
from ggp.protocol.errors import (
    ConnectionFailedError,
    ProtocolError,
    ReplyTimeoutError,
    shown,
)
from ggp.protocol.messages import (
    DEFAULT_LIMITS,
    EMPTY_TURN,
    Abort,
    Dialect,
    Happened,
    Info,
    Message,
    MessageLimits,
    Notation,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    Turn,
    Unknown,
)

__all__ = [
    "DEFAULT_LIMITS",
    "EMPTY_TURN",
    "Abort",
    "ConnectionFailedError",
    "Dialect",
    "Happened",
    "Info",
    "Message",
    "MessageLimits",
    "Notation",
    "Ping",
    "Play",
    "Preview",
    "ProtocolError",
    "ReplyTimeoutError",
    "Start",
    "Stop",
    "Turn",
    "Unknown",
    "decode",
    "encode",
    "info_reply",
    "reply",
    "shown",
    "start_header",
]
