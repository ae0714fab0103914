"""Errors of a request, in words for people: the one place that knows pydantic's."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

NAME_PATTERN: Final = r"^[^\x00-\x1f\x7f/?#]+$"
GAME_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
MAX_QUOTED: Final = 50
"""Characters of a value that an error repeats."""

_PATTERNS: Final = {
    NAME_PATTERN: "a name without /, ? and #, on one line",
    GAME_PATTERN: "letters, digits, '.', '_' and '-', a letter or digit first",
}
_EXPECTED: Final = {
    "string_type": "a text",
    "string_too_short": "at least {min_length} characters",
    "string_too_long": "at most {max_length} characters",
    "int": "a whole number",
    "float": "a number",
    "finite_number": "a number",
    "bool": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model": "an object",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
    "greater_than_equal": "at least {ge:.0f}",
    "greater_than": "more than {gt:.0f}",
    "less_than_equal": "at most {le:.0f}",
    "less_than": "less than {lt:.0f}",
}
"""The expected value in words, by the error's type or how that begins."""


def error_message(error: ValidationError, model: type[BaseModel]) -> str:
    """The first thing that is wrong: the field, what would be right, and what was given.

    What was given is left out where the field is a secret, see `_is_secret`.
    """
    first = error.errors(include_url=False)[0]
    place = ".".join(filter(_is_place, map(str, first["loc"]))) or "body"
    return f"{place}: {_message(first, model)}"


def _is_place(part: str) -> bool:
    """Whether it is a field or an index; pydantic names the branches of a union as well."""
    return part.isidentifier() or part.isdigit()


def _message(error: ErrorDetails, model: type[BaseModel]) -> str:
    kind, context, given = error["type"], error.get("ctx", {}), error["input"]
    if kind == "missing":
        return "expected this field, it is missing"
    if kind == "extra_forbidden":
        return _no_such_field(error, model)
    if kind == "json_invalid":
        return f"expected JSON, got something else: {context['error']}"
    if kind == "value_error":
        return str(context["error"])
    expected = _expected(kind, context)
    if expected is None:
        return error["msg"]
    got = "" if _is_secret(error, model) else f", got {_quoted(given)}"
    return f"expected {expected}{got}"


def _is_secret(error: ErrorDetails, model: type[BaseModel]) -> bool:
    """Whether it is in a field with `repr=False`, or in a whole that may hold such a field."""
    fields, place = model.model_fields, error["loc"]
    field = fields.get(str(place[0])) if place else None
    return any(not one.repr for one in ([field] if field else fields.values()))


def _expected(kind: str, context: Mapping[str, Any]) -> str | None:
    if kind == "string_pattern_mismatch":
        return _PATTERNS.get(context["pattern"])
    if kind == "literal_error":
        return f"one of {context['expected']}".replace("'', ", "").replace("'", "")
    if kind == "string_too_short" and context["min_length"] == 1:
        return "a text"
    for known in (kind, kind.partition("_")[0]):
        if known in _EXPECTED:
            return _EXPECTED[known].format_map(context)
    return None


def _no_such_field(error: ErrorDetails, model: type[BaseModel]) -> str:
    if len(error["loc"]) > 1:  # the fields of what is within are others
        return "there is no such field"
    near = get_close_matches(str(error["loc"][0]), model.model_fields, n=1)
    if near:
        return f"there is no such field; did you mean {near[0]}?"
    return f"there is no such field; expected {', '.join(model.model_fields) or 'none'}"


def _quoted(given: Any) -> str:
    """A value as the request has it, if it is short enough to be of use."""
    if given in ("", None):
        return "nothing"
    if isinstance(given, list | dict):
        return str(len(given)) if isinstance(given, list) else "an object"
    text = str(given).lower() if isinstance(given, bool) else repr(given)
    return text if len(text) <= MAX_QUOTED else f"{len(str(given))} characters"
