"""Examples of what a request should hold, shown to somebody who got it wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

_FIELD = re.compile(r"(\w+)[.\[\]\w]*(?=:)")
"""With which the message of an error begins: `players`, `players.0` or `players[0].name`."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Of a kind of request."""

    whole: Mapping[str, Any]
    """The fields that it must have; where it need have none, all."""
    of_fields: Mapping[str, Any]
    """Of each field a value."""

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
