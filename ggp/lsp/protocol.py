"""The protocol with clients that send nonsense: they get an error, and the server lives.

pygls ends a request whose parameters are none with a message to the user and no answer, for which
the client would wait for ever; and it reads a message however long it says it is.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

MAX_MESSAGE_BYTES: Final = 64 << 20
MAX_HEADER_BYTES: Final = 1 << 16
_CHUNK: Final = 1 << 20
_REFUSED: Final = object()
_TOO_LONG: Final = b'"a message of more than 64 MB"'


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, with an answer to every request."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message that a JSON object is; a request that is none is answered with an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if isinstance(data.get("id"), int | str) and "method" in data:
                self._refuse(data["id"], types.ErrorCodes.InvalidParams, str(error))
            return _REFUSED

    def handle_message(self, message: Any) -> None:
        """Handle a message; what is none, or comes too late, is answered with an error.

        What is nested in a message may look like one, so this is found out only here.
        """
        if message is _REFUSED:
            return
        if not hasattr(message, "jsonrpc"):
            number = message.get("id") if isinstance(message, dict) else None
            self._refuse(number, types.ErrorCodes.InvalidRequest, "expected a message of JSON-RPC")
        elif self._shutdown and hasattr(message, "id") and hasattr(message, "method"):
            self._refuse(message.id, types.ErrorCodes.InvalidRequest, "the server was shut down")
        else:
            super().handle_message(message)

    def _refuse(self, number: Any, code: types.ErrorCodes, text: str) -> None:
        number = number if isinstance(number, int | str) else None
        error = types.ResponseError(code=code.value, message=text)
        self._send_data(types.ResponseErrorMessage(id=number, error=error))


class BoundedInput:
    """Standard input, of which nobody can make us keep more than a message may have."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """A line, or the first part of one that is too long for a header."""
        return self._stream.readline(MAX_HEADER_BYTES)

    def read(self, count: int) -> bytes:
        """A number of bytes, fewer at the end; of too many, something that is refused."""
        if count <= MAX_MESSAGE_BYTES:
            return self._stream.read(count)
        while count > 0:
            found = self._stream.read(min(count, _CHUNK))
            if not found:
                return b""
            count -= len(found)
        return _TOO_LONG
