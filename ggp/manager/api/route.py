"""The routes of the API: their paths, models and handlers, and the OpenAPI document.

A model validates each request before the handler gets it. The OpenAPI document is generated from
the same models.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_type_hints

from aiohttp import web
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

import gdl
import ggp
from ggp.errors import GgpError
from ggp.manager.api.models import Nothing, ProblemAnswer
from ggp.manager.domain.rights import Right
from ggp.manager.errors import WrongRequestError
from ggp.manager.web.request_parts import PREFIX, body_of, public_name, query_of
from ggp.manager.web.responses import error_answer, status_of

_FIELD = re.compile(r"(\w+)[.\[\]\w]*(?=:)")
"""Matches the field at the beginning of an error: `players`, `players.0` or `players[0].name`."""
Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)
CORRECTED = frozenset({400, 415})
"""Statuses of errors that are in the request itself."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples for the model of a request."""

    whole: Mapping[str, Any]
    """The required fields, or all fields if none is required."""
    of_fields: Mapping[str, Any]

    def correction(self, error: Exception) -> dict[str, Any]:
        """Return the faulty field and an example of it.

        If the error names no known field, return an example of the whole request.
        """
        found = _FIELD.match(str(error))
        if found is None or found[1] not in self.of_fields:
            return {"example": dict(self.whole)}
        own = error.example if isinstance(error, WrongRequestError) else None
        if own == "":
            return {"field": found[0]}
        example = self.of_fields[found[1]] if own is None else own
        return {"field": found[0], "example": {found[1]: example}}


@cache
def examples_of(model: type[BaseModel]) -> Examples:
    """Return the examples of a model's fields. A field without an example has its default."""
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
    """The path below `PREFIX`, with parameters such as `{number}`."""
    handler: Handler
    """Takes the request and, if it has parameters with these names, the parsed `body` and `query`.
    The annotations of these parameters and of the result are the models of the route."""
    right: Right
    status: int = 200
    media: str = "application/json"
    streamed: Any = None
    """Type of the JSON in the answer, if the handler sends the answer itself."""
    pending: Any = None
    """Type of the JSON in the answer with status 202, sent while the result is not ready."""

    @property
    def body(self) -> type[BaseModel] | None:
        """The model of the body. None if the handler takes no body."""
        return _annotations(self.handler).get("body")

    @property
    def query(self) -> type[BaseModel] | None:
        """The model of the query. None if the handler takes no query."""
        return _annotations(self.handler).get("query")

    @property
    def answer(self) -> Any:
        """Type of the JSON in the answer. None if the answer is not JSON."""
        kind = _annotations(self.handler)["return"]
        if kind is NoneType:
            return Nothing
        return self.streamed if kind in {web.Response, web.StreamResponse} else kind

    def definition(self) -> web.RouteDef:
        """Return the route in the form that aiohttp needs."""
        return web.route(self.method, PREFIX + self.path, self._answer)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        try:
            found = await self.handler(request, **await self._given(request))
        except (GgpError, gdl.GdlError) as error:
            model, status = self.body or self.query, status_of(error)
            if model is None or status not in CORRECTED:
                raise
            correction = examples_of(model).correction(error)
            return error_answer(request, status, str(error), correction)
        if isinstance(found, web.StreamResponse):
            return found
        fields = adapter_of(self.answer).dump_python(
            Nothing() if found is None else found, mode="json"
        )
        return web.json_response(fields, status=self.status)

    async def _given(self, request: web.Request) -> dict[str, BaseModel]:
        given: dict[str, BaseModel] = {}
        if self.body is not None:
            given["body"] = await body_of(request, self.body)
        if self.query is not None:
            given["query"] = query_of(request, self.query)
        return given


class Routes(list[Route]):
    """The operations of one part of the API, in the order of their handlers."""

    def add(self, operation: str, right: Right, **more: Any) -> Callable[[H], H]:
        """Declare the handler of an operation such as `GET /games`.

        The handler's docstring is the description, and its first line is the summary. `more` are
        further fields of `Route`.
        """
        method, path = operation.split()

        def decorate(handler: H) -> H:
            self.append(Route(method, path, handler, right, **more))
            return handler

        return decorate


@cache
def _annotations(handler: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(handler)


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Return the type adapter for an answer. The result is cached, because creating it is slow."""
    return TypeAdapter(kind)


JSON = "application/json"
REFERENCE = "#/components/schemas/{model}"


class PublicSchema(GenerateJsonSchema):
    """A generator of schemas that uses the public names of models."""

    def normalize_name(self, name: str) -> str:
        """Return the name that a model's class has in the document."""
        return super().normalize_name(public_name(name))


@cache
def document(routes: tuple[Route, ...]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document. It is cached, because making it takes 0.1 seconds."""
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = {}
    for route in routes:
        operation = _operation(route, schemas)
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "A game manager for General Game Playing",
            "version": ggp.__version__,
            "description": "Players, matches, tournaments and rulesheets; docs/manager/api.md.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    parameters = [_path_parameter(name) for name in re.findall(r"{(\w+)}", route.path)]
    if route.query is not None:
        parameters += _query_parameters(route.query)
    responses = {str(route.status): _response("Done.", route.answer, schemas, route.media)}
    if route.pending is not None:
        responses["202"] = _response("Not ready yet.", route.pending, schemas, JSON)
    responses["default"] = _response("What went wrong.", ProblemAnswer, schemas, JSON)
    text = (route.handler.__doc__ or "").strip()
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": text.partition("\n")[0],
        "description": text,
        "x-right": str(route.right),
        "parameters": parameters,
        "responses": responses,
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": _schema(route.body, "validation", schemas)}},
        }
    return operation


def _response(description: str, kind: Any, schemas: dict[str, Any], media: str) -> dict[str, Any]:
    schema = {"type": "string"} if kind is None else _schema(kind, "serialization", schemas)
    return {"description": description, "content": {media: {"schema": schema}}}


def _path_parameter(name: str) -> dict[str, Any]:
    is_number = name in {"number", "turn"}
    schema = (
        {"type": "integer", "minimum": 0, "maximum": 999_999_999}
        if is_number
        else {"type": "string", "minLength": 1}
    )
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(model: type[BaseModel]) -> list[dict[str, Any]]:
    properties = model.model_json_schema()["properties"]
    return [
        {"name": name, "in": "query", "required": False, "schema": schema}
        for name, schema in properties.items()
    ]


def _schema(kind: Any, mode: JsonSchemaMode, schemas: dict[str, Any]) -> dict[str, Any]:
    schema = adapter_of(kind).json_schema(
        ref_template=REFERENCE, schema_generator=PublicSchema, mode=mode
    )
    schemas.update(schema.pop("$defs", {}))
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        name = public_name(kind.__name__)
        schemas[name] = schema
        return {"$ref": REFERENCE.format(model=name)}
    return schema
