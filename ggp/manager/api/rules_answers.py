"""Contents of answers on rules in the making; lines and columns count from 1."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ggp.manager.api.answers import AnswerModel


class EditAnswer(AnswerModel):
    """Another text for a place of a rulesheet: lines and columns count from 1."""

    line: int
    column: int
    length: int
    text: str


class CureAnswer(AnswerModel):
    """A change of a rulesheet that does what a finding asks for."""

    title: str
    edits: list[EditAnswer]
    """They do not overlap; the places are those before any of them."""


class FindingAnswer(AnswerModel):
    """A problem in a rulesheet, and its place: lines and columns count from 1."""

    severity: str
    code: str
    message: str
    line: int
    column: int
    length: int
    cures: list[CureAnswer]
    """None where only the author can know what to do."""


class PlaceAnswer(AnswerModel):
    """A word of a rulesheet: lines and columns count from 1."""

    line: int
    column: int
    length: int


class SymbolAnswer(AnswerModel):
    """What is known of a symbol."""

    text: str
    """In Markdown; empty where no symbol stands."""
    definitions: list[PlaceAnswer]
    uses: list[PlaceAnswer]
    """All places, those of its definitions too."""


class WordAnswer(AnswerModel):
    """A word that may stand somewhere."""

    word: str
    detail: str
    """Its arguments, as they are called or as many as there are."""
    kind: str


class WordsAnswer(AnswerModel):
    """Words that may stand at a place, the likeliest first."""

    begun: PlaceAnswer
    """Of what is there of the word."""
    words: list[WordAnswer]


class RulesPositionAnswer(AnswerModel):
    """A position of rules in the making."""

    facts: list[str]
    legal: dict[str, list[str]]
    """By role."""
    terminal: Annotated[bool, Field(validation_alias="is_terminal")]


class WhyPlaceAnswer(PlaceAnswer):
    """A place in the rules."""

    file: str


class WhyLineAnswer(AnswerModel):
    """A line of an explanation."""

    level: int
    """How deep it stands in the tree, from 0."""
    kind: str
    """`fact`, `condition`, `rule` (that could make a fact; its conditions follow) or `note`."""
    holds: bool | None
    """Null where that is open."""
    text: str
    said: str
    """Of the fact or condition."""
    place: WhyPlaceAnswer | None
    """Of the rule or fact of the rules that it names."""


class WhyAnswer(AnswerModel):
    """Why a fact holds in a position, or why it does not."""

    question: str
    holds: bool
    turn: int
    """Number of joint moves that lead there."""
    lines: list[WhyLineAnswer]
    """A tree; those of a fact with variables are several."""
    more: int
    """Number of further facts that fit."""
    complete: Annotated[bool, Field(validation_alias="is_complete")]
    """Whether these are all lines."""
