"""The JSON schema of a game's positions: the possible facts and their values."""

from __future__ import annotations

from typing import Any, Final

import gdl
from ggp.harness.game import HarnessGame

MAX_ENUM: Final = 200
"""Maximum number of values of an argument to list. If there are more, any text is allowed."""
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema_of(game: HarnessGame) -> dict[str, Any]:
    """Return the JSON schema of the data from `HarnessMatch.to_json`."""
    move = {"type": "string"}
    role_moves = dict.fromkeys(game.roles, move)
    return {
        "$schema": DRAFT,
        "title": f"A position of {game.name}",
        "type": "object",
        "additionalProperties": False,
        "required": ["game", "turn", "over", "facts", "legal", "history", "goals"],
        "properties": {
            "game": {"const": game.name},
            "turn": {"type": "integer", "minimum": 1},
            "over": {"type": "boolean"},
            "facts": {
                "type": "object",
                "description": "The arguments of the true facts of each relation",
                "additionalProperties": False,
                "properties": _facts(game),
            },
            "legal": {
                "type": "object",
                "description": "The legal moves of each role",
                "additionalProperties": False,
                "properties": {role: {"type": "array", "items": move} for role in game.roles},
            },
            "history": {
                "type": "array",
                "description": "The joint moves so far",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": role_moves,
                },
            },
            "goals": {
                "type": ["object", "null"],
                "description": "The goal of each role at the end",
                "properties": {
                    role: {"type": "integer", "minimum": 0, "maximum": 100} for role in game.roles
                },
            },
        },
    }


def _facts(game: HarnessGame) -> dict[str, Any]:
    found: dict[str, list[dict[str, Any]]] = {}
    domains = gdl.fact_domains(game.rulesheet)
    for relation, values in domains.items():
        args = [_argument(some) for some in values]
        one: dict[str, Any] = {
            "type": "array",
            "minItems": relation.arity,
            "maxItems": relation.arity,
        }
        if args:
            one["prefixItems"] = args
        found.setdefault(relation.name, []).append(one)
    return {
        name: {"type": "array", "items": forms[0] if len(forms) == 1 else {"anyOf": forms}}
        for name, forms in found.items()
    }


def _argument(values: frozenset[str]) -> dict[str, Any]:
    if values and len(values) <= MAX_ENUM:
        return {"type": "string", "enum": sorted(values)}
    return {"type": "string"}
