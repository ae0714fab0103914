"""What a request says, checked: its body, its query, and the names and numbers in its path."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ggp.manager.errors import WrongRequestError
from ggp.manager.store.matches import MatchFilter
from ggp.manager.web.error_messages import error_message
from ggp.manager.web.request_body import read_body

PREFIX = "/api/v1"
MAX_NAME = 100
SEAT = "seat"
"""In the query: the key of a person's seat."""

M = TypeVar("M", bound=BaseModel)


class ApiModel(BaseModel):
    """The content of a request or an answer: the fields named, and no others."""

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
        """Texts without NUL: not every database can keep it."""
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and "\0" in text for text in texts):
            raise ValueError("expected a text without NUL")
        return value


def public_name(class_name: str) -> str:
    """The name of a model in the OpenAPI document, which says anyhow what is an answer.

    >>> public_name("MatchAnswer"), public_name("MatchRequest")
    ('Match', 'MatchRequest')
    """
    return re.sub("(Answer|Part)$", "", class_name)


class MatchQuery(RequestModel):
    """Which matches to list."""

    game: Annotated[str, Field(examples=["ticTacToe"])] = ""
    player: Annotated[str, Field(examples=["mcts"])] = ""
    status: Annotated[
        Literal["", "waiting", "running", "completed", "aborted", "interrupted"],
        Field(examples=["completed"]),
    ] = ""
    tournament: Annotated[int | None, Field(ge=1, lt=2**31, examples=[1])] = None
    before: Annotated[int | None, Field(ge=1, lt=2**31, examples=[100])] = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50

    def match_filter(self) -> MatchFilter:
        """The same for the database."""
        return MatchFilter(**self.model_dump())


async def body_of(request: web.Request, model: type[M]) -> M:
    """The request's body.

    Raises:
        WrongRequestError: It is no JSON, or a field is missing, unknown or wrong.
        SlowRequestError: It has not come in time.
        StrangeRequestError: It is packed in a way that is not known here.
    """
    if request.content_type != "application/json":
        raise WrongRequestError(
            f"expected a body of type application/json, got {request.content_type}"
        )
    return _checked(model, model.model_validate_json, await read_body(request))


def query_of(request: web.Request, model: type[M]) -> M:
    """The query of the address, as a model that it fits.

    Raises:
        WrongRequestError: A field is unknown or wrong.
    """
    given = {key: value for key, value in request.query.items() if key not in {"token", SEAT}}
    return _checked(model, model.model_validate_strings, given)


def name_of(request: web.Request) -> str:
    """A name in the path.

    Raises:
        WrongRequestError: It cannot be one.
    """
    name = request.match_info["name"]
    if not name.isprintable() or len(name) > MAX_NAME:
        raise WrongRequestError(f"name: expected at most {MAX_NAME} letters, got {name!r:.50}")
    return name


def number_of(request: web.Request, name: str = "number") -> int:
    """A number in the path.

    Raises:
        WrongRequestError: It is none, or far too large.
    """
    text = request.match_info[name]
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        # It is not repeated: where tokens and invitations are ended it may be the key of one.
        raise WrongRequestError(f"{name}: expected a whole number")
    return int(text)


def _checked(model: type[M], read: Callable[[Any], M], given: object) -> M:
    try:
        return read(given)
    except ValidationError as error:
        raise WrongRequestError(error_message(error, model)) from None
    except ValueError as error:  # such as half a surrogate in a text
        raise WrongRequestError(f"body: {error}") from None
