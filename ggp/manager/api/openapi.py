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

JSON = "application/json"
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
    responses = {str(route.status): _response("Done.", route.answer, schemas, route.media)}
    if route.pending is not None:
        responses["202"] = _response("Not ready yet.", route.pending, schemas, JSON)
    responses["default"] = _response("What went wrong.", ProblemAnswer, schemas, JSON)
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "description": (route.handler.__doc__ or "").strip(),
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
