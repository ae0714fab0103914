"""An endpoint of the chat completions protocol. Every request has a time limit.

Requests are sent as POST BASE/chat/completions. Temporary errors (429, 5xx, no connection, an
invalid answer) are retried with increasing pauses. Other errors (401, 404) are not. The key is sent
with each request, and redacted in all texts that come from the endpoint.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import aiohttp

from ggp.clock import Deadline
from ggp.errors import GgpError, reason_of
from ggp.language_models.spec import ModelSpec
from ggp.protocol import shown

MAX_BYTES: Final = 1_000_000
"""Maximum size of a response."""
MAX_REQUESTS: Final = 8
"""Maximum number of requests for one answer."""
FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 8.0
MAX_SHOWN: Final = 200
PASSING: Final = frozenset({408, 409, 425, 429})
"""HTTP statuses of temporary errors, in addition to 5xx."""
SERVER_ERROR: Final = 500
Message: TypeAlias = Mapping[str, str]


class EndpointError(GgpError):
    """An endpoint gave no answer.

    Attributes:
        may_pass: Whether the error may be temporary, so that a retry makes sense.
        pause: Seconds to wait before the retry, if the endpoint says so.
    """

    def __init__(self, text: str, *, may_pass: bool, pause: float = 0.0) -> None:
        self.may_pass = may_pass
        self.pause = pause
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer of a model. Token counts are 0 if the endpoint does not report them."""

    text: str
    tokens_in: int
    tokens_out: int
    finish: str
    """Why the answer ended, such as `stop` or `length`."""


class Endpoint:
    """A connection to an endpoint, with one HTTP session until it is closed.

    Attributes:
        num_requests: Number of requests sent so far.
    """

    def __init__(self, spec: ModelSpec, key: str = "") -> None:
        """Create an endpoint without sending anything. `key` is the bearer token of requests."""
        self.num_requests = 0
        self._spec = spec
        self._key = key
        self._session: aiohttp.ClientSession | None = None

    async def complete(self, messages: Sequence[Message], deadline: Deadline) -> Completion:
        """Ask the model for an answer.

        Raises:
            EndpointError: There is no answer, and a retry is useless or there is no time for one.
            TimeoutError: The deadline passed during a request.
        """
        pause = FIRST_PAUSE_SECONDS
        for number in range(1, MAX_REQUESTS + 1):
            try:
                async with asyncio.timeout(deadline.remaining()):
                    return await self._ask(messages)
            except EndpointError as error:
                wait = max(pause, error.pause)
                is_last = number == MAX_REQUESTS or wait >= deadline.remaining()
                if is_last or not error.may_pass:
                    raise
            await asyncio.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        raise AssertionError("the last request neither raised an error nor returned")

    async def close(self) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _ask(self, messages: Sequence[Message]) -> Completion:
        if self._session is None:
            headers = {"Accept-Encoding": "identity"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            # No separate timeout: the caller's deadline limits each request.
            self._session = aiohttp.ClientSession(
                headers=headers, timeout=aiohttp.ClientTimeout(total=None), auto_decompress=False
            )
        self.num_requests += 1
        try:
            async with self._session.post(
                f"{self._spec.base}/chat/completions",
                json=self._body(messages),
                allow_redirects=False,  # do not send the key to another host
            ) as response:
                text = self._blotted((await _read(response)).decode("utf-8", "replace"))
                if response.status != 200:
                    raise _refusal(response, self._blotted(_reason(text)))
        except aiohttp.ClientError as error:
            reason = reason_of(error) if isinstance(error, OSError) else type(error).__name__
            raise EndpointError(self._blotted(reason), may_pass=True) from error
        found = read_completion(text)
        said = found.text.encode("utf-8", "replace").decode()  # lone surrogates cannot be saved
        finish = shown(self._blotted(found.finish))
        return Completion(self._blotted(said), found.tokens_in, found.tokens_out, finish)

    def _body(self, messages: Sequence[Message]) -> dict[str, object]:
        spec = self._spec
        body: dict[str, object] = {"messages": list(messages), "stream": False}
        if spec.model:
            body["model"] = spec.model
        if spec.max_tokens:
            body["max_tokens"] = spec.max_tokens
        if spec.temperature is not None:
            body["temperature"] = spec.temperature
        return body

    def _blotted(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


def read_completion(text: str) -> Completion:
    """Parse the body of a response.

    Raises:
        EndpointError: The body contains no answer.

    >>> read_completion('{"choices": [{"message": {"content": "MOVE: noop"}}]}').text
    'MOVE: noop'
    """
    try:
        body: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _nonsense("JSON", text) from error
    choices = _at(body, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _at(choice, "message")
    if not isinstance(message, dict):
        raise _nonsense("choices[0].message", text)
    usage = _at(body, "usage")
    finish = _at(choice, "finish_reason")
    return Completion(
        _content(message.get("content"), text),
        _count(_at(usage, "prompt_tokens")),
        _count(_at(usage, "completion_tokens")),
        finish if isinstance(finish, str) else "",
    )


def _content(content: object, text: str) -> str:
    if content is None:  # the model has used up its tokens for reasoning
        return ""
    if isinstance(content, list):
        parts = [_at(part, "text") for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        raise _nonsense("text in choices[0].message.content", text)
    return content


def _at(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 1 << 53 else 0


def _nonsense(expected: str, text: str) -> EndpointError:
    got = shown(text, MAX_SHOWN) or "nothing"
    return EndpointError(f"expected {expected}, got: {got}", may_pass=True)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    found = bytearray()
    async for chunk in response.content.iter_chunked(1 << 16):
        found += chunk
        if len(found) > MAX_BYTES:
            raise EndpointError(
                f"expected a response of at most {MAX_BYTES:,} bytes, got more", may_pass=False
            )
    return bytes(found)


def _reason(text: str) -> str:
    try:
        said = _at(_at(json.loads(text), "error"), "message")
    except (ValueError, RecursionError):
        return text
    return said if isinstance(said, str) else text


def _refusal(response: aiohttp.ClientResponse, reason: str) -> EndpointError:
    try:
        pause = max(0.0, float(response.headers.get("Retry-After", "0")))
    except ValueError:  # the header contains a date
        pause = 0.0
    may_pass = response.status >= SERVER_ERROR or response.status in PASSING
    return EndpointError(
        f"HTTP {response.status}: {shown(reason, MAX_SHOWN)}", may_pass=may_pass, pause=pause
    )
