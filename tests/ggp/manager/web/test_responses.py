"""Figures and buttons in templates; errors in a request are put in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from ggp.manager.api import accounts, games, models, players
from ggp.manager.web import responses
from ggp.manager.web.responses import error_message, signed

TEMPLATES = Path(responses.__file__).parent / "templates"
BUTTON = re.compile(r"<button.*?>(?P<label>.*?)</button>", re.DOTALL)


@pytest.mark.parametrize(
    ("figure", "text"), [(-0.3, "0"), (0.0, "0"), (0.4, "0"), (12.6, "+13"), (-12.6, "-13")]
)
def test_a_rating_of_nothing_has_no_sign(figure: float, text: str) -> None:
    """Least of all a minus."""
    assert signed(figure) == text


@pytest.mark.parametrize("page", sorted(TEMPLATES.glob("*.html")), ids=lambda page: page.name)
def test_no_button_is_labelled_by_a_sign_of_the_font(page: Path) -> None:
    """A font may lack it and show an empty box: such labels are drawn."""
    labels = [found["label"] for found in BUTTON.finditer(page.read_text(encoding="utf-8"))]

    assert [label for label in labels if not re.search(r"[A-Za-z]", label)] == []


MATCH = {"game": "ticTacToe", "players": ["legal", "legal"]}
FOREIGN = ("should", "Input", "String", "Extra", "pattern", "Field", "Value error")
"""Words of pydantic."""


@pytest.mark.parametrize(
    ("model", "body", "message"),
    [
        (models.MatchRequest, {"players": []}, "game: this field is missing"),
        (models.MatchRequest, {**MATCH, "playclok": 1}, "playclok: there is no such field; did"),
        (models.TurnQuery, {"colour": 1}, "colour: there is no such field; expected first"),
        (models.MatchRequest, {**MATCH, "playclock": 0}, "playclock: expected at least 1, got 0"),
        (models.MatchRequest, {**MATCH, "seed": "x"}, "seed: expected a whole number, got 'x'"),
        (
            models.MatchRequest,
            {**MATCH, "scrambled": 7},
            "scrambled: expected true or false, got",
        ),
        (models.MatchRequest, {**MATCH, "players": [""]}, "players.0: expected a text, got noth"),
        (
            models.MatchRequest,
            {**MATCH, "players": ["x"] * 65},
            "players: expected at most 64 of",
        ),
        (
            models.MatchRequest,
            {**MATCH, "dialect": "x"},
            "dialect: expected one of ggp-base, dre",
        ),
        (
            models.MatchRequest,
            {**MATCH, "game": "a b"},
            "game: expected letters, digits, '.', '_",
        ),
        (games.RulesRequest, {"text": "a\0b"}, "text: expected a text without NUL"),
        (players.PlayerRequest, {"name": "a/b", "source": "x"}, "name: expected a name without /"),
        (players.PlayerRequest, {"name": "a" * 61, "source": "x"}, "name: expected at most 60 ch"),
        (models.ImportRequest, {"game": "g", "record": 5}, "record: expected a text, got 5"),
        (models.HintRequest, {"role": "x", "seconds": "y"}, "seconds: expected a number, got"),
        (models.HintRequest, ["x"], "body: expected an object"),
    ],
)
def test_what_is_wrong_is_said_in_our_words(
    model: type[BaseModel], body: Any, message: str
) -> None:
    """Not in those of the library that found it."""
    with pytest.raises(ValidationError) as caught:
        model.model_validate_json(json.dumps(body))

    said = error_message(caught.value, model)

    assert said.startswith(message)
    assert not any(word in said for word in FOREIGN)


@pytest.mark.parametrize(
    ("model", "body", "message"),
    [
        ("NewAccountRequest", {"password": "hunter2"}, "password: expected at least 10 characters"),
        ("NewAccountRequest", {"password": "hunter2" * 99}, "password: expected at most"),
        ("NewAccountRequest", {"password": ["hunter2"]}, "password: expected a text"),
        ("NewAccountRequest", {"key": 72}, "key: expected a text"),
        ("NewAccountRequest", {"key": "hunter2" * 99}, "key: expected at most 100 characters"),
        ("NewPasswordRequest", {"password": "hunter2"}, "password: expected at least"),
        ("LoginRequest", {"password": 72}, "password: expected a text"),
        ("PasswordRequest", {"old": 72, "password": "a long password"}, "old: expected a text"),
        ("PasswordRequest", "hunter2", "body: expected an object"),
    ],
)
def test_passwords_and_keys_are_not_repeated(model: str, body: Any, message: str) -> None:
    """Whoever reads along, or reads a log, must not learn them."""
    kind = getattr(accounts, model)
    whole = {"key": "k", "name": "n", "password": "a long password"}
    if isinstance(body, dict):
        body = {name: whole.get(name) for name in kind.model_fields} | body
    with pytest.raises(ValidationError) as caught:
        kind.model_validate_json(json.dumps(body))

    said = error_message(caught.value, kind)

    assert said.startswith(message)
    assert "got" not in said
