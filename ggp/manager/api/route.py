"""A route of the API: its place, what it takes and gives, and who answers.

Whatever a request says is checked against its model before the handler sees it, and the OpenAPI
document is made from the same models.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, get_type_hints

from aiohttp import web
from pydantic import BaseModel, TypeAdapter

import gdl
from ggp.errors import GgpError
from ggp.manager.domain.rights import Right
from ggp.manager.web.error_answers import error_answer, status_of
from ggp.manager.web.request_parts import PREFIX, body_of, query_of

_FIELD = re.compile(r"(\w+)[.\[\]\w]*(?=:)")
"""With which the message of an error begins: `players`, `players.0` or `players[0].name`."""
Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)
CORRECTED = frozenset({400, 415})
"""Statuses of what is wrong with a request itself."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Of a kind of request."""

    whole: Mapping[str, Any]
    """The fields that it must have; where it need have none, all."""
    of_fields: Mapping[str, Any]

    def correction(self, message: str) -> dict[str, Any]:
        """Which field an error is about and what would be right; if it names none, the whole."""
        found = _FIELD.match(message)
        if found is None or found[1] not in self.of_fields:
            return {"example": dict(self.whole)}
        return {"field": found[0], "example": {found[1]: self.of_fields[found[1]]}}


@cache
def examples_of(model: type[BaseModel]) -> Examples:
    """The examples that a model's fields have, or else their defaults."""
    known = model.model_fields
    values = {
        name: field.examples[0] if field.examples else field.get_default(call_default_factory=True)
        for name, field in known.items()
    }
    needed = [name for name, field in known.items() if field.is_required()]
    return Examples({name: values[name] for name in needed or known}, values)


@dataclass(frozen=True, slots=True)
class Route:
    """One operation of the API."""

    method: str
    path: str
    """Below `PREFIX`, with parameters such as `{number}`."""
    handler: Handler
    """Takes the request and, in parameters of these names, its `body` and its `query`; the models
    of those and the type of the answer are the ones that it is annotated with."""
    right: Right
    summary: str
    status: int = 200
    media: str = "application/json"
    streamed: Any = None
    """The type of the answer's JSON where the handler sends it itself."""
    pending: Any = None
    """The type of the answer's JSON as long as it is not ready, with status 202."""

    @property
    def body(self) -> type[BaseModel] | None:
        """The model of the body; None if it takes none."""
        return _annotations(self.handler).get("body")

    @property
    def query(self) -> type[BaseModel] | None:
        """The model of the query; None if it takes none."""
        return _annotations(self.handler).get("query")

    @property
    def answer(self) -> Any:
        """The type of the answer's JSON; None where it is no JSON."""
        kind = _annotations(self.handler)["return"]
        return self.streamed if kind in {web.Response, web.StreamResponse} else kind

    def definition(self) -> web.RouteDef:
        """As aiohttp takes it."""
        return web.route(self.method, PREFIX + self.path, self._answer)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        try:
            found = await self.handler(request, **await self._given(request))
        except (GgpError, gdl.GdlError) as error:
            model, status = self.body or self.query, status_of(error)
            if model is None or status not in CORRECTED:
                raise
            correction = examples_of(model).correction(str(error))
            return error_answer(request, status, str(error), correction)
        if isinstance(found, web.StreamResponse):
            return found
        fields = adapter_of(self.answer).dump_python(found, mode="json")
        return web.json_response(fields, status=self.status)

    async def _given(self, request: web.Request) -> dict[str, BaseModel]:
        given: dict[str, BaseModel] = {}
        if self.body is not None:
            given["body"] = await body_of(request, self.body)
        if self.query is not None:
            given["query"] = query_of(request, self.query)
        return given


class Routes(list[Route]):
    """The operations of a part of the API, in the order in which their handlers stand there."""

    def add(self, operation: str, right: Right, summary: str = "", **more: Any) -> Callable[[H], H]:
        """Declare the handler of an operation, `GET /games`; `more` are other fields of `Route`.

        The handler's docstring is the description, and the summary where none is given.
        """
        method, path = operation.split()

        def decorate(handler: H) -> H:
            text = summary or (handler.__doc__ or "").strip()
            self.append(Route(method, path, handler, right, text, **more))
            return handler

        return decorate


@cache
def _annotations(handler: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(handler)


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """The adapter of an answer's type; making one takes long."""
    return TypeAdapter(kind)
