"""The OpenAPI document, made from the routes and the models that check the requests."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

import ggp
from ggp.manager.api.answers import ProblemAnswer
from ggp.manager.api.route import Route, adapter_of
from ggp.manager.web.request_parts import PREFIX, public_name

REFERENCE = "#/components/schemas/{model}"


class PublicSchema(GenerateJsonSchema):
    """Schemas of models under their public names."""

    def normalize_name(self, name: str) -> str:
        """The name in the document of a model's class."""
        return super().normalize_name(public_name(name))


@cache
def document(routes: tuple[Route, ...]) -> dict[str, Any]:
    """The description of the API in OpenAPI 3.1; made once, for that takes a tenth of a second."""
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
            "description": "Players, matches, tournaments and rulesheets; docs/manager.md.",
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
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "description": (route.handler.__doc__ or "").strip(),
        "x-right": str(route.right),
        "parameters": parameters,
        "responses": {
            str(route.status): {"description": "Done.", "content": _content(route, schemas)},
            **_pending(route, schemas),
            "default": {
                "description": "What went wrong.",
                "content": {
                    "application/json": {"schema": _schema(ProblemAnswer, "serialization", schemas)}
                },
            },
        },
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _schema(route.body, "validation", schemas)}},
        }
    return operation


def _content(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    if route.answer is None:
        return {route.media: {"schema": {"type": "string"}}}
    return {route.media: {"schema": _schema(route.answer, "serialization", schemas)}}


def _pending(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    """The answer as long as there is nothing to be answered yet."""
    if route.pending is None:
        return {}
    schema = _schema(route.pending, "serialization", schemas)
    content = {"application/json": {"schema": schema}}
    return {"202": {"description": "Not ready yet.", "content": content}}


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
