"""Messages between game managers and players, in every dialect we know of.

`messages` is what is meant, `codec` and `encode` how it is written, `client` how it is sent.
`docs/protocol.md` shows each message with its reply.
"""

from ggp.protocol.codec import decode
from ggp.protocol.encode import encode, info_reply, reply
from ggp.protocol.errors import (
    ConnectionFailedError,
    ProtocolError,
    ReplyTimeoutError,
    shown,
)
from ggp.protocol.limits import DEFAULT_LIMITS, MessageLimits
from ggp.protocol.messages import (
    NOTHING,
    Abort,
    Dialect,
    Happened,
    Info,
    Message,
    Notation,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    Turn,
    Unknown,
)
from ggp.protocol.start_header import start_header

__all__ = [
    "DEFAULT_LIMITS",
    "NOTHING",
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
