"""Parsing and checking of requests: the body, the query, and the names and numbers in the path."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Callable, Collection
from typing import Annotated, Any, Final, Literal, TypeVar

from aiohttp import hdrs, web
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ggp.manager.domain.rights import is_seat_of
from ggp.manager.errors import (
    NotAllowedError,
    NotThereError,
    SlowRequestError,
    StrangeRequestError,
    WrongRequestError,
)
from ggp.manager.service import SERVICE
from ggp.manager.store.matches import MatchFilter
from ggp.manager.store.tables import MatchRow
from ggp.manager.web.responses import error_message

PREFIX = "/api/v1"
MAX_NAME = 100
SEAT = "seat"
"""The query parameter that contains the key of a person's seat."""

M = TypeVar("M", bound=BaseModel)
PACKED: Final = frozenset({"gzip", "x-gzip", "deflate"})
EITHER_FORM: Final = 32 + zlib.MAX_WBITS
"""Window bits that make zlib unpack both gzip and zlib data, whatever the header says."""
SEAT_SECONDS: Final = 30 * 24 * 3600
MAX_SEATS: Final = 50
"""Largest number of a browser's seats to look up at once."""
_COOKIE: Final = re.compile("ggp_seat_([1-9][0-9]{0,8})")


class ApiModel(BaseModel):
    """The content of a request or an answer. Fields that the model does not have are refused."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        model_title_generator=lambda model: public_name(model.__name__),
    )


class RequestModel(ApiModel):
    """The content of a request."""

    @field_validator("*")
    @classmethod
    def _without_nul(cls, value: Any) -> Any:
        # Some databases cannot store NUL.
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and "\0" in text for text in texts):
            raise ValueError("expected a text without NUL")
        return value


def public_name(class_name: str) -> str:
    """Return the name of a model in the OpenAPI document, where answers have no suffix.

    >>> public_name("MatchAnswer"), public_name("MatchRequest")
    ('Match', 'MatchRequest')
    """
    return re.sub("(Answer|Part)$", "", class_name)


class MatchQuery(RequestModel):
    """The query that selects the matches to list."""

    game: Annotated[str, Field(examples=["ticTacToe"])] = ""
    player: Annotated[str, Field(examples=["mcts"])] = ""
    status: Annotated[
        Literal["", "waiting", "running", "completed", "aborted", "interrupted"],
        Field(examples=["completed"]),
    ] = ""
    tournament: Annotated[int | None, Field(ge=1, lt=2**31, examples=[1])] = None
    before: Annotated[int | None, Field(ge=1, lt=2**31, examples=[100])] = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50

    def match_filter(self, hidden: Collection[int]) -> MatchFilter:
        """Return the query as a filter for the database.

        Args:
            hidden: The tournaments whose matches the caller may not see.
        """
        return MatchFilter(**self.model_dump(), hidden=hidden)


async def body_of(request: web.Request, model: type[M]) -> M:
    """Read and check the JSON body of a request."""
    if request.content_type != "application/json":
        raise WrongRequestError(
            f"expected a body of type application/json, got {request.content_type}"
        )
    return _checked(model, model.model_validate_json, await read_body(request))


def query_of(request: web.Request, model: type[M]) -> M:
    """Parse and check the query of a request."""
    given = {key: value for key, value in request.query.items() if key not in {"token", SEAT}}
    return _checked(model, model.model_validate_strings, given)


def name_of(request: web.Request, part: str = "name") -> str:
    """Return the name called `part` in the path of a request."""
    name = request.match_info[part]
    if not name.isprintable() or len(name) > MAX_NAME:
        raise WrongRequestError(
            f"{part}: expected at most {MAX_NAME} printable characters, got {name!r:.50}"
        )
    return name


def number_of(request: web.Request, name: str = "number") -> int:
    """Return the number called `name` in the path of a request."""
    text = request.match_info[name]
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        # The message does not repeat the text, which may be the key of a token or an invitation.
        raise WrongRequestError(f"{name}: expected a whole number")
    return int(text)


def _checked(model: type[M], read: Callable[[Any], M], given: object) -> M:
    try:
        return read(given)
    except ValidationError as error:
        raise WrongRequestError(error_message(error, model)) from None
    except ValueError as error:  # for example a lone surrogate in a text
        raise WrongRequestError(f"body: {error}") from None


async def read_body(request: web.Request) -> bytes:
    """Read the whole body of a request and unpack it."""
    config = request.app[SERVICE].config
    try:
        async with asyncio.timeout(config.receive_seconds):
            body = await request.read()
    except TimeoutError:
        raise SlowRequestError(
            f"expected the whole body within {config.receive_seconds:g} s, but only a "
            "part of it arrived"
        ) from None
    except web.RequestPayloadError:
        raise WrongRequestError(
            "expected a whole body, but the connection ended after a part of it"
        ) from None
    coding = request.headers.get(hdrs.CONTENT_ENCODING, "identity").strip().lower()
    if coding == "identity":
        return body
    if coding not in PACKED:
        raise StrangeRequestError(
            f"Content-Encoding: expected none, gzip or deflate, got {coding!r:.50}"
        )
    return _unpacked(body, coding, config.max_body_bytes)


def _unpacked(body: bytes, coding: str, most: int) -> bytes:
    unpacking = zlib.decompressobj(EITHER_FORM)
    try:
        found = unpacking.decompress(body, most + 1)
    except zlib.error:
        found = b""
    if len(found) > most:
        raise web.HTTPRequestEntityTooLarge(max_size=most, actual_size=len(found))
    if not unpacking.eof:
        raise WrongRequestError(
            f"Content-Encoding: expected a body compressed with {coding}, but it cannot be unpacked"
        )
    return found


def seat_key(request: web.Request) -> str:
    """Return the key of the seat in a request about a match, or an empty string."""
    return request.query.get(SEAT, "") or request.cookies.get(_cookie(number_of(request)), "")


def seat_keys(request: web.Request) -> dict[int, str]:
    """Map match numbers to the browser's seat keys, for the `MAX_SEATS` newest matches."""
    numbers = (int(found[1]) for found in map(_COOKIE.fullmatch, request.cookies) if found)
    newest = sorted(numbers, reverse=True)[:MAX_SEATS]
    return {number: request.cookies[_cookie(number)] for number in newest}


def check_seat(request: web.Request, match: MatchRow, role: str) -> None:
    """Raise an error if the caller may not act for a role."""
    if not any(seat.role == role and not seat.source for seat in match.seats):
        raise NotThereError(f"nobody plays {role:.100} by hand in match {match.id}")
    if not is_seat_of(match, role, seat_key(request)):
        raise NotAllowedError(
            f"the seat of {role:.100} is taken; send the key of the seat as "
            f"?{SEAT}=KEY, or log in to the account that holds it"
        )


def remember_seat(request: web.Request) -> web.Response:
    """Move the key of a seat from the address, where others may see it, into a cookie."""
    place = request.rel_url.without_query_params(SEAT)
    response = web.Response(status=303, headers={"Location": str(place)})
    # Lax: users who follow a link in a message can use the seat at once.
    response.set_cookie(
        _cookie(number_of(request)),
        request.query[SEAT],
        max_age=SEAT_SECONDS,
        httponly=True,
        samesite="Lax",
        path="/",
    )
    return response


def _cookie(number: int) -> str:
    return f"ggp_seat_{number}"
