"""A route of the API: its place, what it takes and gives, and who answers.

Whatever a request says is checked against its model before the handler sees it, and the OpenAPI
document is made from the same models.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

import gdl
from ggp.errors import GgpError
from ggp.manager.api.examples import examples_of
from ggp.manager.api.receiving import received
from ggp.manager.api.wording import in_words
from ggp.manager.problems import WrongRequestError, problem, status_of

PREFIX = "/api/v1"
MAX_NAME = 100
CORRECTED = frozenset({400, 415})
"""Statuses of what is wrong with a request itself."""

M = TypeVar("M", bound=BaseModel)


class Model(BaseModel):
    """The content of a request: the fields named, and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*")
    @classmethod
    def _without_nul(cls, value: Any) -> Any:
        """Texts without NUL: not every database can keep it."""
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and "\0" in text for text in texts):
            raise ValueError("expected a text without NUL")
        return value


class Nothing(Model):
    """A request without a body, or an answer that says only that it is done."""


@dataclass(frozen=True, slots=True)
class Route:
    """One operation of the API."""

    method: str
    path: str
    """Below `PREFIX`, with parameters such as `{number}`."""
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    summary: str
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    answer: Any = None
    """The type of the answer's JSON; None where it is no JSON."""
    status: int = 200
    media: str = "application/json"

    def definition(self) -> web.RouteDef:
        """As aiohttp takes it."""
        return web.route(self.method, PREFIX + self.path, self._answer)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        """The handler's answer; what is wrong with the request is told with an example."""
        try:
            return await self.handler(request)
        except (GgpError, gdl.GdlError) as error:
            model, status = self.body or self.query, status_of(error)
            if model is None or status not in CORRECTED:
                raise
            correction = examples_of(model).correction(str(error))
            return problem(request, status, str(error), correction)


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
    return _checked(model, model.model_validate_json, await received(request))


def query_of(request: web.Request, model: type[M]) -> M:
    """The query of the address, as a model that it fits.

    Raises:
        WrongRequestError: A field is unknown or wrong.
    """
    given = {key: value for key, value in request.query.items() if key != "token"}
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
        raise WrongRequestError(f"{name}: expected a whole number, got {text!r:.50}")
    return int(text)


def _checked(model: type[M], read: Callable[[Any], M], given: object) -> M:
    try:
        return read(given)
    except ValidationError as error:
        raise WrongRequestError(in_words(error, model)) from None
    except ValueError as error:  # such as half a surrogate in a text
        raise WrongRequestError(f"body: {error}") from None
